package formats

import (
	"maps"
	"slices"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/wire"
)

// Summary is what info says of a file: keys for programs, lines for people, and
// the cells of a line among those of other files.
type Summary struct {
	File      string
	Format    detect.Format
	Packed    string // as in detect.Input
	Size      int64  // unpacked
	Errors    []*perfdump.FormatError
	Anomalies map[perfdump.Code]int

	Keys  []Key  // of the JSON document, in their order
	Lines []Line // in their order

	Holds     string // the machine, or what else the file is of
	Time      string
	To        string // of a log
	Samples   string // of a log
	Objects   string
	Instances string
	Counters  string

	view View
}

// Key is a key of a JSON document.
type Key struct {
	Name  string
	Value any
}

// Line is a fact for people. A Line without a label continues the one before.
type Line struct{ Label, Text string }

// View says how the lines of a summary are written.
type View struct {
	Zone  *time.Location // of times, nil for the recorder's
	Width int            // of the terminal
}

// textWidth is the width of the text of a line.
func (v View) textWidth() int { return max(v.Width-indent, 40) }

// indent is where the text of a line begins.
const indent = 14

// Inspect sums up a file. What is wrong with its content is among the errors of
// the summary, next to what could be read.
func Inspect(in *detect.Input, o capture.Options, v View) *Summary {
	s := &Summary{File: in.Name, Format: in.Format, Packed: in.Packed, Size: in.Size(), Anomalies: map[perfdump.Code]int{}, view: v}
	if f := Of(in.Format); f.Facts != nil {
		f.Facts(s, in, o)
	}
	return s
}

// Codes returns the codes of the anomalies in their order.
func (s *Summary) Codes() []perfdump.Code { return slices.Sorted(maps.Keys(s.Anomalies)) }

func (s *Summary) fail(err error) { s.Errors = append(s.Errors, wire.AsFormatError(err)) }

func (s *Summary) faults(faults []*perfdump.FormatError) { s.Errors = append(s.Errors, faults...) }

func (s *Summary) count(found *perfdump.Anomalies) {
	for _, a := range found.Kept() {
		s.Anomalies[a.Code]++
	}
	for code, n := range found.Dropped() {
		s.Anomalies[code] += n
	}
}

// key adds a key of the document.
func (s *Summary) key(name string, value any) { s.Keys = append(s.Keys, Key{name, value}) }

// line adds a line.
func (s *Summary) line(label, text string) { s.Lines = append(s.Lines, Line{label, text}) }

// fact adds a key and a line of one value. What is not known has no line.
func (s *Summary) fact(name, label string, value any) {
	s.key(name, value)
	if text := factText(value); text != "" {
		s.line(label, text)
	}
}

// maxFacts is how many names a key lists. Windows has fewer languages, and no
// machine has more providers.
const maxFacts = 1024

// about says in the table what a file holds.
func (s *Summary) about(text string) { s.Holds = "(" + text + ")" }

// at sets the time of the table, if it is known.
func (s *Summary) at(t time.Time, o capture.Offset) {
	if !t.IsZero() {
		s.Time = o.Format(t, s.view.Zone, time.DateTime)
	}
}

// orNil is a text of a document, null if it is not known.
func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// timeOrNil is a time of a document.
func timeOrNil(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
}

// unknown is the text of what may not be known.
func unknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return cell.Clean(s)
}

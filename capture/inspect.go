package capture

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

// Summary is what a file is, in numbers.
type Summary struct {
	File      string
	Format    detect.Format
	Packed    string // as in detect.Input
	Size      int64  // unpacked
	Errors    []*perfdump.FormatError
	Anomalies []CodeCount // in the order of the codes

	Capture *CaptureSummary // nil where the format holds no capture
	Titles  *TitlesSummary  // nil where it is no table of names
	Blocks  *BlockSummary   // nil where it is no table of IPC control blocks
	Image   *ImageSummary   // nil where it is no memory
	Vector  *VectorSummary  // nil where it is no vector of ASP.NET's counters
	Backup  *BackupSummary  // nil where it is no backup of names
	Facts   []Fact          // what a file that registers counters holds
	Log     *LogSummary     // nil where it is no log over time
}

// CodeCount is how many anomalies of a code there are.
type CodeCount struct {
	Code  perfdump.Code
	Count int
}

// CaptureSummary is what a capture holds. Instances, counters and values are
// summed over all objects of all snapshots; counters are definitions, bases
// among them.
type CaptureSummary struct {
	Snapshots   int // that could be read; the next six may be known without any
	Host        string
	Start, End  time.Time // zero where unknown
	Version     uint32    // of the first block
	Revision    uint32
	Frequency   int64 // ticks of the performance counter a second
	Objects     int
	Instances   int
	Counters    int
	Values      int
	ObjectNames []string // of the first snapshot
}

// TitlesSummary is what a table of names holds.
type TitlesSummary struct {
	Kind        string // counter or help
	Encoding    string
	Entries     int
	First, Last uint32 // the lowest and the highest index of a name
	BaseIndex   uint32 // the highest index of Windows' own counters, 0 if not told
}

// Inspect sums up an input. What is wrong with its content is among the errors
// of the summary, beside the sums of what could be read before it; Inspect
// does not fail.
func Inspect(in *detect.Input, o Options) *Summary {
	s := &Summary{File: in.Name, Format: in.Format, Packed: in.Packed, Size: in.Size()}
	counts := map[perfdump.Code]int{}
	switch in.Format {
	case detect.PerfData:
		s.Capture = &CaptureSummary{}
		s.perfdata(in.Data, o, counts)
	case detect.Titles:
		s.titles(in.Data, o, counts)
	case detect.IPCBlock:
		s.blocks(in.Data, o, counts)
	case detect.Minidump, detect.Memory:
		s.image(in, o, counts)
	case detect.ASPNet2, detect.ASPNet4:
		s.vector(in)
	case detect.PerfLib2:
		s.perflib2(in.Data, o, counts)
	case detect.PerfStrings:
		s.perfstrings(in.Data, o, counts)
	case detect.INIFile, detect.SymbolH, detect.Reg, detect.Hive, detect.Manifest:
		s.registration(in, o, counts)
	case detect.BLG:
		s.log(in, o, counts)
	case detect.PDHCSV, detect.PDHTSV:
		s.rows(in, o, counts)
	case detect.Checkmk:
		s.sections(in, o, counts)
	default:
		// Known by its content; its reader is still to come.
	}
	for code, n := range counts {
		s.Anomalies = append(s.Anomalies, CodeCount{code, n})
	}
	slices.SortFunc(s.Anomalies, func(a, b CodeCount) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return s
}

func (s *Summary) fail(err error) {
	var fe *perfdump.FormatError
	if !errors.As(err, &fe) {
		fe = &perfdump.FormatError{Code: perfdump.CodeIO, Off: -1, Err: err}
	}
	s.Errors = append(s.Errors, fe)
}

func count(counts map[perfdump.Code]int, found *perfdump.Anomalies) {
	for _, a := range found.Kept() {
		counts[a.Code]++
	}
	for code, n := range found.Dropped() {
		counts[code] += n
	}
}

func (s *Summary) perfdata(b []byte, o Options, counts map[perfdump.Code]int) {
	c := s.Capture
	names := o.Names
	if names == nil {
		names = NewNames()
	}
	var failed error
	var faults []iter.Seq[*perfdump.FormatError] // made once their blocks are gone: there may be one for each object
	for block, err := range perfdata.Blocks(b, o.perfdata()) {
		if err != nil {
			failed = err
			break
		}
		if c.Snapshots == 0 {
			c.header(block)
			for _, object := range block.Objects() {
				names.Name(object.ObjectNameTitleIndex) // counts it if it has none
				c.ObjectNames = append(c.ObjectNames, names.object(object.ObjectNameTitleIndex))
			}
		}
		c.Snapshots++
		c.at(block)
		c.Objects += block.NumObjects()
		for _, object := range block.Objects() {
			if !object.Single() {
				c.Instances += object.Len()
			}
			c.Counters += len(object.Counters())
			c.Values += object.Len() * len(object.Counters())
		}
		count(counts, block.Anomalies())
		if block.NumFaults() > 0 {
			faults = append(faults, block.AllFaults())
		}
	}
	for _, of := range faults {
		s.Errors = slices.AppendSeq(s.Errors, of)
	}
	if failed == nil {
		return
	}
	s.fail(failed)
	if c.Snapshots == 0 {
		s.salvageHeader(b, o)
	}
}

func (c *CaptureSummary) header(b *perfdata.Block) {
	c.Host, c.Version, c.Revision, c.Frequency = cutOwn(b.ComputerName()), b.Version, b.Revision, b.PerfFreq
}

func (c *CaptureSummary) at(b *perfdata.Block) {
	t, ok := b.Time()
	if !ok {
		return
	}
	if c.Start.IsZero() || t.Before(c.Start) {
		c.Start = t
	}
	if t.After(c.End) {
		c.End = t
	}
}

// salvageHeader takes what holds for all of a block from one that cannot be
// read in the mode asked for.
func (s *Summary) salvageHeader(b []byte, o Options) {
	o.Mode = perfdump.Salvage
	if block, err := perfdata.Parse(b, o.perfdata()); err == nil {
		s.Capture.header(block)
		s.Capture.at(block)
	}
}

func (s *Summary) titles(b []byte, o Options, counts map[perfdump.Code]int) {
	t, err := ParseTitles(b, o)
	if err != nil {
		s.fail(err)
		return
	}
	s.Titles = &TitlesSummary{Kind: t.Kind().String(), Encoding: t.Encoding().String(), Entries: t.Len()}
	s.Titles.BaseIndex, _ = t.BaseIndex()
	for i := range t.All() {
		if s.Titles.Last == 0 { // they come in order
			s.Titles.First = i
		}
		s.Titles.Last = i
	}
	count(counts, t.Anomalies())
}

// ParseTitles reads a table of names in whichever form it is: that of the
// registry, else a list of text. The error is that of the first, unless
// the second form explains it better.
func ParseTitles(b []byte, o Options) (*titles.Table, error) {
	to := titles.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage}
	if list(b) {
		return titles.ParseText(b, to)
	}
	return titles.Parse(b, to)
}

// list reports whether b looks like a list: an index, then a colon or a tab
// in its first line.
func list(b []byte) bool {
	head := b[:min(len(b), 256)]
	text := strings.Map(func(r rune) rune {
		if r == 0 || r == 0xfffd || r == 0xfeff {
			return -1
		}
		return r
	}, string(head))
	if utf16 := len(head) >= 2 && (head[0] == 0xff && head[1] == 0xfe || head[0] == 0xfe && head[1] == 0xff); !utf16 && strings.IndexByte(string(head), 0) >= 0 {
		return false
	}
	text = strings.TrimLeft(text, " \t\r\n")
	digits := strings.TrimLeft(text, "0123456789")
	rest := strings.TrimLeft(digits, " ")
	return strings.HasPrefix(strings.ToLower(text), "index\t") ||
		len(digits) < len(text) && (strings.HasPrefix(rest, ":") || strings.HasPrefix(digits, "\t"))
}

package export

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export/internal/column"
	"github.com/perfdump/perfdump/pdhcsv"
)

// Writer writes raw values, one snapshot after the other.
type Writer interface {
	// Write writes a snapshot. It may buffer some of it.
	Write(s *capture.Snapshot) error
	// WriteRows writes values that are in no snapshot, those of one record together.
	WriteRows(rows iter.Seq[*capture.Row]) error
	// Flush writes what is buffered, unless the output needs all values first.
	Flush() error
	// Close writes everything, and what ends the output. It does not close the
	// io.Writer. Nothing may be written after it.
	Close() error
}

// FrameWriter writes cooked values, one frame after the other. Series are
// identified by their ID, so all frames come from one capture.
type FrameWriter interface {
	// WriteFrame writes a frame. It may buffer some of it.
	WriteFrame(f *capture.Frame) error
	// Close is that of [Writer].
	Close() error
}

// Output is a form in which values are written. Parquet has a package of its own.
type Output struct {
	Name    string
	Columns bool // rows, which have further columns on request
	Series  bool // cooked: Options.Series are needed, so the input is read twice
	PDH     bool // cooked: for readers that expect what PDH computes, see [capture.CookOptions]
	Tuples  bool // cooked: rows have the raw values too, see [capture.CookOptions]

	raw     func(io.Writer, Options) (Writer, error)
	cooked  func(io.Writer, Options) (FrameWriter, error)
	summary func(io.Writer, Options) func(*summaries) error
}

// Raw reports whether [NewRaw] knows the output.
func (o Output) Raw() bool { return o.raw != nil }

// Cooked reports whether [NewCooked] knows the output.
func (o Output) Cooked() bool { return o.cooked != nil }

// Summary reports whether [NewSummary] knows the output.
func (o Output) Summary() bool { return o.summary != nil }

// PDHText reports whether the output is a text log of PDH, which has a code page.
func (o Output) PDHText() bool { return o.PDH && o.Series }

// Outputs returns all outputs.
func Outputs() []Output {
	return []Output{
		{Name: "table", Series: true, raw: newTable, cooked: newCookedTable, summary: tableSummary},
		{Name: "pdh-csv", Series: true, PDH: true, cooked: newPDH(pdhcsv.CSV)},
		{Name: "pdh-tsv", Series: true, PDH: true, cooked: newPDH(pdhcsv.TSV)},
		{Name: "csv", Columns: true, raw: openRows(csvRows).raw, cooked: openRows(csvRows).cooked, summary: openRows(csvRows).summary},
		{Name: "jsonl", Columns: true, raw: openRows(jsonRows).raw, cooked: openRows(jsonRows).cooked, summary: openRows(jsonRows).summary},
		{Name: "sql", PDH: true, Tuples: true, raw: overFrames(newSQL), cooked: newSQL},
		{Name: "openmetrics", raw: overFrames(newOpenMetrics), cooked: newOpenMetrics},
		{Name: "influx", raw: overFrames(newInflux), cooked: newInflux},
		{Name: "checkmk", raw: newCheckmk},
	}
}

// Options says how values are written. Each output uses those that it needs.
type Options struct {
	Columns []string          // csv, jsonl: on request, of [RawColumns] or [CookedColumns]
	Series  []*capture.Series // table, pdh-csv, pdh-tsv: all that will come, in the order of columns
	Zone    *time.Location    // table, pdh-csv, pdh-tsv: of times; nil for the recorder's
	Workers int               // cooked values but the table, and the raw table: how many goroutines write them, 0 for one

	Width int  // table: columns of the page, 0 for 80
	Cut   bool // table: cut what is wider, as terminals need
	Color bool // table
	All   bool // raw table: show bases and labels without data too
	Plain bool // cooked table: bare numbers and whole paths, however wide

	Rank func(*capture.Series) int  // cooked table: the order of lines, then that of the recording; nil for none
	Drop func(*capture.Series) bool // summaries: which series are left out; nil for none
	Sort string                     // summaries: one of [Sorts], "" for the order of the recording
	Top  int                        // summaries: how many, 0 for all

	// CodePage is the Windows code page of pdh-csv and pdh-tsv: 0 is UTF-8, 1200 is
	// UTF-16LE with a byte order mark.
	CodePage uint32

	Dialect string // sql: one of [SQLDialects], "" is sqlite
	Every   int    // sql: every nth record was read, which is another log than that of all

	// Scratch takes the values of openmetrics beyond a million. Without it more of
	// them are an error.
	Scratch Scratch

	raw bool // of a writer of frames: it gets raw values
}

// RawColumns returns the names of the columns that raw rows have on request.
func RawColumns() []string { return column.Names(column.Raw.Extra()) }

// CookedColumns returns the names of the columns that cooked rows have on request.
func CookedColumns() []string { return column.Names(column.Cooked.Extra()) }

// NewRaw returns a writer of raw values. An unknown output or option is an error;
// the errors of the writer are those of w.
func NewRaw(w io.Writer, output string, o Options) (Writer, error) {
	found, err := find(output, "raw values", Output.Raw)
	if err != nil {
		return nil, err
	}
	return found.raw(w, o)
}

// NewCooked returns a writer of cooked values. An unknown output or option is an
// error; the errors of the writer are those of w.
func NewCooked(w io.Writer, output string, o Options) (FrameWriter, error) {
	found, err := find(output, "cooked values", Output.Cooked)
	if err != nil {
		return nil, err
	}
	to, err := found.cooked(w, o)
	if s, ok := to.(sharded); ok && err == nil && o.Workers > 1 {
		return newParallel(s, o.Workers), nil
	}
	return to, err
}

func find(output, what string, has func(Output) bool) (Output, error) {
	var names []string
	for _, o := range Outputs() {
		if has(o) {
			if o.Name == output {
				return o, nil
			}
			names = append(names, o.Name)
		}
	}
	return Output{}, fmt.Errorf("no %s in format %q: there are %s", what, output, strings.Join(names, ", "))
}

// Omission says what an output has left out or changed, since its format cannot
// hold everything.
type Omission struct {
	Count int
	Noun  string // what is counted, such as value
	Text  string // the rest of the sentence
}

// Omissions returns those of a [Writer] or [FrameWriter] of this package.
func Omissions(w any) []Omission {
	switch w := w.(type) {
	case *parallel:
		return Omissions(w.to)
	case *rawFrames:
		return Omissions(w.w)
	case interface{ omissions() []Omission }:
		return slices.DeleteFunc(w.omissions(), func(o Omission) bool { return o.Count == 0 })
	default:
		return nil
	}
}

const bufferSize = 64 << 10

func newBuffer(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, bufferSize) }

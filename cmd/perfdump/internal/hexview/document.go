package hexview

import (
	"cmp"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/table"
)

// Document is an input to be shown. It is for one goroutine, and one iteration
// over its spans, at a time: its functions may refer to the current span.
type Document struct {
	Bytes []byte // the whole input, nil if it is read from At
	At    io.ReaderAt
	Size  int64

	Levels  *perfdump.Levels        // of the paths
	Spans   iter.Seq[perfdump.Span] // what each byte means, in order and without a hole
	Err     error                   // what keeps the input from being read whole
	Remarks []Remark                // errors and anomalies, by offset
	Keeps   [4]int                  // how many elements of each level are shown when arrays are folded, 0 for all

	// Elements is used instead of Keeps: it returns how many elements an array at a
	// level has, and how many are shown. p is the path of one of them
	// or below it.
	Elements func(p perfdump.Path, level int) (n, keep int)
	// Heading appends what is written above the rows of an element, after its
	// path, or nothing for no heading.
	Heading func(dst []byte, p perfdump.Path) []byte
	// Value appends the value of a field; b are its bytes. most is how many
	// characters of a text it may append.
	Value func(dst []byte, s *perfdump.Span, b []byte, most int) []byte
	// Comment appends an explanation of the value, or nothing.
	Comment func(dst []byte, s *perfdump.Span, b []byte) []byte
	// Outline appends the line for a folded element, or nothing to count it with
	// its neighbours. It may be nil.
	Outline func(dst []byte, p perfdump.Path, level int) []byte
	// Unfolded reports whether an element is shown although its neighbours are
	// folded. It may be nil.
	Unfolded func(p perfdump.Path, level int) bool
}

// Remark is an error or an anomaly at an offset.
type Remark struct {
	Off  int64
	text func() string
}

// remark adds anomalies and faults to the remarks.
func (d *Document) remark(faults []*perfdump.FormatError, anomalies ...perfdump.Anomaly) {
	for _, fault := range faults {
		d.Remarks = append(d.Remarks, Remark{fault.Off, fault.Message})
	}
	for _, a := range anomalies {
		d.Remarks = append(d.Remarks, Remark{a.Off, a.Message})
	}
	slices.SortStableFunc(d.Remarks, func(a, b Remark) int { return cmp.Compare(a.Off, b.Off) })
}

// Input says how a document is made from bytes. The zero Input is tolerant.
type Input struct {
	perfdump.Options
	Names *capture.Names // nil for those of Windows' own counters

	// At reads Size bytes that are not in memory, for formats that can be shown
	// like that.
	At   io.ReaderAt
	Size int64

	Range Range // that is shown, if a format can be read there alone
}

// newDocument returns a document of b, or of in.At if b is nil.
func newDocument(b []byte, in Input, levels ...string) *Document {
	d := &Document{Bytes: b, At: in.At, Size: in.Size, Levels: new(perfdump.Levels), Value: appendValue}
	d.Heading = func(dst []byte, _ perfdump.Path) []byte { return dst }
	d.Comment = func(dst []byte, _ *perfdump.Span, _ []byte) []byte { return dst }
	if b != nil || in.At == nil {
		d.At, d.Size = nil, int64(len(b))
	}
	copy(d.Levels[:], levels)
	return d
}

// read parses a file in the requested mode and, if that fails, in salvage mode.
// first is the error of the requested mode, err that of salvage mode.
func read[T any](in Input, parse func(perfdump.Options) (T, error)) (file T, first, err error) {
	if file, first = parse(in.Options); first != nil {
		in.Mode = perfdump.Salvage
		file, err = parse(in.Options)
	}
	return file, first, err
}

// Raw returns the document of bytes without fields, with the reason.
func Raw(b []byte, in Input, reason string) *Document {
	d := newDocument(b, in)
	d.Spans = func(yield func(perfdump.Span) bool) {
		if d.Size > 0 {
			yield(perfdump.Span{Size: d.Size, Note: reason})
		}
	}
	return d
}

// unreadable returns the document of bytes that cannot be read, with the error
// of the mode requested and that of salvage mode.
func unreadable(b []byte, in Input, first, err error) *Document {
	d := Raw(b, in, err.Error())
	d.Err = cmp.Or(first, err)
	return d
}

// count counts the elements at the levels that are folded.
func (d *Document) count() func(p perfdump.Path, level int) (n, keep int) {
	type group struct {
		parent place
		level  int
	}
	counts := map[group]uint32{}
	groupOf := func(at place, level int) group {
		clear(at[level:])
		return group{at, level}
	}
	for s := range d.Spans {
		at := placeOf(&s.Path)
		for level, keep := range d.Keeps {
			if keep > 0 && at[level] > 0 {
				g := groupOf(at, level)
				counts[g] = max(counts[g], at[level])
			}
		}
	}
	return func(p perfdump.Path, level int) (n, keep int) {
		return int(counts[groupOf(placeOf(&p), level)]), d.Keeps[level]
	}
}

// appendCount appends "1 counter" or "2 counters".
func appendCount[N int | int64](dst []byte, n N, noun string) []byte {
	return append(dst, table.Plural(n, noun)...)
}

func appendHex(dst []byte, v uint64) []byte {
	return strconv.AppendUint(append(dst, "0x"...), v, 16)
}

func appendRange(dst []byte, from, to int64) []byte {
	return appendHex(append(appendHex(dst, uint64(from)), ".."...), uint64(to))
}

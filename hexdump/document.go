package hexdump

import (
	"bytes"
	"io"
	"iter"
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
	"github.com/perfdump/perfdump/titles"
)

// Document is what a format gives to be shown. It is for one goroutine, and
// one run through its spans, at a time: its other methods may refer to where
// that run is.
type Document interface {
	// Bytes returns the whole input.
	Bytes() []byte
	// Spans yields what each byte means, in order and without a hole.
	Spans() iter.Seq[perfdump.Span]
	// Levels returns the names of the levels of the paths in use, outermost
	// first.
	Levels() *perfdump.Levels
	// Err returns what keeps the input from being read whole.
	Err() error
	// Remarks returns what is wrong or odd, in the order of the offsets.
	Remarks() []Remark

	// Elements returns how many elements stand side by side at a level, p
	// being the path of one of them or below it, and how many of them are
	// shown when arrays are folded; 0 for all.
	Elements(p perfdump.Path, level int) (n, keep int)
	// AppendHeading appends what stands over the rows of an element beside
	// its path. Nothing appended means that it has no heading.
	AppendHeading(dst []byte, p perfdump.Path) []byte
	// AppendValue appends the value of a field; b are its bytes. most is the
	// number of characters that a text may take.
	AppendValue(dst []byte, s *perfdump.Span, b []byte, most int) []byte
	// AppendComment appends what helps to understand the value, or nothing.
	AppendComment(dst []byte, s *perfdump.Span, b []byte) []byte
}

// Remark says what is wrong or odd at an offset.
type Remark struct {
	Off  int64
	text func() string
}

// Names gives the words for title indexes. Name returns the index in decimal
// where there is none, Help "".
type Names interface {
	Name(index uint32) string
	Help(index uint32) string
}

// Input says how a document is made of bytes. The zero Input reads tolerantly
// and knows the names of Windows' own counters.
type Input struct {
	Mode     perfdump.Mode
	CodePage uint32 // of texts that name none; 0 means 1252
	Names    Names  // nil for those of Windows' own counters
}

func (in Input) names() Names {
	if in.Names != nil {
		return in.Names
	}
	return baseNames{titles.NewNames()}
}

type baseNames struct{ *titles.Names }

func (baseNames) Help(uint32) string { return "" }

// Open returns the document of a format as the command line spells it. One
// that cannot be shown field by field yet comes as a gap that says so.
func Open(format string, b []byte, in Input) Document {
	switch format {
	case "perfdata":
		return PerfData(b, in)
	case "titles":
		return Titles(b, in)
	case "ipcblock":
		return IPCBlock(b, in)
	case "blg":
		return BLG(b, in)
	case "minidump":
		return Minidump(b, in)
	case "memory":
		return Memory(b, in)
	case "aspnet:2.0":
		return ASPNet(b, aspnet.V20)
	case "aspnet:4.x":
		return ASPNet(b, aspnet.V4x)
	case "perflib2":
		return PerfLib2(b, in)
	case "perfstrings":
		return PerfStrings(b, in)
	case "inifile":
		return INIFile(b, in)
	case "symbolh":
		return SymbolH(b, in)
	case "reg":
		return Reg(b, in)
	case "hive":
		return Hive(b, in)
	case "manifest":
		return Manifest(b, in)
	case "pdh-csv", "pdh-tsv", "checkmk":
		return Lines(b, in)
	default:
		return Raw(b, noFields(format))
	}
}

// plain is a document without fields of its own kind, to be embedded.
type plain struct {
	bytes   []byte
	levels  perfdump.Levels
	err     error
	remarks []Remark
}

func (d *plain) Bytes() []byte                                               { return d.bytes }
func (d *plain) Levels() *perfdump.Levels                                    { return &d.levels }
func (d *plain) Err() error                                                  { return d.err }
func (d *plain) Remarks() []Remark                                           { return d.remarks }
func (d *plain) Elements(perfdump.Path, int) (n, keep int)                   { return 0, 0 }
func (d *plain) AppendHeading(dst []byte, _ perfdump.Path) []byte            { return dst }
func (d *plain) AppendComment(dst []byte, _ *perfdump.Span, _ []byte) []byte { return dst }

func (d *plain) AppendValue(dst []byte, s *perfdump.Span, b []byte, most int) []byte {
	return appendValue(dst, s, b, most)
}

func noFields(format string) string {
	return format + ": no fields are looked for; perfdump info --format carve says where blocks are"
}

// OpenAt is [Open] for an input of size bytes that is read where it is shown, of
// a format of which that can be done: of dumps of processes, raw memory, and what is carved.
// ok is false for the others.
func OpenAt(format string, r io.ReaderAt, size int64, in Input) (d Document, ok bool) {
	switch format {
	case "minidump":
		return newMinidump(at{r, size}, nil, in), true
	case "memory":
		return newMemory(at{r, size}, nil, in), true
	case "carve":
		return RawAt(r, size, noFields(format)), true
	default:
		return nil, false
	}
}

// raw is a document of which nothing is known.
type raw struct {
	plain
	at
	reason string
}

// Raw returns the document of bytes of which nothing is known but the reason.
func Raw(b []byte, reason string) Document { return newRaw(b, nil, reason) }

// RawAt is [Raw] for size bytes that are read where they are shown.
func RawAt(r io.ReaderAt, size int64, reason string) Document {
	return &raw{plain{}, at{r, size}, reason}
}

// newRaw returns the document of bytes that err keeps from being read.
func newRaw(b []byte, err error, reason string) *raw {
	return &raw{plain{bytes: b, err: err}, at{bytes.NewReader(b), int64(len(b))}, reason}
}

func (d *raw) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		if n := d.size; n > 0 {
			yield(perfdump.Span{Size: n, Note: d.reason})
		}
	}
}

// appendCount appends "1 counter" or "2 counters".
func appendCount[T int | int64](dst []byte, n T, what string) []byte {
	dst = append(append(strconv.AppendInt(dst, int64(n), 10), ' '), what...)
	last := len(dst) - 1
	switch {
	case n == 1, dst[last] == 's': // one series, two series
		return dst
	case dst[last] == 'y':
		return append(dst[:last], "ies"...)
	default:
		return append(dst, 's')
	}
}

func appendHex(dst []byte, v uint64) []byte {
	return strconv.AppendUint(append(dst, "0x"...), v, 16)
}

func appendRange(dst []byte, from, to int64) []byte {
	return appendHex(append(appendHex(dst, uint64(from)), ".."...), uint64(to))
}

package perfstrings

import (
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// Options says how to read a file. The zero Options is for files as lodctr
// writes them.
type Options struct {
	Mode   perfdump.Mode
	Limits perfdump.Limits
	// CodePage is the page of a file that is neither UTF-16 nor UTF-8; 0 means
	// 1252. 1200 forces UTF-16LE, 65001 UTF-8.
	CodePage uint32
}

// File is a backup. It never changes; its methods are safe for concurrent use.
type File struct {
	text      *textlines.Text
	loose     bool // LF ends lines too
	perflib   Perflib
	languages []Language
	strings   []section // of strings, by language and place
	providers int
	anomalies perfdump.Anomalies
}

// maxLine bounds the memory that decoding a line takes.
const maxLine = 1 << 20

// Number is a value of a section.
type Number struct {
	Value uint32
	Given bool // the section has it, and it is a number
	Line  int  // from 1; 0 in what no file was read from
}

// NumberOf returns v as a value that is given.
func NumberOf(v uint32) Number { return Number{Value: v, Given: true} }

// Perflib is the section of that name: what the indexes of the machine go up
// to.
type Perflib struct {
	Line        int // of the section, from 1; 0 where there is none
	BaseIndex   Number
	LastCounter Number
	LastHelp    Number
}

// Provider is a section PERF_<service>: the indexes of a service's counters.
type Provider struct {
	Name         string // of the service
	Line         int    // of the section, from 1
	FirstCounter Number
	FirstHelp    Number
	LastCounter  Number
	LastHelp     Number
	Disabled     Number // Disable Performance Counters
}

// Language is the texts of a language, in one section PerfStrings_<id> or in
// several.
type Language struct {
	ID    string // as spelled first: "009", "00C"
	Line  int    // of the first section, from 1
	Count int    // of entries, those of names and help texts together
}

// Parse reads a backup. The File refers to b, which must not change.
//
// The errors are ErrEmpty, ErrBigEndian, ErrLimit for more than 1 GiB
// or a line above 1 MiB, ErrSyntax where no section is one of a backup, and in strict mode the first
// anomaly.
// Anything else can be read, with anomalies. Salvage mode is as tolerant.
//
// It takes a few passes over the lines, and eight bytes an entry while it
// runs; twelve a section of strings stay.
func Parse(b []byte, o Options) (*File, error) {
	if len(b) == 0 {
		return nil, perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "there are no bytes")
	}
	f := &File{}
	var err error
	if f.text, err = textlines.New(b, textlines.Options{CodePage: o.CodePage, OnlyCRLF: true}); err != nil {
		return nil, err
	}
	if f.text.Len() == 1 && f.text.Line(1).EOL() == "" && f.enc().Index(b, '\n') >= 0 {
		// Somebody's editor has saved it.
		f.loose = true
		if f.text, err = textlines.NewIn(b, f.enc(), textlines.Options{}); err != nil {
			return nil, err
		}
	}
	f.anomalies.Reset(o.Limits.MaxAnomalies())
	for l := range f.text.All() {
		if len(l.Raw) > maxLine {
			return nil, perfdump.NewError(perfdump.CodeLimit, int64(l.Off), levels.Root().At(0, l.Number-1), "a line of %d bytes; the limit is %d", len(l.Raw), maxLine)
		}
	}
	j := &judge{f: f}
	if !j.collect() {
		return nil, perfdump.NewError(perfdump.CodeSyntax, 0, perfdump.Path{}, "no backup of counter names: none of its sections is [Perflib], [PERF_…] or [PerfStrings_…]")
	}
	j.tell()
	if kept := f.anomalies.Kept(); o.Mode == perfdump.Strict && len(kept) > 0 {
		return nil, kept[0].Err()
	}
	return f, nil
}

func (f *File) enc() textlines.Encoding { return f.text.Encoding() }

// Encoding returns the word for how the file is written: "utf-16le" as lodctr
// does it, "utf-16le-bom", "utf-8", "utf-8-bom", "cp1252".
func (f *File) Encoding() string { return f.enc().Name() }

// CodePage returns the number of the encoding: 1200 for UTF-16LE, 65001 for
// UTF-8.
func (f *File) CodePage() uint32 { return f.enc().CodePage() }

// OnlyCRLF reports whether CR LF alone ends a line, as it should; LF does too
// where no line ends in CR LF.
func (f *File) OnlyCRLF() bool { return !f.loose }

// AppendBinary appends the file to dst, byte by byte as it was read. The error
// is always nil; it is there for encoding.BinaryAppender.
func (f *File) AppendBinary(dst []byte) ([]byte, error) { return append(dst, f.text.Bytes()...), nil }

// Perflib returns the values of the machine.
func (f *File) Perflib() Perflib { return f.perflib }

// Languages returns the languages that the file has, in the order of their
// first sections. The slice belongs to f.
func (f *File) Languages() []Language { return f.languages }

// NumProviders returns how many sections of providers there are.
func (f *File) NumProviders() int { return f.providers }

// NumLines returns how many lines the file has. A text that holds line feeds is
// one of them.
func (f *File) NumLines() int { return f.text.Len() }

// Anomalies returns what is odd about the file. It belongs to f.
func (f *File) Anomalies() *perfdump.Anomalies { return &f.anomalies }

// parseIndex reads one to ten digits that fit 32 bits.
func parseIndex(s string) (uint32, bool) {
	if s == "" || len(s) > 10 || s[0] == '+' {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 32)
	return uint32(n), err == nil
}

// languageOf returns the number of a language that is spelled as three or four
// hex digits.
func languageOf(s string) (uint32, bool) {
	if len(s) < 3 || len(s) > 4 || strings.Trim(strings.ToLower(s), "0123456789abcdef") != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 16, 32)
	return uint32(n), err == nil
}

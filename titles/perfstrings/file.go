package perfstrings

import (
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// File is a backup. It never changes; its methods are safe for concurrent use.
type File struct {
	text      *textlines.Text
	loose     bool // LF ends lines too
	perflib   Perflib
	languages []Language
	entries   map[uint32][]int32 // their lines, by the number of the language
	providers []int32            // their lines
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

// Parse reads a backup. The File refers to b, which must not change. The errors are
// ErrEmpty, ErrBigEndian, ErrLimit for more than 1 GiB or a line above 1 MiB,
// ErrSyntax if no section is one of a backup, and in strict mode the first anomaly.
// Salvage mode is the same as tolerant.
func Parse(b []byte, o perfdump.Options) (*File, error) {
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
	c := &checker{f: f, providers: map[string]int{}, indexes: map[uint64]int{}, seen: map[string]bool{}}
	if err := f.read(c); err != nil {
		return nil, err
	}
	c.check()
	if kept := f.anomalies.Kept(); o.Mode == perfdump.Strict && len(kept) > 0 {
		return nil, kept[0].Err()
	}
	return f, nil
}

// read fills in what the file has, and for c how often it has what may be
// repeated.
func (f *File) read(c *checker) error {
	f.entries = map[uint32][]int32{}
	at := map[uint32]int{} // the place of a language
	known := false
	for w, p := range f.lines() {
		if len(p.Raw) > maxLine {
			return perfdump.NewError(perfdump.CodeLimit, int64(p.Off), levels.Root().At(0, p.Number-1), "a line of %d bytes; the limit is %d", len(p.Raw), maxLine)
		}
		known = known || p.section != sectionNone && p.section != sectionUnknown
		switch begins := p.kind == lineSection; {
		case !begins && p.kind != linePair:
		case begins && p.section == sectionPerflib && f.perflib.Line == 0:
			f.perflib.Line = p.Number
		case begins && p.section == sectionProvider:
			f.providers = append(f.providers, int32(p.Number))
			c.providers[strings.ToLower(p.name)]++
		case begins && p.section == sectionStrings:
			if _, ok := at[p.lang]; !ok {
				at[p.lang] = len(f.languages)
				f.languages = append(f.languages, Language{ID: p.name, Line: p.Number})
			}
		case begins:
		case p.section == sectionPerflib:
			w.take(p, f.perflib.numbers())
		case p.section == sectionStrings:
			if index, ok := w.index(p); ok {
				f.languages[at[p.lang]].Count++
				f.entries[p.lang] = append(f.entries[p.lang], int32(p.Number))
				c.indexes[uint64(p.lang)<<32|uint64(index)]++
			}
		}
	}
	if !known {
		return perfdump.NewError(perfdump.CodeSyntax, 0, perfdump.Path{}, "no backup of counter names: none of its sections is [Perflib], [PERF_…] or [PerfStrings_…]")
	}
	return nil
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
func (f *File) NumProviders() int { return len(f.providers) }

// NumLines returns how many lines the file has. A text that holds line feeds is
// one of them.
func (f *File) NumLines() int { return f.text.Len() }

// Anomalies returns the anomalies of the file. It belongs to f.
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

package registry

import (
	"errors"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/internal/wire"
)

// Version is the first line of a .reg file.
type Version uint8

// The versions there are.
const (
	Version5 Version = iota // Windows Registry Editor Version 5.00
	Regedit4                // of Windows 95 and NT 4: text in hex is in a code page
)

var headers = [...]string{Version5: "Windows Registry Editor Version 5.00", Regedit4: "REGEDIT4"}

// String returns the line that a file of the version begins with.
func (v Version) String() string { return headers[v] }

// Reg is a .reg file. It keeps the file and where its lines are; what they mean
// is found when it is asked for. It never changes, so that any number of
// goroutines may read it.
type Reg struct {
	text      *textlines.Text
	ansi      textlines.Encoding // of text in hex, where the version has it in a code page
	version   Version
	first     int // the line of the header
	mode      perfdump.Mode
	limits    perfdump.Limits
	anomalies perfdump.Anomalies
}

// ParseReg reads a .reg file. b must not change while the Reg is in use.
//
// What Windows passes over, a line that is nothing or a value whose data are
// not right, is an anomaly, and in strict mode an error. The errors are a
// *perfdump.FormatError: no bytes, a first line that is no header, an encoding
// that is not read. It costs two passes, and memory for the places of lines, a
// sixteenth of the input at most.
func ParseReg(b []byte, o Options) (*Reg, error) {
	if len(b) == 0 {
		return nil, perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "no bytes")
	}
	text, err := textlines.New(b, textlines.Options{CodePage: o.CodePage})
	if err != nil {
		return nil, formatError(err)
	}
	r := &Reg{text: text, mode: o.Mode, limits: o.Limits}
	r.anomalies.Reset(o.Limits.MaxAnomalies())
	if err := r.header(); err != nil {
		return nil, err
	}
	r.ansi = text.Encoding()
	if r.ansi.IsUTF16() || r.ansi.IsUTF8() { // saved anew: the bytes in hex are as they were
		page := o.CodePage
		if page == 0 || page == 1200 || page == 65001 {
			page = 1252
		}
		if r.ansi, err = textlines.CodePage(page); err != nil {
			return nil, formatError(err)
		}
	}
	p := r.parser()
	p.told = &r.anomalies
	for range p.entries() { // for the anomalies
	}
	if o.Mode == perfdump.Strict && r.anomalies.Len() > 0 {
		return nil, r.anomalies.Kept()[0].Err()
	}
	return r, nil
}

func formatError(err error) error {
	var fe *perfdump.FormatError
	if errors.As(err, &fe) {
		return fe
	}
	return &perfdump.FormatError{Code: perfdump.CodeSyntax, Off: -1, Err: err}
}

// header finds the first line that is not blank.
func (r *Reg) header() error {
	var buf []byte
	for l := range r.text.All() {
		line := l.Decode(&buf)
		text := trim(line)
		if len(text) == 0 {
			continue
		}
		i := slices.Index(headers[:], string(text))
		if i < 0 {
			return perfdump.NewError(perfdump.CodeSignature, int64(l.Off), lineAt(l.Number), "the first line is %q, neither %q nor %q", clip(text), headers[0], headers[1])
		}
		r.version, r.first = Version(i), l.Number
		if l.Number > 1 || len(text) < len(line) {
			r.anomalies.Add(perfdump.NewAnomaly(CodeHeaderPlace, int64(l.Off), lineAt(l.Number), "the header has blanks around it, or empty lines before it"))
		}
		return nil
	}
	return perfdump.NewError(perfdump.CodeSignature, 0, perfdump.Path{}, "no line has any text; want %q or %q", headers[0], headers[1])
}

func lineAt(number int) perfdump.Path { return levels.Root().At(0, number-1) }

// clip returns as much of a line as an error can show.
func clip(b []byte) []byte { return b[:min(len(b), 60)] }

// Version returns the version that the header tells.
func (r *Reg) Version() Version { return r.version }

// Encoding returns the word for how the file is written: "utf-16le-bom",
// "cp1252".
func (r *Reg) Encoding() string { return r.text.Encoding().Name() }

// Text returns the lines of the file, all of them.
func (r *Reg) Text() *textlines.Text { return r.text }

// Anomalies returns what is odd in the file. It belongs to r.
func (r *Reg) Anomalies() *perfdump.Anomalies { return &r.anomalies }

// AppendBinary appends the file to dst, byte by byte as it was read. The error
// is always nil; it is there for encoding.BinaryAppender.
func (r *Reg) AppendBinary(dst []byte) ([]byte, error) { return append(dst, r.text.Bytes()...), nil }

// Spans yields what each byte of the file means: a span for each line with its
// end, and one for a byte order mark.
func (r *Reg) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		enc := r.text.Encoding()
		kind, page := enc.Kind()
		s := wire.NewTextSpans(page, yield)
		s.To(int64(len(enc.BOM())), perfdump.KindHex, levels.Root().Field("BOM"), "")
		for l := range r.text.All() {
			if s.To(int64(l.Off+l.Size()), kind, lineAt(l.Number), ""); s.Done() {
				return
			}
		}
	}
}

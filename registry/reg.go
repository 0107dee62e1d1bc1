package registry

import (
	"errors"
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// Version is the first line of a .reg file.
type Version uint8

// The versions.
const (
	Version5 Version = iota // Windows Registry Editor Version 5.00
	Regedit4                // of Windows 95 and NT 4: text in hex is in a code page
)

var headers = [...]string{Version5: "Windows Registry Editor Version 5.00", Regedit4: "REGEDIT4"}

// String returns the first line of a file of the version.
func (v Version) String() string { return headers[v] }

// Reg is a .reg file. It keeps the file and the positions of its lines, which are
// interpreted on each call. It never changes: it is safe for concurrent use.
type Reg struct {
	text      *textlines.Text
	ansi      textlines.Encoding // of text in hex, where the version has it in a code page
	version   Version
	header    int     // its line
	keys      []int32 // the lines of the keys
	mode      perfdump.Mode
	anomalies perfdump.Anomalies
}

// ParseReg reads a .reg file. b must not change while the Reg is in use. What Windows
// skips, such as a value with invalid data, is an anomaly, and in strict mode an error. The
// error is a *perfdump.FormatError: an empty file, an invalid first line, an unsupported
// encoding.
func ParseReg(b []byte, o perfdump.Options) (*Reg, error) {
	if len(b) == 0 {
		return nil, perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "the input is empty")
	}
	text, err := textlines.New(b, textlines.Options{CodePage: o.CodePage})
	if err != nil {
		return nil, formatError(err)
	}
	r := &Reg{text: text, mode: o.Mode}
	r.anomalies.Reset(o.Limits.MaxAnomalies())
	if err := r.findHeader(); err != nil {
		return nil, err
	}
	r.ansi = text.Encoding()
	if r.ansi.IsUTF16() || r.ansi.IsUTF8() { // saved again by an editor: the bytes in hex are as they were
		page := o.CodePage
		if page == 0 || page == 1200 || page == 65001 {
			page = 1252
		}
		if r.ansi, err = textlines.CodePage(page); err != nil {
			return nil, formatError(err)
		}
	}
	for e := range r.entries(&r.anomalies) {
		if e.Key {
			r.keys = append(r.keys, int32(e.Line))
		}
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

func (r *Reg) findHeader() error {
	var buf []byte
	for l := range r.text.All() {
		line := l.Decode(&buf)
		text := trim(line)
		if len(text) == 0 {
			continue
		}
		i := slices.Index(headers[:], string(text))
		if i < 0 {
			return perfdump.NewError(perfdump.CodeSignature, int64(l.Off), l.Path(), "the first line is %q; %q or %q is expected", text[:min(len(text), 60)], headers[0], headers[1])
		}
		r.version, r.header = Version(i), l.Number
		if l.Number > 1 || len(text) < len(line) {
			r.anomalies.Add(l.Anomaly(codeHeaderPlace, 0, "the header has blanks around it, or empty lines before it", 0))
		}
		return nil
	}
	return perfdump.NewError(perfdump.CodeSignature, 0, perfdump.Path{}, "the file has no text; %q or %q is expected", headers[0], headers[1])
}

func lineAt(number int) perfdump.Path { return levels.Root().At(0, number-1) }

// Version returns the version in the header.
func (r *Reg) Version() Version { return r.version }

// Encoding returns the name of the encoding: "utf-16le-bom", "cp1252".
func (r *Reg) Encoding() string { return r.text.Encoding().Name() }

// NumLines returns the number of lines.
func (r *Reg) NumLines() int { return r.text.Len() }

// Anomalies returns the anomalies of the file. They belong to r.
func (r *Reg) Anomalies() *perfdump.Anomalies { return &r.anomalies }

// AppendBinary appends the file to dst, byte by byte as it was read. The error
// is always nil; it is there for encoding.BinaryAppender.
func (r *Reg) AppendBinary(dst []byte) ([]byte, error) { return append(dst, r.text.Bytes()...), nil }

// Bytes returns the file as it was read. It belongs to r.
func (r *Reg) Bytes() []byte { return r.text.Bytes() }

// Spans yields the meaning of each byte of the file: a span for each line with
// its end, and one for a byte order mark.
func (r *Reg) Spans() iter.Seq[perfdump.Span] {
	kind, _ := r.text.Encoding().Kind()
	return r.text.Spans(func(dst []textlines.Part, l textlines.Line) []textlines.Part {
		return append(dst, textlines.Part{End: l.Size(), Kind: kind})
	})
}

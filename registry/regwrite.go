package registry

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/internal/wire"
)

// maxHexLine is the length at which regedit continues bytes in the next line.
const maxHexLine = 77

// AppendReg appends a new .reg file to dst as regedit exports keys: version 5 in
// UTF-16LE with a byte order mark, CR LF, lines of 80 columns. Paths must begin
// with the full name of a root. The error has code "syntax", for a path or name
// that no line can hold; then dst is returned unchanged.
func AppendReg(dst []byte, keys ...Key) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	if err := WriteReg(out, keys...); err != nil {
		return dst, err
	}
	return out.Bytes(), nil
}

// WriteReg writes the output of [AppendReg] in parts: a table of names becomes six times as
// long. If one of the errors of AppendReg occurs, nothing was written; other errors are
// those of to.
func WriteReg(to io.Writer, keys ...Key) error {
	names := speller{enc: textlines.UTF16(true), put: func([]byte) {}}
	for i := range keys {
		names.key(keys[i].Path())
		for j := range keys[i].Values {
			names.value(&Value{Name: keys[i].Values[j].Name}, valueHead(keys[i].Values[j].Name), "")
		}
	}
	if names.err != nil {
		return names.err
	}
	out := bufio.NewWriterSize(to, 64<<10)
	_, _ = out.WriteString(names.enc.BOM()) // its error stays
	s := speller{enc: names.enc, put: func(raw []byte) {
		raw, _ = names.enc.Encode(raw, "\r\n")
		_, _ = out.Write(raw)
	}}
	s.line(headers[Version5])
	for i := range keys {
		s.line("")
		s.key(keys[i].Path())
		for j := range keys[i].Values {
			v := &keys[i].Values[j]
			s.value(v, valueHead(v.Name), "")
		}
	}
	s.line("")
	return out.Flush()
}

// NewKey returns a key for [AppendReg].
func NewKey(path string, values ...Value) Key { return Key{base: path, Values: values} }

// speller writes keys and values as lines. It keeps the first error.
type speller struct {
	enc     textlines.Encoding
	version Version
	ansi    textlines.Encoding // of text in hex, where the version has it in a code page
	put     func(raw []byte)   // takes each line, without its end
	err     error
}

func (w *speller) line(text string) {
	raw, ok := w.enc.Encode(nil, text)
	if !ok {
		w.fail("the text %.40q cannot be written in %s", text, w.enc.Name())
	}
	if w.err == nil {
		w.put(raw)
	}
}

func (w *speller) fail(format string, args ...any) {
	if w.err == nil {
		w.err = perfdump.NewError(perfdump.CodeSyntax, -1, perfdump.Path{}, format, args...)
	}
}

func (w *speller) key(path string) {
	if !fullRoot([]byte(path)) || strings.ContainsAny(path, "\r\n\x00") {
		w.fail("the key %q cannot be written: it must begin with the full name of a root and have no line ends", path)
	}
	w.line("[" + path + "]")
}

func valueHead(name string) string {
	if name == "" {
		return "@="
	}
	return quote(name) + "="
}

// value writes a value between the text before and after its data.
func (w *speller) value(v *Value, head, tail string) {
	if strings.ContainsAny(v.Name, "\r\n\x00") {
		w.fail("the name %q of a value has a line end or a NUL, which no line can hold", v.Name)
		return
	}
	if text, ok := w.plain(v); ok {
		w.line(head + quote(text) + tail)
		return
	}
	if v.Type == DWORD && len(v.Data) == 4 {
		w.line(fmt.Sprintf("%sdword:%08x%s", head, wire.U32(v.Data, 0), tail))
		return
	}
	head += "hex"
	if v.Type != Binary {
		head += "(" + strconv.FormatUint(uint64(v.Type), 16) + ")"
	}
	w.hex(head+":", w.narrow(v), tail)
}

// narrow returns the bytes of a value as the version writes them in hex.
func (w *speller) narrow(v *Value) []byte {
	if w.version != Regedit4 || !v.Type.text() {
		return v.Data
	}
	b, ok := w.ansi.Encode(nil, wire.UTF16(v.Data))
	if back, _ := w.ansi.Append(nil, b); !ok || !bytes.Equal(wire.EncodeUTF16(nil, string(back)), v.Data) {
		w.fail("the text of %q cannot be written in %s, in which %s has it", v.Name, w.ansi.Name(), headers[Regedit4])
	}
	return b
}

// plain returns the text of a REG_SZ that can be written between quotes: one NUL, at its
// end, no line ends, and only characters of the encoding.
func (w *speller) plain(v *Value) (string, bool) {
	n := wire.IndexNUL16(v.Data)
	if v.Type != SZ || n < 0 || n != len(v.Data)-2 || !wire.ValidUTF16(v.Data) {
		return "", false
	}
	text := wire.UTF16(v.Data[:n])
	_, ok := w.enc.Encode(nil, text)
	return text, ok && !strings.ContainsAny(text, "\r\n")
}

func (w *speller) hex(head string, data []byte, tail string) {
	const digits = "0123456789abcdef"
	b := []byte(head)
	for i, c := range data {
		b = append(b, digits[c>>4], digits[c&15])
		if i == len(data)-1 {
			break
		}
		if b = append(b, ','); len(b) >= maxHexLine {
			w.line(string(append(b, '\\')))
			b = append(b[:0], "  "...)
		}
	}
	w.line(string(append(b, tail...)))
}

var quoter = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quote(s string) string { return `"` + quoter.Replace(s) + `"` }

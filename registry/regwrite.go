package registry

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/internal/wire"
)

// maxHexLine is how long a line of bytes gets before regedit goes on in the
// next; the \ comes after it, so that no line has more than 80 characters but
// for long names.
const maxHexLine = 77

// AppendReg appends a new .reg file to dst, as regedit exports keys: version 5
// in UTF-16LE with a byte order mark, lines that end in CR LF, bytes in lines
// of 80 columns. The paths of the keys must begin with the full name of a root.
//
// The errors are a *perfdump.FormatError with code "syntax", for a path or a
// name of a value that cannot stand in a line; dst is given back as it was.
func AppendReg(dst []byte, keys ...Key) ([]byte, error) {
	w := regWriter{enc: textlines.UTF16(true), eol: "\r\n", dst: dst}
	w.file(keys)
	if w.err != nil {
		return dst, w.err
	}
	return w.dst, nil
}

// WriteReg writes what [AppendReg] appends, part by part: a table of names is six
// times as long in it. The errors are those of AppendReg, and then nothing was
// written, and those of to.
func WriteReg(to io.Writer, keys ...Key) error {
	names := regWriter{enc: textlines.UTF16(true), eol: "\r\n"}
	for i := range keys {
		names.dst = names.dst[:0]
		names.key(keys[i].Path())
		for j := range keys[i].Values {
			names.value(&Value{Name: keys[i].Values[j].Name}, valueHead(keys[i].Values[j].Name), "")
		}
	}
	if names.err != nil {
		return names.err
	}
	w := regWriter{enc: textlines.UTF16(true), eol: "\r\n", to: to}
	w.file(keys)
	w.flush()
	return w.err
}

// file writes a whole file.
func (w *regWriter) file(keys []Key) {
	w.dst = append(w.dst, w.enc.BOM()...)
	w.line(headers[Version5])
	for i := range keys {
		w.line("")
		w.key(keys[i].Path())
		for j := range keys[i].Values {
			v := &keys[i].Values[j]
			w.value(v, valueHead(v.Name), "")
		}
	}
	w.line("")
}

// NewKey returns a key for [AppendReg].
func NewKey(path string, values ...Value) Key { return Key{base: path, Values: values} }

// regWriter writes lines. The first error stays.
type regWriter struct {
	dst     []byte
	enc     textlines.Encoding
	eol     string
	version Version
	ansi    textlines.Encoding // of text in hex, where the version has it in a code page
	to      io.Writer          // nil where dst is wanted
	err     error
}

// flushAt is how much is written at once.
const flushAt = 64 << 10

func (w *regWriter) flush() {
	if w.err == nil {
		_, w.err = w.to.Write(w.dst)
	}
	w.dst = w.dst[:0]
}

func (w *regWriter) line(text string) {
	if w.err == nil {
		var err error
		if w.dst, err = w.enc.AppendLine(w.dst, text, w.eol); err != nil {
			w.err = formatError(err)
		}
	}
	if w.to != nil && len(w.dst) >= flushAt {
		w.flush()
	}
}

func (w *regWriter) fail(format string, args ...any) {
	if w.err == nil {
		w.err = perfdump.NewError(perfdump.CodeSyntax, -1, perfdump.Path{}, format, args...)
	}
}

func (w *regWriter) key(path string) {
	if !fullRoot(path) || strings.ContainsAny(path, "\r\n\x00") {
		w.fail("the key %q cannot be written: it must begin with the full name of a root and have no line ends", path)
	}
	w.line("[" + path + "]")
}

// valueHead is what stands before the data of a value.
func valueHead(name string) string {
	if name == "" {
		return "@="
	}
	return quote(name) + "="
}

// value writes a value between what stands before its data and behind them.
func (w *regWriter) value(v *Value, head, tail string) {
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

// narrow returns the bytes of a value as the version has them in hex.
func (w *regWriter) narrow(v *Value) []byte {
	if w.version != Regedit4 || !v.Type.text() {
		return v.Data
	}
	b, ok := w.ansi.Encode(nil, wire.UTF16(v.Data))
	if back, _ := w.ansi.Append(nil, b); !ok || !bytes.Equal(wire.EncodeUTF16(nil, string(back)), v.Data) {
		w.fail("the text of %q cannot be written in %s, in which %s has it", v.Name, w.ansi.Name(), headers[Regedit4])
	}
	return b
}

// plain returns the text of a REG_SZ that a line between quotes gives back
// as it is: one NUL, at its end, no line ends, and nothing that the encoding
// lacks.
func (w *regWriter) plain(v *Value) (string, bool) {
	n := wire.IndexNUL16(v.Data)
	if v.Type != SZ || n < 0 || n != len(v.Data)-2 || !wire.ValidUTF16(v.Data) {
		return "", false
	}
	text := wire.UTF16(v.Data[:n])
	_, ok := w.enc.Encode(nil, text)
	return text, ok && !strings.ContainsAny(text, "\r\n")
}

// hex writes bytes, as many as regedit does to a line.
func (w *regWriter) hex(head string, data []byte, tail string) {
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

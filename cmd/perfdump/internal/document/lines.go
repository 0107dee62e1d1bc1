package document

import (
	"bytes"
	"encoding"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// lineFile is a file of a format of lines.
type lineFile interface {
	encoding.BinaryAppender
	Encoding() string
}

// linesDocument writes the document of a file of lines: these hold every byte of it
// but the byte order mark, which the name of the encoding says. view is what else
// they mean.
func (w *writer) linesDocument(o *Options, format, name string, f lineFile, how textlines.Options, view object, anomalies *perfdump.Anomalies) error {
	data, err := f.AppendBinary(nil)
	if err != nil {
		return err
	}
	enc, err := textlines.ParseEncoding(f.Encoding())
	if err != nil {
		return err
	}
	t, err := textlines.NewIn(data, enc, how)
	if err != nil {
		return err
	}
	var buf []byte
	return w.document(o, format, name, int64(len(data)), false, append(object{
		{"encoding", enc.Name()},
		{"lines", list(w, " ", t.All(), func(l textlines.Line) any {
			text := l.Decode(&buf)
			// A NUL would end the text where a document is read.
			raw := textOf(l.Raw, string(text), l.Inverts() && bytes.IndexByte(text, 0) < 0)
			return lineFields(l.Number, &raw, &nullable{l.EOL(), true})
		})},
	}, view...), anomalies)
}

func lineFields(number, raw, eol any) object {
	return object{{"line", number}, {"raw", raw}, {"eol", eol}}
}

// lineKeys are those of documents of lines in addition to "lines". All but the encoding
// are a view of the lines.
var lineKeys = []string{
	"encoding", "perflib", "providers", "strings", "driver_name", "symbol_file", "trusted", "languages", "objects", "texts",
	"defines", "version", "keys", "computer", "control_set",
}

// linesReader reads documents of lines, of a format whose new files are in an
// encoding.
func linesReader(canonical textlines.Encoding) *Reader {
	return &Reader{need: []string{"lines"}, keys: lineKeys, read: func(d *decoder, c *canvas) error {
		enc := canonical
		if d.has("encoding") {
			r := d.at("encoding")
			off := r.offset()
			name, err := r.string()
			if err != nil {
				return err
			}
			if enc, err = textlines.ParseEncoding(name); err != nil {
				return r.errorAt(syntax, off, "no text is in the encoding %s; there are utf-16le, utf-16le-bom, utf-8, utf-8-bom, and code pages such as cp1252", quote(name))
			}
		}
		c.out = []byte(enc.BOM())
		open := false // the last line had no end
		r := d.at("lines")
		return r.array(func(int) (err error) {
			if open {
				return r.syntaxError("a line after one that has no end; its eol is empty")
			}
			c.out, open, err = readLine(r, enc, c.out)
			return err
		})
	}}
}

// readLine appends a line to dst, and reports whether it has no end. The order of
// lines counts, not their numbers, so that a line can be put between others.
func readLine(r *reader, enc textlines.Encoding, dst []byte) (out []byte, open bool, err error) {
	var number opt
	var raw bytesOrText
	var eol nullable
	off := r.offset()
	err = r.value(lineFields(place(&number), &raw, func(r *reader) (err error) {
		at := r.offset()
		if eol.s, err = r.string(); err == nil && eol.s != "" && eol.s != "\n" && eol.s != "\r\n" {
			err = r.errorAt(syntax, at, "a line ends in %s; there are \\r\\n, \\n, and nothing for the last", quote(eol.s))
		}
		eol.ok = true
		return err
	}))
	if err != nil {
		return dst, false, err
	}
	missing := func(key string) error { return r.errorAt(syntax, off, "the line has no %s", key) }
	switch {
	case raw.kind == textNone:
		return dst, false, missing("raw")
	case !eol.ok:
		return dst, false, missing("eol")
	}
	dst, ok := raw.append(dst, enc.CodePage())
	if !ok {
		return dst, false, r.errorAt(syntax, off, "%s cannot spell %s", enc.Name(), quote(raw.b))
	}
	dst, _ = enc.Encode(dst, eol.s)
	return dst, eol.s == "", nil
}

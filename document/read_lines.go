package document

import (
	"io"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// linesReader takes the lines of a text format and keeps their bytes. What
// else its documents say is a view of them.
type linesReader struct {
	d     *decoder
	enc   textlines.Encoding // where it is not given, that of the format
	given bool
	begun bool
	open  bool // the last line had no end
	out   stream
	text  []byte

	speller speller
}

var lineKeys = newKeys("line", "raw", "eol")

// linesFormat reports whether the documents of a format are made of lines.
func linesFormat(format string) bool {
	switch format {
	case formatPerfStrings, formatINIFile, formatSymbolH, formatReg:
		return true
	default:
		return false
	}
}

// canonical is how a file of a format is written anew: as lodctr /S does, as
// lodctr wants it, as C is, as regedit does.
func canonical(format string) textlines.Encoding {
	switch format {
	case formatINIFile, formatReg:
		return textlines.UTF16(true)
	case formatSymbolH:
		return textlines.UTF8(false)
	default:
		return textlines.UTF16(false)
	}
}

// takeLines takes a key of such documents and its value.
func (d *decoder) takeLines(off int64, key int) error {
	if d.format == "" || !linesFormat(d.format) || d.keyed != nil {
		d.path = d.path[:0]
		err := d.errorAt(perfdump.CodeSyntax, off, "key %q belongs to documents of lines, whose format has to stand before", topKeys.list[key])
		if d.format == "" {
			return err
		}
		return d.unknownKey(err)
	}
	switch key {
	case topLines:
		return d.lines.take()
	case topEncoding:
		return d.lines.takeEncoding()
	case topGaps:
		return d.syntaxError("a document of lines has no gaps: the lines hold every byte")
	default: // a view
		return d.skip()
	}
}

func (t *linesReader) takeEncoding() error {
	d := t.d
	if t.begun {
		return d.syntaxError("the encoding has to stand before the lines")
	}
	if err := d.text(maxWord); err != nil {
		return err
	}
	enc, err := textlines.ParseEncoding(string(d.str))
	if err != nil {
		return d.syntaxError("no text is in the encoding %s; there are utf-16le, utf-16le-bom, utf-8, utf-8-bom, and code pages such as cp1252", quote(d.str))
	}
	t.enc, t.given = enc, true
	return nil
}

func (t *linesReader) take() error {
	t.begun = true
	if !t.given {
		t.enc = canonical(t.d.format)
	}
	t.out.append([]byte(t.enc.BOM()))
	return t.d.array(func(int) error { return t.takeLine() })
}

func (t *linesReader) takeLine() error {
	const line, raw, eol = 0, 1, 2
	d := t.d
	if t.open {
		return d.syntaxError("a line behind one that has no end; its eol is empty")
	}
	var seen fields
	var kind textKind
	end := ""
	t.text = t.text[:0]
	err := d.object(lineKeys, &seen, func(key int) (err error) {
		switch key {
		case line: // the order counts, so that a line can be put in between
			_, err = d.unsigned(maxSize)
		case raw:
			kind, t.text, err = d.takeText(t.text)
		case eol:
			if err = d.text(maxWord); err != nil {
				return err
			}
			if end = string(d.str); end != "" && end != "\n" && end != "\r\n" {
				err = d.syntaxError("a line ends in %s; there are \\r\\n, \\n, and nothing for the last", quote(d.str))
			}
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case kind == textNone:
		return d.syntaxError("the line has no raw")
	case !seen.has(eol):
		return d.syntaxError("the line has no eol")
	case kind == textHex:
		t.out.append(t.text)
	case !t.speller.encode(t.enc.CodePage(), t.text, func(b []byte) bool { t.out.append(b); return true }):
		return d.syntaxError("%s cannot spell %s", t.enc.Name(), quote(t.text))
	}
	t.open = end == ""
	b, _ := t.enc.Encode(nil, end)
	t.out.append(b)
	return nil
}

func (t *linesReader) write(w io.Writer) error {
	for r := t.out.reader(); r.more(); {
		if _, err := w.Write(r.take(chunkSize)); err != nil {
			return err
		}
	}
	return t.out.err
}

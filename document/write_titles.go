package document

import (
	"bytes"
	"cmp"
	"io"
	"strconv"

	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/titles"
)

// Titles is a table of names. The table is what titles.Parse, or ParseText,
// makes of Data.
type Titles struct {
	Name  string // its name
	Data  []byte // its bytes, unpacked
	Table *titles.Table
}

// WriteTitles writes the document of a table of names to w. It has gaps only
// where the entries alone do not encode to Data. The only error is one of w.
func WriteTitles(w io.Writer, in Titles, o Options) error {
	d := &titlesWriter{printer: newPrinter(w), in: in, enc: in.Table.Encoding()}
	if !d.enc.UTF16() {
		d.page = d.enc.CodePage
	}
	d.describe(o)
	d.str(`{"format":"titles","file":`, in.Name)
	d.int(`,"size":`, int64(len(in.Data)))
	d.str(`,"encoding":`, encodingName(d.enc))
	d.raw(`,"entries":[`)
	n := 0
	for e := range in.Table.Entries() {
		if n++; n > 1 {
			d.raw(",")
		}
		if d.entry(e); !d.ok() {
			return d.err
		}
	}
	d.raw("],")
	if whole, err := titles.Append(nil, d.enc, in.Table.Entries()); err != nil || !bytes.Equal(whole, in.Data) {
		d.raw(`"gaps":[`)
		d.gaps()
		d.raw("],")
	}
	d.anomalies(o.Limits.MaxAnomalies(), in.Table.Anomalies())
	d.flush()
	return d.err
}

type titlesWriter struct {
	*printer
	in      Titles
	enc     titles.Encoding
	page    uint32 // 0 is UTF-16
	head    string // of each entry
	speller speller
}

// DefaultLanguage is the language of tables that nothing else is known of:
// English.
const DefaultLanguage = "009"

// describe makes what is the same in all entries: language and kind.
func (d *titlesWriter) describe(o Options) {
	kind, language := d.in.Table.Kind(), o.Language
	if named, k, ok := titles.ParseDatName(d.in.Name); ok {
		kind = k
		language = cmp.Or(language, named)
	}
	if o.Kind != nil {
		kind = *o.Kind
	}
	head := appendString([]byte("\n {\"language\":"), cmp.Or(language, DefaultLanguage))
	head = appendString(append(head, `,"kind":`...), kind.String())
	d.head = string(append(head, `,"index":`...))
}

// encodingName is the word for an encoding.
func encodingName(e titles.Encoding) string {
	switch {
	case e.UTF16() && e.BOM:
		return "utf-16le-bom"
	case e.UTF16():
		return "utf-16le"
	case e.CodePage == pageUTF8:
		return "utf-8"
	default:
		return "cp" + strconv.FormatUint(uint64(e.CodePage), 10)
	}
}

const pageUTF8 = 65001

func (d *titlesWriter) entry(e titles.Entry) {
	d.raw(d.head)
	if e.Off < 0 { // of a list, whose bytes are all in gaps
		writeString(d.printer, e.IndexText)
		d.str(`,"text":`, e.Text)
		d.raw(`,"offset":null}`)
		return
	}
	index, text, _ := d.rawEntry(e.Off)
	d.text(index, e.IndexText)
	d.raw(`,"text":`)
	d.text(text, e.Text)
	d.int(`,"offset":`, e.Off)
	d.raw("}")
}

// text writes a string, as hex where it does not encode back.
func (d *titlesWriter) text(raw []byte, s string) {
	text(d.printer, raw, s, d.speller.whole(raw, d.page, s))
}

// rawEntry returns the bytes of the entry at off, and where it ends with its
// NULs.
func (d *titlesWriter) rawEntry(off int64) (index, text []byte, end int64) {
	index, at := d.rawString(off)
	text, end = d.rawString(at)
	return index, text, end
}

// rawString returns the bytes of the string at off without its NUL, and where
// it ends with it.
func (d *titlesWriter) rawString(off int64) (s []byte, end int64) {
	b := d.in.Data[off:]
	var n int
	if d.page == 0 {
		b = b[:len(b)&^1]
		n = wire.IndexNUL16(b)
	} else {
		n = bytes.IndexByte(b, 0)
	}
	if n < 0 {
		return b, off + int64(len(b))
	}
	return b[:n], off + int64(n+unit(d.page))
}

// gaps writes what no entry holds.
func (d *titlesWriter) gaps() {
	g := &gapWriter{printer: d.printer, data: d.in.Data}
	if d.enc.BOM {
		g.field(0, 2)
	}
	for e := range d.in.Table.Entries() {
		if e.Off < 0 {
			break
		}
		_, _, end := d.rawEntry(e.Off)
		if g.field(e.Off, end-e.Off); !d.ok() {
			return
		}
	}
	g.field(int64(len(g.data)), 0)
	if g.n > 0 {
		d.raw("\n")
	}
}

package document

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/titles"
)

// DefaultLanguage is the language of tables that nothing else is known of:
// English.
const DefaultLanguage = "009"

const pageUTF8 = 65001

// entryDoc is an entry of a table of names.
type entryDoc struct {
	language, kind nullable
	index, text    bytesOrText
	offset         opt
	nowhere        bool // of a list, whose bytes are all in gaps
}

func (e *entryDoc) fields(offset any) object {
	return object{{"language", &e.language}, {"kind", &e.kind}, {"index", &e.index}, {"text", &e.text}, {"offset", offset}}
}

// WriteTitles writes the document of a table of names, which is parsed from data,
// to w. It has gaps only where the entries alone do not encode to data. The only
// error is one of w.
func WriteTitles(to io.Writer, name string, data []byte, t *titles.Table, o Options) error {
	w := newWriter(to)
	enc := t.Encoding()
	page := enc.CodePage
	if enc.UTF16() {
		page = 0
	}
	kind, language := t.Kind(), o.Language
	if named, k, ok := titles.ParseDatName(name); ok {
		kind, language = k, cmp.Or(language, named)
	}
	if o.Kind != nil {
		kind = *o.Kind
	}
	doc := entryDoc{language: nullable{cmp.Or(language, DefaultLanguage), true}, kind: nullable{kind.String(), true}}
	entries := list(w, " ", t.Entries(), func(e titles.Entry) any {
		if e.Off < 0 {
			doc.index, doc.text = textOf(nil, e.IndexText, true), textOf(nil, e.Text, true)
			return doc.fields(nil)
		}
		index, text, _ := rawEntry(data, e.Off, page)
		doc.index, doc.text = wholeOf(index, page, e.IndexText), wholeOf(text, page, e.Text)
		return doc.fields(e.Off)
	})
	var gaps any = absent{}
	if whole, err := titles.Append(nil, enc, t.Entries()); err != nil || !bytes.Equal(whole, data) {
		gaps = gapsOf(w, data, func(h *holes) {
			if enc.BOM {
				h.field(0, 2)
			}
			for e := range t.Entries() {
				if e.Off < 0 {
					break
				}
				_, _, end := rawEntry(data, e.Off, page)
				h.field(e.Off, end-e.Off)
			}
		})
	}
	return w.document(&o, "titles", name, int64(len(data)), false, object{{"encoding", encodingName(enc)}, {"entries", entries}, {"gaps", gaps}}, t.Anomalies())
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

// rawEntry returns the bytes of the two strings of the entry at off, without
// their NULs, and where the entry ends with them.
func rawEntry(data []byte, off int64, page uint32) (index, text []byte, end int64) {
	index, end = rawString(data, off, page)
	text, end = rawString(data, end, page)
	return index, text, end
}

func rawString(data []byte, off int64, page uint32) (s []byte, end int64) {
	b := data[off:]
	n := bytes.IndexByte(b, 0)
	if page == 0 {
		b = b[:len(b)&^1]
		n = wire.IndexNUL16(b)
	}
	if n < 0 {
		return b, off + int64(len(b))
	}
	return b[:n], off + int64(n+unit(page))
}

// titlesReader reads the entries of a table of names.
type titlesReader struct {
	*reader
	c     *canvas
	page  uint32 // 0 is UTF-16
	bom   bool
	at    int64 // the end of the last entry and its NUL
	where []extent
	gaps  bool
}

// titles reads a table of names. Without gaps its entries are written one
// after the other.
func (d *decoder) titles(c *canvas) error {
	t := &titlesReader{reader: d.at("entries"), c: c, gaps: d.hasGaps}
	if d.has("encoding") {
		if err := t.encoding(d.at("encoding")); err != nil {
			return err
		}
	}
	if t.bom {
		if err := c.put(0, []byte{0xFF, 0xFE}); err != nil {
			return err
		}
		t.at = 2
	}
	if err := t.array(func(int) error { return t.entry() }); err != nil {
		return err
	}
	if d.hasGaps {
		slices.SortFunc(t.where, func(a, b extent) int { return cmp.Compare(a.off, b.off) })
		for i := 1; i < len(t.where); i++ {
			if t.where[i].off < t.where[i-1].end {
				return misfit(t.where[i].off, "entries", "an entry begins inside another, which ends at 0x%x", t.where[i-1].end)
			}
		}
		return d.finish(c)
	}
	nul := make([]byte, unit(t.page))
	c.out = append(c.out, nul...)
	if b := c.out; t.page != 0 && len(b)%2 == 0 && len(b) >= 4 && b[1] == 0 && b[3] == 0 {
		c.out = append(c.out, nul...) // else it would be read as UTF-16
	}
	return nil
}

func (t *titlesReader) encoding(r *reader) error {
	off := r.offset()
	name, err := r.string()
	if err != nil {
		return err
	}
	switch name {
	case "utf-16le":
	case "utf-16le-bom":
		t.bom = true
	case "utf-8":
		t.page = pageUTF8
	default:
		digits, cp := strings.CutPrefix(name, "cp")
		page, err := strconv.ParseUint(digits, 10, 32)
		p, known := wire.LookupCodePage(uint32(page))
		if !cp || err != nil || !known || !p.ASCII() {
			return r.errorAt(syntax, off, "no table of names is in the encoding %s; there are utf-16le, utf-16le-bom, utf-8, and code pages such as cp1252", quote(name))
		}
		t.page = uint32(page)
	}
	return nil
}

func (t *titlesReader) entry() error {
	var e entryDoc
	from := t.offset()
	fields := e.fields(func(r *reader) (err error) { // null in lists
		if e.nowhere, err = r.null(); err == nil && !e.nowhere {
			err = r.value(place(&e.offset))
		}
		return err
	})
	fields[2].value = func(r *reader) error {
		off := r.offset()
		err := r.value(&e.index)
		if err == nil && e.index.kind == textString && !isIndex(e.index.b) {
			err = r.errorAt(syntax, off, "%s is no index, which has 1 to 10 digits and is below 2^32", quote(e.index.b))
		}
		return err
	}
	err := t.value(fields)
	switch {
	case err != nil:
		return err
	case e.index.kind == textNone:
		return t.errorAt(syntax, from, "the entry has no index")
	case e.text.kind == textNone:
		return t.errorAt(syntax, from, "the entry has no text")
	}
	nul := make([]byte, unit(t.page))
	var b []byte
	for i, s := range []*bytesOrText{&e.index, &e.text} {
		var ok bool
		if b, ok = s.append(b, t.page); !ok {
			return t.errorAt(syntax, from, "code page %d cannot spell %s", t.page, quote(s.b))
		}
		if i == 0 {
			b = append(b, nul...)
		}
	}
	switch {
	case !t.gaps:
		t.c.out = append(append(t.c.out, b...), nul...)
		return nil
	case e.nowhere:
		return nil
	}
	off := e.offset.or(t.at)
	end := off + int64(len(b))
	if err := t.c.put(off, b); err != nil {
		if wire.AsFormatError(err).Code == perfdump.CodeLength {
			err = misfit(off, "entries", "an entry begins inside another")
		}
		return err
	}
	// The NUL after a text is soft: the last one of a file may not be there.
	t.where = append(t.where, extent{off, end})
	t.at = end + int64(len(nul))
	t.c.fillIn(end, t.at)
	return nil
}

func isIndex(b []byte) bool {
	n, err := strconv.ParseUint(string(b), 10, 32)
	return err == nil && len(b) <= 10 && n <= 1<<32-1 && b[0] != '+'
}

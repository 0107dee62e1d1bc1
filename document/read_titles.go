package document

import (
	"cmp"
	"io"
	"strconv"

	"github.com/perfdump/perfdump/internal/wire"
)

// titlesReader takes the entries of a table of names.
type titlesReader struct {
	d     *decoder
	page  uint32 // 0 is UTF-16
	bom   bool
	begun bool

	digits, text []byte // of the entry at hand
	speller      speller

	n  int
	at int64 // the end of the last entry

	// entries are their indexes, each with its NUL, and their texts. The NUL
	// behind a text is soft, since the last one of a file may not be there.
	entries segments
	soft    extents
}

const (
	inSequence = -1 // the place of an entry that is not given
	noBytes    = -2 // that of one that has null for it
)

var utf16BOM = []byte{0xFF, 0xFE}

func (t *titlesReader) takeEncoding() error {
	d := t.d
	if t.begun {
		return d.syntaxError("the encoding has to stand before the entries")
	}
	if err := d.text(maxWord); err != nil {
		return err
	}
	name := string(d.str)
	switch {
	case name == "utf-16le":
	case name == "utf-16le-bom":
		t.bom = true
	case name == "utf-8":
		t.page = pageUTF8
	default:
		var page uint64
		err := strconv.ErrSyntax
		if len(name) > 2 && name[:2] == "cp" {
			page, err = strconv.ParseUint(name[2:], 10, 32)
		}
		p, known := wire.LookupCodePage(uint32(page))
		if err != nil || !known || !p.ASCII() {
			return d.syntaxError("no table of names is in the encoding %s; there are utf-16le, utf-16le-bom, utf-8, and code pages such as cp1252", quote(d.str))
		}
		t.page = uint32(page)
	}
	return nil
}

func (t *titlesReader) take() error {
	t.begun = true
	if t.bom {
		from := t.entries.data.here()
		t.entries.data.append(utf16BOM)
		t.add(0, int64(len(utf16BOM)), from)
	}
	return t.d.array(func(int) error { return t.takeEntry() })
}

func (t *titlesReader) takeEntry() error {
	const language, kind, index, text, offset = 0, 1, 2, 3, 4
	d := t.d
	off := int64(inSequence)
	var seen fields
	var indexKind, textKind textKind
	t.digits, t.text = t.digits[:0], t.text[:0]
	err := d.object(entryKeys, &seen, func(key int) (err error) {
		switch key {
		case language, kind:
			err = d.skipName()
		case index:
			if indexKind, t.digits, err = d.takeText(t.digits); err == nil && indexKind == textString && !isIndex(t.digits) {
				err = d.syntaxError("%s is no index, which has 1 to 10 digits and is below 2^32", quote(t.digits))
			}
		case text:
			textKind, t.text, err = d.takeText(t.text)
		case offset:
			off, err = d.entryOffset()
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case indexKind == textNone:
		return d.syntaxError("the entry has no index")
	case textKind == textNone:
		return d.syntaxError("the entry has no text")
	}
	from, n := t.entries.data.here(), int64(0)
	put := func(b []byte) bool {
		t.entries.data.append(b)
		n += int64(len(b))
		return true
	}
	if err := t.encode(indexKind, t.digits, put); err != nil {
		return err
	}
	put(zeroPage[:unit(t.page)])
	if err := t.encode(textKind, t.text, put); err != nil {
		return err
	}
	if off == inSequence {
		off = t.at
	}
	t.add(off, n, from)
	if off != noBytes {
		t.soft.add(t.at, t.at+int64(unit(t.page)))
		t.at += int64(unit(t.page))
	}
	return d.spool.err
}

// add keeps where the n bytes of t.entries.data from a mark on are, in a document
// with gaps.
func (t *titlesReader) add(off, n int64, from mark) {
	t.entries.add(off, n, t.n, from)
	t.n++
	if off != noBytes {
		t.at = off + n
	}
}

// entryOffset takes the offset of an entry, which is null in lists.
func (d *decoder) entryOffset() (int64, error) {
	if null, err := d.null(); err != nil || null {
		return noBytes, err
	}
	v, err := d.unsigned(maxSize)
	return int64(v), err
}

// encode gives the bytes of an index or a text to put.
func (t *titlesReader) encode(kind textKind, b []byte, put func([]byte) bool) error {
	switch {
	case kind == textHex:
		put(b)
	case !t.speller.encode(t.page, b, put):
		return t.d.syntaxError("code page %d cannot spell %s", t.page, quote(b))
	}
	return nil
}

func isIndex(b []byte) bool {
	n, err := strconv.ParseUint(string(b), 10, 32)
	return err == nil && len(b) <= 10 && n <= 1<<32-1 && b[0] != '+'
}

// fields gives the entries at their places, in a document with gaps.
func (t *titlesReader) fields() nextRun { return t.entries.reader().next }

// write writes the entries one after the other, in a document without gaps.
func (t *titlesReader) write(w io.Writer) error {
	out := newPrinter(w)
	n, nul := int64(0), zeroPage[:unit(t.page)]
	var head []byte // to tell how the table will look
	put := func(b []byte) {
		head = append(head, b[:min(len(b), 4-len(head))]...)
		n += int64(len(b))
		out.bytes(b)
	}
	heads, data := t.entries.heads.reader(), t.entries.data.reader()
	for i := range t.n {
		_, _ = heads.word()
		left, _ := heads.word()
		_, _ = heads.word()
		for left > 0 && data.more() {
			b := data.take(left)
			put(b)
			left -= int64(len(b))
		}
		if i > 0 || !t.bom {
			put(nul)
		}
		if out.err != nil || t.d.spool.err != nil {
			return cmp.Or(t.d.spool.err, out.err)
		}
	}
	put(nul)
	if t.page != 0 && n%2 == 0 && n >= 4 && head[1] == 0 && head[3] == 0 {
		put(nul) // else it would be taken for UTF-16
	}
	out.flush()
	return out.err
}

package document

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"github.com/perfdump/perfdump/internal/wire"
)

// titlesReader takes the entries of a table of names. It keeps their bytes and
// where they are.
type titlesReader struct {
	d       *decoder
	page    uint32 // 0 is UTF-16
	bom     bool
	bytes   []byte
	text    []byte
	entries []entryDoc
	begun   bool
}

// entryDoc is an entry in titlesReader.bytes: its index, a NUL, its text. The
// NUL behind the text is left out, since the last one of a file may be.
type entryDoc struct {
	from, to int
	off      int64 // in the file: inSequence where it is not given, noBytes where it is null
}

const (
	inSequence = -1
	noBytes    = -2
)

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
	return t.d.array(func(int) error { return t.takeEntry() })
}

func (t *titlesReader) takeEntry() error {
	const language, kind, index, text, offset = 0, 1, 2, 3, 4
	d := t.d
	e := entryDoc{from: len(t.bytes), off: inSequence}
	var seen fields
	var number [20]byte // an index is short
	var indexKind, textKind textKind
	digits := number[:0]
	t.text = t.text[:0]
	err := d.object(entryKeys, &seen, func(key int) (err error) {
		switch key {
		case language, kind:
			err = d.skipName()
		case index:
			if indexKind, digits, err = d.takeText(digits); err == nil && indexKind == textString && !isIndex(digits) {
				err = d.syntaxError("%s is no index, which has 1 to 10 digits and is below 2^32", quote(digits))
			}
		case text:
			textKind, t.text, err = d.takeText(t.text)
		case offset:
			e.off, err = d.entryOffset()
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
	if err := t.append(indexKind, digits); err != nil {
		return err
	}
	t.bytes = append(t.bytes, make([]byte, unit(t.page))...)
	if err := t.append(textKind, t.text); err != nil {
		return err
	}
	e.to = len(t.bytes)
	t.entries = append(t.entries, e)
	return nil
}

// entryOffset takes the offset of an entry, which is null in lists.
func (d *decoder) entryOffset() (int64, error) {
	if null, err := d.null(); err != nil || null {
		return noBytes, err
	}
	v, err := d.unsigned(maxSize)
	return int64(v), err
}

func (t *titlesReader) append(kind textKind, b []byte) error {
	if kind == textHex {
		t.bytes = append(t.bytes, b...)
		return nil
	}
	var ok bool
	if t.bytes, ok = encodeText(t.bytes, t.page, string(b)); !ok {
		return t.d.syntaxError("code page %d cannot spell %s", t.page, quote(b))
	}
	return nil
}

func isIndex(b []byte) bool {
	n, err := strconv.ParseUint(string(b), 10, 32)
	return err == nil && len(b) <= 10 && n <= 1<<32-1 && b[0] != '+'
}

// place puts the entries and their NULs at their offsets, in a document with
// gaps.
func (t *titlesReader) place() error {
	d := t.d
	at := int64(0)
	if t.bom {
		d.runs = append(d.runs, run{0, []byte{0xFF, 0xFE}})
		at = 2
	}
	for _, e := range t.entries {
		switch e.off {
		case noBytes:
			continue
		case inSequence:
		default:
			at = e.off
		}
		d.runs = append(d.runs, run{at, t.bytes[e.from:e.to]})
		at += int64(e.to - e.from)
		d.soft = append(d.soft, extent{at, at + int64(unit(t.page))})
		at += int64(unit(t.page))
	}
	byOffset := func(a, b run) int { return cmp.Compare(a.off, b.off) }
	if !slices.IsSortedFunc(d.runs, byOffset) {
		slices.SortStableFunc(d.runs, byOffset)
	}
	end := int64(0)
	for _, r := range d.runs {
		if r.off < end {
			return misfit(r.off, "entries", "an entry begins inside another, which ends at 0x%x", end)
		}
		end = r.end()
	}
	return nil
}

// write writes the entries one after the other, in a document without gaps.
func (t *titlesReader) write(w io.Writer) error {
	out := newPrinter(w)
	n, nul := 0, make([]byte, unit(t.page))
	var head []byte // to tell how the table will look
	put := func(b []byte) {
		head = append(head, b[:min(len(b), 4-len(head))]...)
		n += len(b)
		out.bytes(b)
	}
	if t.bom {
		put([]byte{0xFF, 0xFE})
	}
	for _, e := range t.entries {
		put(t.bytes[e.from:e.to])
		if put(nul); out.err != nil {
			return out.err
		}
	}
	put(nul)
	if t.page != 0 && n%2 == 0 && n >= 4 && head[1] == 0 && head[3] == 0 {
		put(nul) // else it would be taken for UTF-16
	}
	out.flush()
	return out.err
}

package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/textlines"
)

// Format is a format that has documents.
type Format struct {
	Name string
	*Reader
}

// Reader reads the documents of a format that hold every byte; nil is that of
// formats whose documents do not.
type Reader struct {
	keys []string // keys that its documents have in addition to those of all formats
	need []string // those that have to be there
	read func(*decoder, *canvas) error
}

// The readers of the formats. The canonical encoding of a format of lines is that
// of new files: as lodctr /S writes it, as lodctr expects it, as C is, as regedit
// writes it.
var (
	PerfDataReader    = &Reader{need: []string{"blocks"}, read: (*decoder).perfData}
	PerfLib2Reader    = &Reader{need: []string{"counters"}, keys: []string{"perf_time", "perf_time_100ns", "perf_freq", "system_time", "wire"}, read: (*decoder).perfLib2}
	TitlesReader      = &Reader{need: []string{"entries"}, keys: []string{"encoding"}, read: (*decoder).titles}
	IPCBlockReader    = &Reader{need: []string{"layout", "chunks"}, read: (*decoder).ipcBlock}
	PerfStringsReader = linesReader(textlines.UTF16(false))
	INIFileReader     = linesReader(textlines.UTF16(true))
	SymbolHReader     = linesReader(textlines.UTF8(false))
	RegReader         = linesReader(textlines.UTF16(true))
)

func (f *Reader) has(key string) bool {
	return slices.Contains(f.keys, key) || slices.Contains(f.need, key)
}

// lines reports whether the documents are of lines, which hold every byte.
func (f *Reader) lines() bool { return f.need[0] == "lines" }

// Encode reads a document of one of the formats from r and writes the bytes that it
// describes to w: the inverse of the Write functions of formats with a Reader. It
// writes nothing before the whole document has been read and is in order. It takes
// the memory of the document, and of what it describes.
//
// Errors are *perfdump.FormatError. Where the JSON is wrong (codes "syntax",
// "truncated", "limit", "empty"), the offset is that in the document; where the
// bytes to be written do not fit together (codes "length" and "count"), it is
// that in the file to be written, and -1 where that is unknown. The path is
// that in the document, blocks[0].objects[2].wire, both times. Documents of
// other formats are "read-only" or "unknown-format", and partial ones are
// "read-only". Errors of r and w are returned as they are.
func Encode(w io.Writer, r io.Reader, formats []Format) error {
	doc, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	d := &decoder{doc: doc, formats: formats, parts: map[string]part{}, size: -1}
	c := &canvas{max: 64<<20 + 16*int64(len(doc))}
	if err := d.decode(c); err != nil {
		return err
	}
	return c.write(w)
}

// decoder takes a document apart.
type decoder struct {
	doc     []byte
	formats []Format
	parts   map[string]part // by the keys of the document
	end     int64           // of the document
	size    int64           // -1 where it is not given
	hasGaps bool
	gaps    []gapDoc
}

// gapDoc is a gap of a document: bytes, or zeros.
type gapDoc struct {
	off, zero int64
	b         []byte
}

func (d *decoder) decode(c *canvas) error {
	doc, begin := d.doc, int64(0)
	switch {
	case len(doc) == 0:
		return newError(perfdump.CodeEmpty, 0, "", "no document: the input is empty")
	case bytes.HasPrefix(doc, []byte("\xEF\xBB\xBF")):
		begin = 3
	case bytes.HasPrefix(doc, []byte("\xFF\xFE")), bytes.HasPrefix(doc, []byte("\xFE\xFF")), len(doc) >= 2 && doc[0]&doc[1] == 0 && doc[0]|doc[1] == '{':
		return newError(syntax, 0, "", "the document is in UTF-16, as > of PowerShell writes it; JSON is UTF-8: write it with -w")
	}
	var keys []string
	r := newReader(doc, part{begin, int64(len(doc))}, "")
	if at := r.offset(); at < int64(len(doc)) && doc[at] != '{' {
		what := describe(r.dec.PeekKind())
		if r.dec.PeekKind() == 0 {
			what = fmt.Sprintf("%q", rune(doc[at]))
		}
		return r.syntaxError("%s where a document begins; it is what dump -o json writes", what)
	}
	err := r.object(func(key string) (err error) {
		d.parts[key], err = r.skip()
		keys = append(keys, key)
		return err
	})
	if err != nil {
		return err
	}
	d.end = r.base + r.dec.InputOffset()
	f, err := d.format(keys)
	if err != nil {
		return err
	}
	if err := d.common(f, keys); err != nil {
		return err
	}
	at := r.offset()
	if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return r.errorAt(syntax, at, "something follows the document; a file is made from one document")
	}
	return f.read(d, c)
}

// at returns a reader of the value of a key.
func (d *decoder) at(key string) *reader { return newReader(d.doc, d.parts[key], key) }

func (d *decoder) has(key string) bool { return !d.parts[key].empty() }

func (d *decoder) missing(key string) error {
	return newError(syntax, d.end, "", "the document has no key %q", key)
}

func (d *decoder) format(keys []string) (f *Format, err error) {
	if !d.has("format") {
		for _, key := range keys {
			if key == "lines" || key != "encoding" && slices.Contains(lineKeys, key) {
				from := bytes.LastIndex(d.doc[:d.parts[key].from], []byte(`"`+key+`"`))
				return nil, newError(syntax, int64(from), "", "key %q in a document without the key \"format\"", key)
			}
		}
		return nil, d.missing("format")
	}
	r := d.at("format")
	off := r.offset()
	name, err := r.string()
	if err != nil {
		return nil, err
	}
	var encodable []string
	for i := range d.formats {
		if d.formats[i].Name == name {
			f = &d.formats[i]
		}
		if d.formats[i].Reader != nil {
			encodable = append(encodable, d.formats[i].Name)
		}
	}
	switch {
	case f == nil:
		return nil, r.errorAt(perfdump.CodeUnknownFormat, off, "no format is named %s. These can be encoded: %s", quote(name), strings.Join(encodable, ", "))
	case f.Reader == nil:
		return nil, r.errorAt(perfdump.CodeReadOnly, -1, "%s is read only: its document does not hold every byte. These can be encoded: %s", name, strings.Join(encodable, ", "))
	}
	return f, nil
}

// common checks the keys of a document, and reads those of all formats.
func (d *decoder) common(f *Format, keys []string) error {
	for _, key := range keys {
		if f.has(key) {
			continue
		}
		r := d.at(key)
		var err error
		switch key {
		case "format":
		case "file":
			_, err = r.string()
		case "size":
			var size opt
			err = r.value(place(&size))
			d.size = size.v
		case "partial":
			var partial bool
			if partial, err = r.boolean(); partial {
				err = r.errorAt(perfdump.CodeReadOnly, -1, "the document was made with filters or in salvage mode and is incomplete; dump the file again without these")
			}
		case "anomalies":
			_, err = r.token('[', "a list")
		case "gaps":
			if f.lines() {
				return r.syntaxError("a document of lines has no gaps: the lines hold every byte")
			}
			d.hasGaps = true
			err = r.array(func(int) error { return d.readGap(r) })
		default:
			err = d.foreign(f, key)
		}
		if err != nil {
			return err
		}
	}
	for _, key := range f.need {
		if !d.has(key) {
			return d.missing(key)
		}
	}
	return nil
}

// foreign returns the error of a key that the format does not have.
func (d *decoder) foreign(f *Format, key string) error {
	for _, other := range d.formats {
		if other.Reader != nil && other.has(key) {
			return d.at("format").syntaxError("key %q does not belong to a document of the format %s but to one of %s", key, f.Name, other.Name)
		}
	}
	return newError(syntax, d.parts[key].from, "", "key %s is not known in a document that can be encoded", quote(key))
}

func (d *decoder) readGap(r *reader) error {
	var g gapDoc
	var off, zero opt
	at := r.offset()
	err := r.value(object{{"offset", place(&off)}, {"zero", place(&zero)}, {"hex", func(r *reader) (err error) {
		g.b, err = r.hex()
		return err
	}}})
	switch {
	case err != nil:
		return err
	case !off.ok:
		return r.errorAt(syntax, at, "the gap has no offset")
	case zero.ok && len(g.b) > 0:
		return r.errorAt(syntax, at, "the gap needs one of hex and zero")
	case len(g.b) == 0 && zero.v == 0:
		return r.errorAt(syntax, at, "the gap has no bytes, or neither hex nor zero")
	}
	g.off, g.zero = off.v, zero.v
	d.gaps = append(d.gaps, g)
	return nil
}

// hasWire reports whether a key within the value of a key is "wire".
func (d *decoder) hasWire(key string) bool {
	r := d.at(key)
	for {
		t, err := r.dec.ReadToken()
		if err != nil {
			return false // the end, or an error that comes again
		}
		if kind, n := r.dec.StackIndex(r.dec.StackDepth()); t.Kind() == '"' && kind == '{' && n%2 == 1 && t.String() == "wire" {
			return true
		}
	}
}

// count returns how many elements a list has.
func (d *decoder) count(list part, path string) (n int64, err error) {
	if list.empty() {
		return 0, nil
	}
	r := newReader(d.doc, list, path)
	err = r.array(func(int) error {
		n++
		_, err := r.skip()
		return err
	})
	return n, err
}

// finish joins what the fields hold, which is on c, and the gaps, and finds bytes
// that nothing holds.
func (d *decoder) finish(c *canvas) error {
	if err := c.gaps(d); err != nil {
		return err
	}
	return c.check()
}

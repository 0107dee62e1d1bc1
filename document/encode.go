package document

import (
	"bytes"
	"io"
	"slices"

	"github.com/perfdump/perfdump"
)

// Formats of documents. Those of the second list are for reading alone.
const (
	formatPerfData = "perfdata"
	formatTitles   = "titles"
	formatIPCBlock = "ipcblock"

	formatPerfStrings = "perfstrings"
	formatINIFile     = "inifile"
	formatSymbolH     = "symbolh"
	formatReg         = "reg"
)

var readOnly = []string{"blg", "minidump", "memory", "perflib2", "aspnet:2.0", "aspnet:4.x", "hive", "pdh-csv", "pdh-tsv", "checkmk", "manifest"}

const encodable = "perfdata, titles, ipcblock, perfstrings, inifile, symbolh and reg"

// Encode reads a document from r and writes the bytes that it stands for to w:
// the inverse of [WritePerfData], [WriteTitles], [WriteIPCBlock],
// [WritePerfStrings], [WriteINIFile], [WriteSymbolH] and [WriteReg]. It writes nothing before the whole document has been read
// and found right.
//
// Errors are *perfdump.FormatError. Where the JSON is wrong (codes "syntax",
// "truncated", "limit", "empty"), the offset is that in the document; where the
// bytes to be written do not fit together (codes "length" and "count"), it is
// that in the file to be written, and -1 where that is not known. The path is
// that in the document, blocks[0].objects[2].wire, both times. Documents of
// other formats are "read-only" or "unknown-format", and partial ones are
// "read-only". Errors of r and w are given as they are.
//
// It takes the memory of the bytes to be written; [EncodeScratch] does not.
func Encode(w io.Writer, r io.Reader) error { return EncodeScratch(w, r, new(memory)) }

// EncodeScratch is [Encode] in memory that grows neither with the document nor
// with the bytes to be written, which lie in the scratch until the whole
// document is known. The scratch has to be empty, takes little more than those
// bytes and what the gaps say, and is of no use afterwards; where all of them
// are few, nothing is put there. Its errors are given as they are.
//
// What has to be known at once is in memory even so: the longest text (up to
// 2.3 times, the name of a computer 3.5 times, its bytes in the document), the
// counters of an object, the instances too of an object that was written by
// hand (without wire, or with it behind them), and a few words for each gap,
// and each entry of a table of names, that begins before the end of one that
// stands before it in the document, as none does that was written by dump.
func EncodeScratch(w io.Writer, r io.Reader, scratch Scratch) error {
	d := newDecoder(r, scratch)
	err := d.document()
	if d.spool.err != nil {
		return d.spool.err
	}
	if err != nil {
		return err
	}
	return d.write(w)
}

// decoder takes a document.
type decoder struct {
	*reader
	*store

	format  string // "" until it is known
	assumed string // the format that the keys before it are of
	keyed   error  // the first key that is not known, had the format been
	size    int64  // -1 where it is not given
	hasGaps bool

	gaps     segments
	zeroGaps extents

	perfData perfDataReader
	titles   titlesReader
	ipcBlock ipcReader
	lines    linesReader
}

func newDecoder(r io.Reader, scratch Scratch) *decoder {
	d := &decoder{reader: newReader(r), store: newStore(scratch), size: -1}
	d.perfData.d, d.titles.d, d.ipcBlock.d, d.lines.d = d, d, d, d
	for _, s := range []*stream{&d.zeroGaps.stream, &d.perfData.spool, &d.perfData.placed, &d.perfData.firsts, &d.titles.soft.stream, &d.lines.out} {
		s.spool = &d.spool
	}
	d.gaps.init(&d.spool)
	d.titles.entries.init(&d.spool)
	return d
}

const (
	topFormat = iota
	topFile
	topSize
	topPartial
	topAnomalies
	topGaps
	topBlocks
	topEncoding
	topEntries
	topLayout
	topChunks
	topLines
	topPerflib
	topProviders
	topStrings
)

var topKeys = newKeys("format", "file", "size", "partial", "anomalies", "gaps", "blocks", "encoding", "entries", "layout", "chunks",
	"lines", "perflib", "providers", "strings",
	"driver_name", "symbol_file", "trusted", "languages", "objects", "texts", "defines", "version", "keys", "computer", "control_set")

func (d *decoder) document() error {
	if err := d.start(); err != nil {
		return err
	}
	switch c, err := d.peek(); {
	case err != nil:
		return err
	case c != '{':
		return d.syntaxError("%s where a document begins; it is what dump -o json writes", d.describe(c))
	}
	d.pos++
	var seen fields
	for first := true; ; first = false {
		more, err := d.next(first, '}')
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if err := d.top(&seen); err != nil {
			return err
		}
		d.path = d.path[:0]
	}
	if err := d.finish(seen); err != nil {
		return err
	}
	switch _, err := d.peek(); {
	case err == nil:
		return d.errorAt(perfdump.CodeSyntax, d.offset(), "something follows the document; one file is made of one document")
	case d.fail != nil:
		return err
	}
	switch {
	case d.format == formatPerfData:
		return d.perfData.place()
	case d.format == formatIPCBlock:
		return d.ipcBlock.place()
	}
	return nil
}

// start looks at how the document begins.
func (d *decoder) start() error {
	d.fill(4)
	switch b := d.buf; {
	case len(b) == 0 && d.fail == nil:
		return perfdump.NewError(perfdump.CodeEmpty, 0, perfdump.Path{}, "no document: the input is empty")
	case bytes.HasPrefix(b, []byte("\xEF\xBB\xBF")):
		d.pos = 3
	case bytes.HasPrefix(b, []byte("\xFF\xFE")), bytes.HasPrefix(b, []byte("\xFE\xFF")), len(b) >= 2 && b[0]&b[1] == 0 && b[0]|b[1] == '{':
		return d.syntaxError("the document is in UTF-16, as > of PowerShell writes it; JSON is UTF-8: write it by -w")
	}
	return nil
}

// top takes a key of the document and its value.
func (d *decoder) top(seen *fields) error {
	off, err := d.key()
	if err != nil {
		return err
	}
	key, known := topKeys.index[string(d.str)]
	if !known {
		return d.unknownKey(d.errorAt(perfdump.CodeSyntax, off, "key %s is not known in a document that can be encoded", quote(d.str)))
	}
	if seen.has(key) {
		return d.errorAt(perfdump.CodeSyntax, off, "key %q stands here a second time", topKeys.list[key])
	}
	*seen |= 1 << key
	d.path = append(d.path, step{key: topKeys.list[key], index: -1})
	if key >= topLines || linesFormat(d.format) && (key == topEncoding || key == topGaps) {
		return d.takeLines(off, key)
	}
	switch key {
	case topFormat:
		return d.takeFormat()
	case topFile:
		return d.skipString()
	case topSize:
		v, err := d.unsigned(maxSize)
		d.size = int64(v)
		return err
	case topPartial:
		partial, err := d.boolean()
		if partial {
			return d.errorAt(perfdump.CodeReadOnly, -1, "the document was made with filters or in salvage mode and does not say everything; dump the file again without")
		}
		return err
	case topAnomalies:
		if c, err := d.peek(); err != nil || c != '[' {
			return d.expect('[', "an array")
		}
		return d.skip()
	case topGaps:
		return d.takeGaps()
	case topBlocks:
		if err := d.assume(formatPerfData, off, key); err != nil || d.keyed != nil {
			return err
		}
		return d.perfData.take()
	case topLayout, topChunks:
		if err := d.assume(formatIPCBlock, off, key); err != nil || d.keyed != nil {
			return err
		}
		if key == topLayout {
			return d.ipcBlock.takeLayout()
		}
		return d.ipcBlock.take()
	default:
		if err := d.assume(formatTitles, off, key); err != nil || d.keyed != nil {
			return err
		}
		if key == topEncoding {
			return d.titles.takeEncoding()
		}
		return d.titles.take()
	}
}

// unknownKey passes over a key that only a format to be named later can have.
func (d *decoder) unknownKey(err error) error {
	if d.format != "" {
		return err
	}
	if d.keyed == nil {
		d.keyed = err
	}
	return d.skip()
}

// assume notes that a key belongs to a format.
func (d *decoder) assume(format string, off int64, key int) error {
	is := d.format
	if is == "" {
		is = d.assumed
	}
	if is == "" {
		d.assumed, is = format, format
	}
	if is != format {
		d.path = d.path[:0]
		return d.unknownKey(d.errorAt(perfdump.CodeSyntax, off, "key %q does not belong to a document of the format %s", topKeys.list[key], is))
	}
	if d.keyed != nil { // the document is wrong; find out only what it is
		return d.skip()
	}
	return nil
}

func (d *decoder) takeFormat() error {
	if c, err := d.peek(); err != nil || c != '"' {
		return d.expect('"', "the name of a format")
	}
	off := d.offset()
	if err := d.text(maxWord); err != nil {
		return err
	}
	d.format = string(d.str)
	switch {
	case slices.Contains(readOnly, d.format):
		return d.errorAt(perfdump.CodeReadOnly, -1, "%s is read only: its document does not hold every byte. %s can be encoded", d.format, encodable)
	case d.format != formatPerfData && d.format != formatTitles && d.format != formatIPCBlock && !linesFormat(d.format):
		return d.errorAt(perfdump.CodeUnknownFormat, off, "no format is named %s; %s can be encoded", quote(d.str), encodable)
	case d.keyed != nil:
		return d.keyed
	case d.assumed != "" && d.assumed != d.format:
		return d.errorAt(perfdump.CodeSyntax, off, "the keys before are those of the format %s", d.assumed)
	}
	return nil
}

// skipString takes a string that says nothing about the bytes.
func (d *decoder) skipString() error {
	if c, err := d.peek(); err != nil || c != '"' {
		return d.expect('"', "a string")
	}
	return d.skipText()
}

// skipName is skipString that takes null too.
func (d *decoder) skipName() error {
	if null, err := d.null(); err != nil || null {
		return err
	}
	return d.skipString()
}

// finish looks at what the document has left out.
func (d *decoder) finish(seen fields) error {
	switch {
	case !seen.has(topFormat):
		return d.errorAt(perfdump.CodeSyntax, d.offset(), "the document has no key \"format\"")
	case d.format == formatPerfData && !seen.has(topBlocks):
		return d.errorAt(perfdump.CodeSyntax, d.offset(), "the document has no key \"blocks\"")
	case d.format == formatTitles && !seen.has(topEntries):
		return d.errorAt(perfdump.CodeSyntax, d.offset(), "the document has no key \"entries\"")
	case linesFormat(d.format) && !seen.has(topLines):
		return d.errorAt(perfdump.CodeSyntax, d.offset(), "the document has no key \"lines\"")
	case d.format == formatIPCBlock && !(seen.has(topLayout) && seen.has(topChunks)):
		return d.errorAt(perfdump.CodeSyntax, d.offset(), "the document needs the keys \"layout\" and \"chunks\"")
	}
	return nil
}

// takeGaps takes the gaps of the document.
func (d *decoder) takeGaps() error {
	d.hasGaps = true
	const offset, hex, zero = 0, 1, 2
	return d.array(func(i int) error {
		var seen fields
		var off, bytes, zeros int64
		from := d.gaps.data.here()
		err := d.object(gapKeys, &seen, func(key int) (err error) {
			var v uint64
			switch key {
			case offset:
				v, err = d.unsigned(maxSize)
				off = int64(v)
			case hex:
				bytes, err = d.gapBytes()
			default:
				v, err = d.unsigned(maxSize)
				zeros = int64(v)
			}
			return err
		})
		switch {
		case err != nil:
			return err
		case !seen.has(offset):
			return d.syntaxError("the gap has no offset")
		case seen.has(hex) == seen.has(zero):
			return d.syntaxError("the gap needs one of hex and zero")
		case seen.has(hex) && bytes == 0 || seen.has(zero) && zeros == 0:
			return d.syntaxError("the gap has no bytes")
		case seen.has(hex):
			d.gaps.add(off, bytes, i, from)
		default:
			d.zeroGaps.add(off, off+zeros)
		}
		return d.spool.err
	})
}

// gapBytes spools the bytes of a gap and counts them.
func (d *decoder) gapBytes() (n int64, err error) {
	d.str, err = d.hexParts(d.str[:0], func(b []byte) []byte {
		d.gaps.data.append(b)
		n += int64(len(b))
		return b[:0]
	})
	d.gaps.data.append(d.str)
	return n + int64(len(d.str)), err
}

// textKind says how a text stands in a document.
type textKind uint8

const (
	textNone textKind = iota // null
	textString
	textHex
)

// takeText takes a string, an object with hex, or null, and appends its text
// or bytes to dst.
func (d *decoder) takeText(dst []byte) (textKind, []byte, error) {
	c, err := d.peek()
	switch {
	case err != nil:
		return textNone, dst, err
	case c == 'n':
		_, err = d.null()
		return textNone, dst, err
	case c == '{':
		dst, err = d.takeHex(dst)
		return textHex, dst, err
	case c != '"':
		return textNone, dst, d.syntaxError("%s where a string, null, or an object with hex belongs", d.describe(c))
	}
	from := len(dst)
	if dst, err = d.appendText(dst, maxLength); err != nil {
		return textNone, dst, err
	}
	if bytes.IndexByte(dst[from:], 0) >= 0 {
		return textNone, dst, d.syntaxError("a NUL in a string, where the text would end; write {\"hex\":\"…\"}")
	}
	return textString, dst, nil
}

// takeHex takes an object with hex and appends its bytes to dst.
func (d *decoder) takeHex(dst []byte) ([]byte, error) {
	var seen fields
	err := d.object(bytesKeys, &seen, func(key int) (err error) {
		if key == 0 {
			dst, err = d.hex(dst)
			return err
		}
		return d.skipName()
	})
	if err == nil && !seen.has(0) {
		err = d.syntaxError("the object has no hex")
	}
	return dst, err
}

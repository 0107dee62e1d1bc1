package hexview

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
	"github.com/perfdump/perfdump/manifest"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/symbolh"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// How much is shown of a text when arrays are folded.
const (
	keepLines   = 40
	keepEntries = 12
)

// textFile is a file of a text format.
type textFile interface {
	Encoding() string
	Spans() iter.Seq[perfdump.Span]
	Anomalies() *perfdump.Anomalies
}

// PerfStrings returns the document of a backup of counter names.
func PerfStrings(b []byte, in Input) *Document { return textDocument(b, in, perfstrings.Parse) }

// INIFile returns the document of an .ini file that registers counters.
func INIFile(b []byte, in Input) *Document { return textDocument(b, in, inifile.Parse) }

// SymbolH returns the document of a symbol file.
func SymbolH(b []byte, in Input) *Document { return textDocument(b, in, symbolh.Parse) }

// Reg returns the document of a .reg file.
func Reg(b []byte, in Input) *Document { return textDocument(b, in, registry.ParseReg) }

func textDocument[F textFile](b []byte, in Input, parse func([]byte, perfdump.Options) (F, error)) *Document {
	file, first, err := read(in, func(o perfdump.Options) (F, error) { return parse(b, o) })
	if err != nil {
		return unreadable(b, in, first, err)
	}
	d := newDocument(b, in, "line")
	d.Spans, d.Err, d.Keeps, d.Comment = file.Spans(), first, [4]int{keepLines}, mark(file.Encoding())
	d.remark(nil, file.Anomalies().Kept()...)
	return d
}

// mark returns the comments of a text: what its byte order mark says.
func mark(encoding string) func([]byte, *perfdump.Span, []byte) []byte {
	return func(dst []byte, s *perfdump.Span, _ []byte) []byte {
		if s.Path.FieldName() == "BOM" {
			dst = append(append(dst, "byte order mark: "...), encoding...)
		}
		return dst
	}
}

// Titles returns the document of a table of names as the registry has it. A
// list of names in text is shown as bytes.
func Titles(b []byte, in Input) *Document {
	table, first, err := read(in, func(o perfdump.Options) (*titles.Table, error) { return titles.Parse(b, o) })
	if err != nil {
		if list, listErr := titles.ParseText(b, perfdump.Options{Mode: perfdump.Salvage, CodePage: in.CodePage}); listErr == nil && list.Len() > 0 {
			return Raw(b, in, "a list of names in text: each line is one")
		}
		return unreadable(b, in, first, err)
	}
	d := newDocument(b, in, "entry")
	d.Spans, d.Err, d.Keeps, d.Comment = table.Spans(), first, [4]int{keepEntries}, mark("UTF-16LE")
	d.remark(nil, table.Anomalies().Kept()...)
	return d
}

// Lines returns the document of a text, line by line: of PDH-CSV, the output of
// agents, and manifests. Where its encoding is unknown its bytes are shown.
func Lines(b []byte, in Input) *Document {
	text, err := textlines.New(b, textlines.Options{CodePage: in.CodePage})
	if err != nil {
		return unreadable(b, in, err, err)
	}
	d := newDocument(b, in, "line")
	d.Keeps = [4]int{keepLines}
	d.Spans = func(yield func(perfdump.Span) bool) {
		enc := text.Encoding()
		kind, page := enc.Kind()
		if kind != perfdump.KindANSI {
			page = 0
		}
		if n := int64(len(enc.BOM())); n > 0 && !yield(perfdump.Span{Size: n, Kind: perfdump.KindHex, Path: d.Levels.Root().Field("BOM")}) {
			return
		}
		for l := range text.All() {
			off, n := int64(l.Off), int64(len(l.Raw))
			if n > 0 && !yield(perfdump.Span{Off: off, Size: n, Kind: kind, CodePage: page, Path: d.Levels.Root().At(0, l.Number-1)}) {
				return
			}
			if end := int64(l.Size()) - n; end > 0 && !yield(perfdump.Span{Off: off + n, Size: end, Kind: perfdump.KindPadding, Note: "end of the line"}) {
				return
			}
		}
	}
	return d
}

// Manifest returns the document of an instrumentation manifest, line by line.
func Manifest(b []byte, in Input) *Document {
	d := Lines(b, in)
	m, err := manifest.Parse(b, perfdump.Options{Mode: in.Mode})
	switch {
	case d.Err != nil: // in an unknown encoding
		return Raw(b, in, err.Error())
	case err != nil:
		d.Err = err
	default:
		d.remark(nil, m.Anomalies().Kept()...)
	}
	return d
}

// ASPNet returns the documents of vectors of ASP.NET's counters of a version.
func ASPNet(v aspnet.Version) func([]byte, Input) *Document {
	return func(b []byte, in Input) *Document {
		x, err := aspnet.Parse(b, v)
		if err != nil {
			return unreadable(b, in, err, err)
		}
		names := make([]string, x.Len()) // in perfmon
		for c := range x.Values() {
			if names[c.Index] != "" && c.Name != "" {
				names[c.Index] += ", "
			}
			names[c.Index] += c.Name
		}
		d := newDocument(b, in, "counter")
		d.Spans = x.Spans()
		d.Comment = func(dst []byte, s *perfdump.Span, _ []byte) []byte { return append(dst, names[s.Off/4]...) }
		return d
	}
}

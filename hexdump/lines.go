package hexdump

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/symbolh"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// keepLines is how many lines are shown where arrays are folded.
const keepLines = 40

// textFile is a file of a text format.
type textFile interface {
	Encoding() string
	Spans() iter.Seq[perfdump.Span]
	Anomalies() *perfdump.Anomalies
}

// lines is the document of a file of a text format, line by line.
type lines struct {
	plain
	file  textFile
	count int
}

// newLines makes a document of what parse makes of b, and count counts.
func newLines[F textFile](b []byte, mode perfdump.Mode, parse func(perfdump.Mode) (F, error), count func(F) int) Document {
	d := &lines{plain: plain{bytes: b, levels: perfdump.Levels{"line"}}}
	file, err := parse(mode)
	if err != nil {
		d.err = err
		// Mode strict refuses what can be read.
		if file, err = parse(perfdump.Salvage); err != nil {
			return newRaw(b, d.err, err.Error())
		}
	}
	d.file, d.count = file, count(file)
	for _, a := range file.Anomalies().Kept() {
		d.remarks = append(d.remarks, Remark{a.Off, a.Message})
	}
	return d
}

// PerfStrings returns the document of a backup of counter names.
func PerfStrings(b []byte, in Input) Document {
	return newLines(b, in.Mode, func(m perfdump.Mode) (*perfstrings.File, error) {
		return perfstrings.Parse(b, perfstrings.Options{Mode: m, CodePage: in.CodePage})
	}, (*perfstrings.File).NumLines)
}

// INIFile returns the document of an .ini file that registers counters.
func INIFile(b []byte, in Input) Document {
	return newLines(b, in.Mode, func(m perfdump.Mode) (*inifile.File, error) {
		return inifile.Parse(b, inifile.Options{Mode: m, CodePage: in.CodePage})
	}, (*inifile.File).NumLines)
}

// SymbolH returns the document of a symbol file.
func SymbolH(b []byte, in Input) Document {
	return newLines(b, in.Mode, func(m perfdump.Mode) (*symbolh.File, error) {
		return symbolh.Parse(b, symbolh.Options{Mode: m, CodePage: in.CodePage})
	}, (*symbolh.File).NumLines)
}

// Reg returns the document of a .reg file.
func Reg(b []byte, in Input) Document {
	return newLines(b, in.Mode, func(m perfdump.Mode) (*registry.Reg, error) {
		return registry.ParseReg(b, registry.Options{Mode: m, CodePage: in.CodePage})
	}, func(r *registry.Reg) int { return r.Text().Len() })
}

func (d *lines) Spans() iter.Seq[perfdump.Span] { return d.file.Spans() }

func (d *lines) Elements(perfdump.Path, int) (n, keep int) { return d.count, keepLines }

func (d *lines) AppendComment(dst []byte, s *perfdump.Span, _ []byte) []byte {
	switch s.Path.FieldName() {
	case "BOM":
		return append(append(dst, "byte order mark: "...), d.file.Encoding()...)
	default:
		return dst
	}
}

package hexdump

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// keepLines is how many lines are shown where arrays are folded.
const keepLines = 40

// backup is the document of a backup of counter names.
type backup struct {
	plain
	file *perfstrings.File
}

// PerfStrings returns the document of a backup of counter names, line by line.
func PerfStrings(b []byte, in Input) Document {
	d := &backup{plain: plain{bytes: b, levels: perfdump.Levels{"line"}}}
	o := perfstrings.Options{Mode: in.Mode, CodePage: in.CodePage}
	if d.file, d.err = perfstrings.Parse(b, o); d.err != nil {
		// Mode strict refuses what can be read.
		o.Mode = perfdump.Salvage
		f, err := perfstrings.Parse(b, o)
		if err != nil {
			return &raw{plain{bytes: b, err: d.err}, err.Error()}
		}
		d.file = f
	}
	for _, a := range d.file.Anomalies().Kept() {
		d.remarks = append(d.remarks, Remark{a.Off, a.Message})
	}
	return d
}

func (d *backup) Spans() iter.Seq[perfdump.Span] { return d.file.Spans() }

func (d *backup) Elements(perfdump.Path, int) (n, keep int) { return d.file.Lines(), keepLines }

func (d *backup) AppendComment(dst []byte, s *perfdump.Span, _ []byte) []byte {
	if s.Path.FieldName() == "BOM" {
		return append(append(dst, "byte order mark: "...), d.file.Encoding()...)
	}
	return dst
}

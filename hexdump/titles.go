package hexdump

import (
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/titles"
)

// keepEntries is how many entries are shown where arrays are folded.
const keepEntries = 12

// table is the document of a table of names.
type table struct {
	plain
	table *titles.Table
	count int
}

// Titles returns the document of a table of names as the registry has it. A
// list of names in text is not taken apart.
func Titles(b []byte, in Input) Document {
	d := &table{plain: plain{bytes: b, levels: perfdump.Levels{"entry"}}}
	o := titles.Options{Mode: in.Mode, CodePage: in.CodePage}
	if d.table, d.err = titles.Parse(b, o); d.err != nil {
		// Mode strict refuses what can be read.
		o.Mode = perfdump.Salvage
		t, err := titles.Parse(b, o)
		if err != nil {
			if list, listErr := titles.ParseText(b, o); listErr == nil && list.Len() > 0 {
				return Raw(b, "a list of names in text: each line is one")
			}
			return newRaw(b, d.err, err.Error())
		}
		d.table = t
	}
	for range d.table.Entries() {
		d.count++
	}
	for _, a := range d.table.Anomalies().Kept() {
		d.remarks = append(d.remarks, Remark{a.Off, a.Message})
	}
	return d
}

func (d *table) Spans() iter.Seq[perfdump.Span] { return d.table.Spans() }

func (d *table) Elements(perfdump.Path, int) (n, keep int) { return d.count, keepEntries }

func (d *table) AppendComment(dst []byte, s *perfdump.Span, _ []byte) []byte {
	if s.Path.FieldName() == "BOM" {
		return append(dst, "byte order mark: UTF-16LE"...)
	}
	return dst
}

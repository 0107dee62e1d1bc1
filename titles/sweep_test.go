package titles_test

import (
	"path/filepath"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/titles"
)

// TestSweep damages each place of small tables and lists: what is told, and all
// that can be read, is what testdata has. To review a change, look the lines of
// text up in docs/registration.md.
func TestSweep(t *testing.T) {
	const table = "1\x00212\x002\x00System\x0010\x00Größe\x00212\x00Läst\x00\x00"
	const list = "1\r\n212\r\n2\r\nSystem\r\n4\r\nM\r\n"
	for name, c := range map[string]struct {
		b      []byte
		damage golden.Damage
		parse  func([]byte, perfdump.Options) (*titles.Table, error)
	}{
		"ansi": {[]byte("1\x00212\x002\x00System\x0010\x00Gr\xF6\xDFe\x00212\x00L\xE4st\x00\x00"), golden.Characters("\x000aA \xFF"), titles.Parse},
		"wide": {wide(table), golden.Characters("\x000aA \xD8\xFF"), titles.Parse},
		"list": {[]byte(list), golden.Characters("\x000a \r\n\t\xFF"), titles.ParseText},
	} {
		golden.Sweep(t, filepath.Join("testdata", "sweep-"+name+".txt"), c.b, c.damage, perftest.Race, func(b []byte) *golden.Reading {
			var r golden.Reading
			table, err := c.parse(b, perfdump.Options{})
			if r.Error(err); err != nil {
				return &r
			}
			r.Anomalies(table.Anomalies())
			r.Note(table.Encoding(), table.Kind(), table.Len())
			r.Note(table.BaseIndex())
			for e := range table.Entries() {
				r.Note(e, table.Indexes(e.Text))
			}
			for index, text := range table.All() {
				r.Note(index, text)
			}
			names := titles.NewNames(table)
			r.Note(names.Name(2), names.Name(9), names.Name(10))
			r.Note(table.AppendText(nil))
			statistics := *table.Statistics(table.Kind(), perfdump.Limits{})
			r.Anomalies(&statistics.Anomalies)
			statistics.Anomalies = perfdump.Anomalies{}
			r.Note(statistics)
			r.Spans(table.Spans())
			return &r
		})
	}
}

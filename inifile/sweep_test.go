package inifile_test

import (
	"path/filepath"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// TestSweep damages each place of small files: anomalies, errors and all that can
// be read are those of testdata. docs/registration.md explains the codes.
func TestSweep(t *testing.T) {
	const text = "[info]\r\ndrivername=D\r\nsymbolfile=d.h\r\n;x\r\n[languages]\r\n009=English\n00C=Fr\r\n" +
		"[objects]\r\nO_1_009_NAME=\r\n[text]\r\nO_1_009_NAME=O\r\nO_1_009_HELP = \"q\"\r\nC_00c_NAME=\xC3\xA9\r\n"
	const short = "[info]\r\ndrivername=Dé\r\n[text]\r\nA_009_NAME=Ω\r\n"
	for name, c := range map[string]struct {
		b      string
		damage golden.Damage
	}{
		"narrow": {text, golden.Characters("\x00\x1a=[];\" \r\n_0\xFF")},
		"wide":   {"\xFF\xFE" + wide(short), golden.Characters("\x00=[\r\n\xD8\xFF")},
		"bom":    {"\xEF\xBB\xBF" + short, golden.Characters("\x00=\n\xE9\xFF")},
	} {
		golden.Sweep(t, filepath.Join("testdata", "sweep-"+name+".txt"), []byte(c.b), c.damage, perftest.Race, reading)
	}
}

func reading(b []byte) *golden.Reading {
	var r golden.Reading
	f, err := inifile.Parse(b, perfdump.Options{})
	if r.Error(err); err != nil {
		return &r
	}
	r.Anomalies(f.Anomalies())
	r.Note(f.ASCII(), f.CodePage(), f.Encoding(), f.HasObjects(), f.HasSection("TEXT"), f.NumKeys(), f.NumLines(), f.Registration())
	for l := range f.Lines() {
		r.Note(l.Number, l.Kind, l.Section, l.EOL(), l.Inverts(), l.Key(), l.Raw(), l.Text(), l.Value(), l.Places(), f.LineAt(int64(l.Places()[0])))
	}
	for l := range f.Keys("text") {
		r.Note(l.Number)
	}
	r.Spans(f.Spans())
	return &r
}

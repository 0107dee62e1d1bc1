package symbolh_test

import (
	"path/filepath"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/symbolh"
)

// TestSweep damages each place of small files: anomalies, errors and all that can
// be read are those of testdata. docs/registration.md explains the codes.
func TestSweep(t *testing.T) {
	const text = "/* c */\r\n#ifndef G\r\n#define G\r\n#define A 0\n#define B 2; // x\r\n # define C B\r\n#define D D\r\n#define E 012 /* y\r\n#define F 3\r\n*/\r\nenum { H = 4 };\r\n#endif\r\n"
	for name, c := range map[string]struct {
		b      string
		damage golden.Damage
	}{
		"narrow": {text, golden.Characters("\x00\x1a/*#; \r\n0\xFF")},
		"wide":   {"\xFF\xFE" + wide("#define A 10\r\n#define é A\r\n"), golden.Characters("\x00#;/\n\xD8\xFF")},
	} {
		golden.Sweep(t, filepath.Join("testdata", "sweep-"+name+".txt"), []byte(c.b), c.damage, perftest.Race, func(b []byte) *golden.Reading {
			var r golden.Reading
			f, err := symbolh.Parse(b, perfdump.Options{})
			if r.Error(err); err != nil {
				return &r
			}
			r.Anomalies(f.Anomalies())
			r.Note(f.CodePage(), f.Encoding(), f.NumDefines(), f.NumLines())
			r.Note(f.Largest())
			for l := range f.Lines() {
				r.Note(l.Number, l.Off, l.Kind, l.EOL(), l.Inverts(), l.Raw, l.Text(), f.LineAt(int64(l.Off)))
				r.Note(l.Define())
			}
			for d := range f.Defines() {
				r.Note(d, d.Target())
				r.Note(f.Lookup(d.Name))
			}
			r.Spans(f.Spans())
			return &r
		})
	}
}

package checkmk_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// TestSweep damages each place of a small output: what is reported, and all that can
// be read, is what testdata has. To review a change, look the lines of text up
// in docs/text-logs.md.
func TestSweep(t *testing.T) {
	const out = "<<<<h>>>>\n<<<winperf_d:sep(0)>>>\n1352457622.31 234 3579545\n2 instances: 0_C: _T\r\n-36 0 0 rawcount\n-34 2 35 type(20570500)\n" +
		"<<<winperf_m>>>\n1352457622 4\n2 7 counter\n<<<x>>>\ny\n"
	golden.Sweep(t, filepath.Join("testdata", "sweep.txt"), []byte(out), golden.Characters("\x00<>: -.()0a\r\n\xFF"), perftest.Race, func(b []byte) *golden.Reading {
		var r golden.Reading
		in := checkmk.NewReader(bytes.NewReader(b), perfdump.Options{})
		for s, err := range in.Sections() {
			if r.Error(err); err == nil {
				r.Note(*s, s.Clocks())
				r.Note(s.Time())
			}
		}
		r.Anomalies(in.Anomalies())
		return &r
	})
}

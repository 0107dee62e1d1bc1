package capture_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
)

// The outputs of an agent, ten seconds apart. Worked out by hand:
//
//	counter            (8000 - 5000) / 10 s                        = 300
//	100nsec_timer      25,000,000 of 100,000,000 units of 100 ns   = 25 %
//	100nsec_timer_inv  100 - 60,000,000 of 100,000,000             = 40 %
//	average_timer      20,000,000 ticks / 10 MHz / 4 operations    = 0.5
//	raw_fraction       1 of 8                                      = 12.5 %
var agentOutputs = [2]string{
	"<<<winperf_x>>>\n1000000000.00 2 10000000\n144 5000 counter\n146 7000000 100nsec_timer\n148 1000000 100nsec_timer_inv\n150 1000 average_timer\n150 6 average_base\n152 3 raw_fraction\n152 4 raw_base\n154 9 rawcount\n",
	"<<<winperf_x>>>\n1000000010.00 2 10000000\n144 8000 Counter\n146 32000000 type(542180608)\n148 61000000 type(21510500)\n150 20001000 average_timer\n150 10 average_base\n152 1 raw_fraction\n152 8 raw_base\n154 11 rawcount\n",
}

// TestAgentSnapshots: two outputs of one host are two snapshots, in one file or in
// two, whose names need not be in the order of time, with a host or without.
func TestAgentSnapshots(t *testing.T) {
	want := []string{
		"144 0 needs-second-sample", "146 0 needs-second-sample", "148 0 needs-second-sample", "150 0 needs-second-sample", "152 75 ok", "154 9 ok",
		"144 300 ok", "146 25 ok", "148 40 ok", "150 0.5 ok", "152 12.5 ok", "154 11 ok",
	}
	const agent = "<<<check_mk>>>\nVersion: 2.3.0p1\nHostname: WEB01\n"
	const other = "<<<<DB7>>>>\n<<<winperf_x>>>\n1000000005.00 2 10000000\n144 1 counter\n<<<<>>>>\n"
	for name, c := range map[string]struct {
		host  string
		files []string
	}{
		"one file":             {"", []string{agentOutputs[0] + agentOutputs[1]}},
		"one file, host":       {"WEB01", []string{agent + agentOutputs[0] + agent + agentOutputs[1]}},
		"one file, piggyback":  {"VM", []string{"<<<<VM>>>>\n" + agentOutputs[0] + "<<<<>>>>\n<<<<VM>>>>\n" + agentOutputs[1]}},
		"two files":            {"", []string{agentOutputs[0], agentOutputs[1]}},
		"two files, backwards": {"", []string{agentOutputs[1], agentOutputs[0]}},
		"two files, host":      {"WEB01", []string{agent + agentOutputs[1], agent + agentOutputs[0]}},
		"two files, piggyback": {"VM", []string{agent + other + "<<<<VM>>>>\n" + agentOutputs[1], "<<<<VM>>>>\n" + agentOutputs[0]}},
		"beside another":       {"WEB01", []string{agent + agentOutputs[0] + other, agent + agentOutputs[1], other}},
	} {
		t.Run(name, func(t *testing.T) {
			var inputs []*detect.Input
			for i, text := range c.files {
				file := filepath.Join(t.TempDir(), fmt.Sprintf("%d.txt", i))
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
				in, err := detect.Open(file, detect.Options{})
				require.NoError(t, err)
				inputs = append(inputs, in)
			}
			r := record(t, capture.Options{}, capture.CookOptions{}, inputs...)
			columns, err := r.Columns()
			require.NoError(t, err)
			n := 0
			for _, s := range columns {
				if s.Host == c.host {
					n++
				}
			}
			require.Equal(t, 6, n)
			var got, sources []string
			for f, err := range r.Frames() {
				require.NoError(t, err)
				if f.Host != c.host {
					continue
				}
				sources = append(sources, f.Source)
				for i := range f.Cells {
					x := &f.Cells[i]
					require.Equal(t, c.host, x.Series.Host)
					got = append(got, fmt.Sprint(x.Series.CounterIndex-2, " ", x.Value, " ", x.Status))
				}
			}
			require.Equal(t, want, got)
			require.Len(t, sources, 2)
			require.Len(t, slices.Compact(sources), min(2, len(c.files)))
		})
	}
}

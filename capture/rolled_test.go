package capture_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
)

// rolled is a part of a recording with processes that come and go, one whose name another
// one takes, a whole object, and a restart of the machine.
func rolled(t testing.TB, name string, from, to int) *capture.Input {
	t.Helper()
	w := blgwriter.New(blgwriter.Options{LoggerName: oneGUID})
	list(w, int64(from),
		item("Process", "*", "% Processor Time", countertypes.PERF_100NSEC_TIMER),
		item("Process", "*", "ID Process", countertypes.PERF_COUNTER_RAWCOUNT),
		item("System", "", "Context Switches/sec", countertypes.PERF_COUNTER_COUNTER),
		item("Memory", "*", "*", 0),
	)
	for i := from; i < to; i++ {
		ticks := int64(1000+i) * 1000
		if i >= 7 { // the machine has been restarted
			ticks = int64(i-6) * 1000
		}
		cpu, pid := blgwriter.Series{Kind: blg.Instances}, blgwriter.Series{Kind: blg.Instances}
		add := func(name string, id, n uint64) {
			cpu.Values = append(cpu.Values, blgwriter.Value{Name: name, Multi: 1, First: n, Second: uint64(noonTicks + int64(i)*second)})
			pid.Values = append(pid.Values, blgwriter.Value{Name: name, Multi: 1, First: id})
		}
		add("always", 4, uint64(i*i))
		if i%3 != 1 { // comes and goes
			add("often", 8, uint64(100*i))
		}
		add("web", uint64(12+i/5), uint64(7*i)) // another one from 5 on
		sample(w, int64(i), cpu, pid, single(uint64(3*i*i), uint64(ticks)), wholeObject(4, countertypes.PERF_COUNTER_COUNTER, ticks, noonTicks+int64(i)*second, uint64(5*i*i)))
	}
	return written(t, name, w)
}

// TestRatesCrossTheBorderOfLogs cuts a recording into two logs at every sample: the values
// are those of one log.
func TestRatesCrossTheBorderOfLogs(t *testing.T) {
	const records = 12
	for _, c := range []capture.CookOptions{{}, {ByPID: true}, {ByName: true}, {Raw: true}} {
		read := func(inputs ...*capture.Input) (all, remarks []string) {
			c := c
			told := reported(&c)
			for f := range frames(t, c, inputs...) {
				for i := range f.Cells {
					all = append(all, fmt.Sprint(f.Time.UTC(), f.Cells[i].Series.Path(), " ", said(&f.Cells[i]), f.Tuple(i)))
				}
			}
			return all, *told
		}
		want, remarks := read(rolled(t, "whole", 0, records))
		require.Len(t, remarks, 1)
		for cut := 1; cut < records; cut++ {
			got, again := read(rolled(t, "b", cut, records), rolled(t, "a", 0, cut))
			require.Equal(t, want, got, cut)
			require.Len(t, again, len(remarks), cut)
		}
		var parts []*capture.Input
		for i := range records {
			parts = append(parts, rolled(t, fmt.Sprint(i), i, i+1))
		}
		got, _ := read(parts...)
		require.Equal(t, want, got)
	}
}

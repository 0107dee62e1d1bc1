package analyze_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/analyze"
)

// constant returns a value that never changes.
func constant(v float64) func(int) float64 { return func(int) float64 { return v } }

// within returns a value for some samples, and another for the rest.
func within(from, to int, bad, quiet float64) func(int) float64 {
	return func(i int) float64 {
		if i >= from && i <= to {
			return bad
		}
		return quiet
	}
}

// TestLevels holds at which samples a rule holds, by its intervals.
func TestLevels(t *testing.T) {
	nan := math.NaN()
	list := func(v ...float64) func(int) float64 { return func(i int) float64 { return v[min(i, len(v)-1)] } }
	for _, c := range []struct {
		name, level, when string
		value, other      func(int) float64
		late              func(int) time.Duration
		want              string // intervals by samples
	}{
		{name: "one sample", level: "> 5", value: within(7, 7, 6, 5), want: "7-7"},
		{name: "not less", level: ">= 5", value: within(7, 8, 5, 4.9), want: "7-8"},
		{name: "below", level: "< 5", value: within(3, 4, 4, 5), want: "3-4"},
		{name: "at most", level: "<= 5", value: within(3, 4, 5, 5.1), want: "3-4"},
		{name: "equal", level: "== 5", value: within(3, 4, 5, 5.1), want: "3-4"},
		{name: "other", level: "!= 5", value: within(3, 4, 6, 5), want: "3-4"},
		{name: "units", level: "> 15ms", value: within(3, 4, 0.016, 0.015), want: "3-4"},
		{name: "bytes", level: "> 2KB", value: within(3, 4, 2049, 2048), want: "3-4"},
		{name: "two of three", level: "> 5 for 3 samples", value: within(7, 8, 6, 0), want: ""},
		{name: "three", level: "> 5 for 3 samples", value: within(7, 9, 6, 0), want: "7-9"},
		{name: "to the end", level: "> 5 for 3 samples", value: within(17, 19, 6, 0), want: "17-19"},
		{name: "twice", level: "> 5 for 2 samples", value: list(0, 6, 6, 0, 6, 0, 6, 6, 6, 0), want: "1-2 6-8"},
		{name: "a missing value neither continues", level: "> 5 for 3 samples", value: list(0, 6, nan, 6, 0), want: ""},
		{name: "nor breaks", level: "> 5 for 3 samples", value: list(0, 6, nan, 6, 6, 0), want: "1-4"},
		{name: "no cell is the same", level: "> 5 for 3 samples", value: list(0, 6, math.Inf(1), 6, 6, 0), want: "1-4"},
		{name: "long enough", level: "> 5 for 30s", value: within(3, 6, 6, 0), want: "3-6"},
		{name: "too short", level: "> 5 for 31s", value: within(3, 6, 6, 0), want: ""},
		{name: "part of the time", level: "> 5 for 25% of the time", value: list(6, 0, 6, 6, 0, 0, 6, 0, 0, 0, 6, 0), want: "0-0 2-3 6-6 10-10"},
		{name: "too little of it", level: "> 5 for 26% of the time", value: list(6, 0, 6, 6, 0, 0, 6, 0, 0, 0, 6, 0), want: ""},
		{name: "between", level: "> 5 and < 7", value: list(5, 6, 7, 6, 5), want: "1-1 3-3"},
		{name: "when", level: "> 5", when: "> 0", value: constant(6), other: within(4, 6, 1, 0), want: "4-6"},
		{name: "when is not known", level: "> 5 for 3 samples", when: "> 0", value: constant(6), other: list(0, 1, nan, 1, 1, 0), want: "1-4"},
		{name: "ratio", level: `ratio \Disk(*)\Other > 0.5`, value: constant(6), other: within(4, 6, 11, 12), want: "4-6"},
		{name: "ratio to nothing", level: `ratio \Disk(*)\Other > 0.5`, value: constant(6), other: constant(0), want: ""},
		{name: "a short gap", level: "> 5 for 4 samples", value: within(8, 11, 6, 0), late: func(i int) time.Duration { return time.Duration(pick(i > 9, 19, 0)) * time.Second }, want: "8-11"},
		{name: "a gap", level: "> 5 for 4 samples", value: within(8, 11, 6, 0), late: func(i int) time.Duration { return time.Duration(pick(i > 9, 21, 0)) * time.Second }, want: ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "[x]\ncounter = \\Disk(*)\\Value\nwarning = " + c.level + "\n"
			if c.when != "" {
				text += `when = \Disk(*)\Other ` + c.when
			}
			r := &recording{n: 20, step: 10 * time.Second, late: c.late, values: map[string]func(int) float64{`\Disk(a)\Value`: c.value}}
			if c.other != nil {
				r.values[`\Disk(a)\Other`] = c.other
			}
			var got []string
			report := r.analyze(t, analyze.New(parse(t, text), nil))
			for _, f := range report.Findings {
				for _, i := range f.Intervals {
					first, last := -1, -1
					for k := range r.n {
						if r.at(k).Equal(i.Start) {
							first = k
						}
						if r.at(k).Equal(i.End) {
							last = k
						}
					}
					got = append(got, fmt.Sprintf("%d-%d", first, last))
				}
			}
			assert.Equal(t, c.want, strings.Join(got, " "))
		})
	}
}

func pick(yes bool, a, b int) int {
	if yes {
		return a
	}
	return b
}

// TestFinding holds the numbers of a finding with both levels.
func TestFinding(t *testing.T) {
	rules := parse(t, "[x]\ncounter = \\D(*)\\V\nwarning = > 10 for 2 samples\ncritical = > 20 for 2 samples\nshow = \\P(*)\\IO, \\P(*)\\Other\n")
	r := &recording{n: 20, step: time.Minute, values: map[string]func(int) float64{
		`\D(a)\V`:     func(i int) float64 { return []float64{5, 5, 12, 16, 30, 24, 12, 5}[min(i, 7)] },
		`\P(x)\IO`:    within(2, 6, 100, 7),
		`\P(y)\IO`:    within(2, 6, 1, 900),
		`\P(z)\IO`:    constant(50),
		`\P(w)\IO`:    constant(20),
		`\P(Idle)\IO`: constant(1e9), `\P(_Total)\IO`: constant(1e9),
	}}
	f := r.analyze(t, analyze.New(rules, nil)).Findings
	require.Len(t, f, 1)
	assert.Equal(t, analyze.Critical, f[0].Severity)
	assert.Equal(t, []analyze.Interval{{Start: r.at(2), End: r.at(6), Samples: 5}}, f[0].Intervals)
	assert.Equal(t, analyze.Worst{Value: 30, Time: r.at(4)}, f[0].Worst)
	assert.InDelta(t, (12.0+16+30+24+12)/5, f[0].Average, 1e-9)
	assert.InDelta(t, 0.25, f[0].Share, 1e-9)
	assert.InDelta(t, 20, f[0].Threshold, 0)
	var who []string
	for _, e := range f[0].Evidence {
		who = append(who, fmt.Sprint(e.Path, " ", e.Average))
	}
	assert.Equal(t, []string{`\\SRV\P(x)\IO 100`, `\\SRV\P(z)\IO 50`, `\\SRV\P(w)\IO 20`}, who)
}

// TestTrend holds when a line is a trend: straight, long, and of one process.
func TestTrend(t *testing.T) {
	rules := parse(t, "[x]\ncounter = \\Process(*)\\Handle Count\nwarning = > 100 and trend > 60/h over 1h\n")
	grow := func(i int) float64 { return 1000 + 2*float64(i) } // 120 an hour
	for _, c := range []struct {
		name       string
		value, pid func(int) float64
		want       string
	}{
		{"straight", grow, constant(4), "0-120"},
		{"without a process", grow, nil, "0-120"},
		{"too slow", func(i int) float64 { return 1000 + 0.99*float64(i) }, constant(4), ""},
		{"falling", func(i int) float64 { return 2000 - 2*float64(i) }, constant(4), ""},
		{"too little in the end", func(i int) float64 { return -150 + 2*float64(i) }, constant(4), ""},
		{"noise", func(i int) float64 { return 1000 + 2*float64(i) + 400*float64(i%2) }, constant(4), ""},
		{"two processes, of which one is long enough", grow, within(0, 40, 4, 8), "41-120"},
		{"processes that are not", grow, func(i int) float64 { return float64(4 + i/50) }, ""},
	} {
		r := &recording{n: 121, step: time.Minute, values: map[string]func(int) float64{`\Process(a)\Handle Count`: c.value}}
		if c.pid != nil {
			r.values[`\Process(a)\ID Process`] = c.pid
		}
		got := ""
		for _, f := range r.analyze(t, analyze.New(rules, nil)).Findings {
			got = fmt.Sprintf("%v-%v", f.Intervals[0].Start.Sub(begin).Minutes(), f.Intervals[0].End.Sub(begin).Minutes())
			assert.InEpsilon(t, 2.0/60, f.Trend.PerSecond, 1e-9)
			assert.InEpsilon(t, 1, f.Trend.Explained, 1e-9)
		}
		assert.Equal(t, c.want, got, c.name)
	}
}

// TestInputs holds where the counters of a metric are found.
func TestInputs(t *testing.T) {
	for _, c := range []struct{ name, metric, path, why string }{
		{"the same instance", `[A\X] / [A\Y]`, `\A(i)\Y`, ""},
		{"another object", `[A\X] / [B\Y]`, `\B(i)\Y`, ""},
		{"without instances", `[A\X] / [B\Y]`, `\B\Y`, ""},
		{"the total", `[A\X] / [B\Y]`, `\B(_Total)\Y`, ""},
		{"none", `[A\X] / [B\Y]`, `\B(k)\Y`, `no instance has a value of [A\X] / [B\Y]`},
		{"nowhere", `[A\X] / [B\Z]`, `\B(k)\Y`, `not recorded: \B(*)\Z`},
		{"processors", `[A\X] / cpus`, `\Processor(0)\% Processor Time`, ""},
		{"no processors", `[A\X] / cpus`, `\B\Y`, `the number of processors is not known; --fact cpus=4 gives it`},
		{"memory", `[A\X] / ram`, `\NUMA Node Memory(0)\Total MBytes`, ""},
		{"no memory", `[A\X] / ram`, `\B\Y`, `the memory of the machine is not known; --fact ram=16GB gives it`},
	} {
		r := &recording{n: 12, step: time.Second, values: map[string]func(int) float64{`\A(i)\X`: constant(100), c.path: constant(1)}}
		report := r.analyze(t, analyze.New(parse(t, "[x]\nmetric = "+c.metric+"\nwarning = > 0\n"), nil))
		if c.why != "" {
			require.Len(t, report.Skipped, 1, c.name)
			assert.Equal(t, c.why, report.Skipped[0].Reason, c.name)
			continue
		}
		require.Len(t, report.Findings, 1, c.name)
		assert.Equal(t, "i", report.Findings[0].Instance)
	}
}

// TestFolding holds which findings are one.
func TestFolding(t *testing.T) {
	rules := analyze.BuiltIn()
	r := &recording{n: 60, step: 10 * time.Second, values: map[string]func(int) float64{}}
	slow, rate := within(10, 40, 0.1, 0.001), constant(80)
	for _, disk := range []string{`PhysicalDisk(1 D: E:)`, `LogicalDisk(D:)`, `LogicalDisk(F:)`} {
		r.values[`\`+disk+`\Avg. Disk sec/Read`], r.values[`\`+disk+`\Disk Reads/sec`] = slow, rate
	}
	r.values[`\PhysicalDisk(0 C:)\Avg. Disk sec/Read`], r.values[`\PhysicalDisk(0 C:)\Disk Reads/sec`] = within(45, 55, 0.1, 0.001), rate
	var got []string
	for _, f := range r.analyze(t, analyze.New(rules, nil)).Findings {
		text := f.Instance
		for _, a := range f.Also {
			text += "+" + a.Instance
		}
		got = append(got, text)
	}
	assert.Equal(t, []string{"1 D: E:+D:", "F:", "0 C:"}, got)
}

// TestOrder holds that the worst findings come first.
func TestOrder(t *testing.T) {
	rules := parse(t, "[x]\ncounter = \\D(*)\\V\nwarning = > 10\ncritical = > 100\n")
	r := &recording{n: 20, step: time.Minute, values: map[string]func(int) float64{
		`\D(a)\V`: within(0, 9, 20, 0), `\D(b)\V`: within(5, 7, 11, 0), `\D(c)\V`: within(3, 3, 101, 0), `\D(d)\V`: within(11, 19, 99, 0),
	}}
	var got []string
	for _, f := range r.analyze(t, analyze.New(rules, nil)).Findings {
		got = append(got, f.Instance)
	}
	assert.Equal(t, []string{"c", "d", "a", "b"}, got)
}

// TestMachines holds that machines are kept apart.
func TestMachines(t *testing.T) {
	r := &recording{n: 20, step: time.Minute, values: map[string]func(int) float64{`\\A\D(x)\V`: constant(1), `\\B\D(x)\V`: constant(20)}}
	a := analyze.New(parse(t, "[x]\ncounter = \\D(*)\\V\nwarning = > 10\n"), nil)
	for f := range r.frames(t) {
		a.Add(f)
	}
	all := a.Reports()
	require.Len(t, all, 2)
	assert.Equal(t, "A", all[0].Machine)
	assert.Empty(t, all[0].Findings)
	assert.Len(t, all[1].Findings, 1)
	assert.Equal(t, 20, all[1].Quality.Samples)
}

// TestQuality holds what is said about a recording.
func TestQuality(t *testing.T) {
	r := &recording{n: 30, step: time.Minute, values: map[string]func(int) float64{
		`\A\X`:                     constant(1),
		`\A\Never`:                 constant(math.NaN()),
		`\Process(svc)\ID Process`: constant(10), `\Process(svc#1)\ID Process`: within(0, 14, 11, 12), // restarted
		`\Process(cmd)\ID Process`: func(i int) float64 { return float64(100 + i) },                          // always another
		`\Process(w)\ID Process`:   within(0, 14, 20, 21), `\Process(w#1)\ID Process`: within(0, 14, 21, 22), // the first ended
		`\Process(_Total)\ID Process`: constant(0),
	}, late: func(i int) time.Duration { return time.Duration(pick(i > 20, 10, 0)) * time.Minute }}
	q := r.analyze(t, analyze.New(&analyze.Rules{}, nil)).Quality
	assert.Equal(t, 30, q.Samples)
	assert.False(t, q.TooFew)
	assert.InDelta(t, 60, q.Interval, 0)
	assert.Equal(t, []analyze.Gap{{Start: r.at(20), End: r.at(21)}}, q.Gaps)
	assert.Equal(t, []string{`\\SRV\A\Never`}, q.NoValue)
	assert.Equal(t, map[string]int{"invalid-data": 29}, q.Missing, "without the first sample")
	var names []string
	for _, s := range q.Restarts {
		names = append(names, fmt.Sprint(s.Instance, " ", s.From, " ", s.To))
	}
	assert.Equal(t, []string{"svc#1 11 12"}, names)
}

// TestMemory holds that memory grows with the series and not with the samples,
// however often a rule begins and ends to hold.
func TestMemory(t *testing.T) {
	rules := analyze.BuiltIn()
	rules.Add(parse(t, "[x]\ncounter = \\D(*)\\V\nwarning = > 10\nshow = \\D(*)\\V\n"))
	used := func(n int) uint64 {
		r := &recording{n: n, step: time.Second, values: map[string]func(int) float64{}}
		for k := range 20 {
			r.values[fmt.Sprintf(`\D(%d)\V`, k)] = func(i int) float64 { return float64(20 * ((i + k) % 2)) }
			r.values[fmt.Sprintf(`\Process(p#%d)\ID Process`, k)] = func(i int) float64 { return float64(1000*k + i/15) }
		}
		a := analyze.New(rules, nil)
		var before, after runtime.MemStats
		for f := range r.frames(t) {
			if a.Add(f); f.Record == 3000 {
				runtime.GC()
				runtime.ReadMemStats(&before)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		report := a.Reports()[0]
		assert.NotEmpty(t, report.Findings)
		assert.LessOrEqual(t, len(report.Findings[0].Intervals), 1000)
		return max(after.HeapAlloc, before.HeapAlloc) - before.HeapAlloc
	}
	assert.Less(t, used(60_000), uint64(1<<20))
}

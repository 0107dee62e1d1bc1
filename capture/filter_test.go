package capture_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
)

// processSeries are 20 counters of each of n processes.
func processSeries(n int) (all []*capture.Series) {
	for i := range n {
		owner := capture.Owner{Host: "HOST", Object: "Process", Instance: fmt.Sprintf("process %d", i/2), InstanceIndex: i % 2, HasInstance: true}
		for j := range 20 {
			all = append(all, &capture.Series{Owner: &owner, Metric: &capture.Metric{Counter: fmt.Sprintf("Counter %d/sec", j)}})
		}
	}
	return all
}

// TestFilterOfManyPaths holds that many paths let through what each of them does
// alone, and were for nothing where it was.
func TestFilterOfManyPaths(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	var all []*capture.Series
	for range 500 {
		o := capture.Owner{Host: pick("A", "b", ""), Object: pick("Process", "PROCESS", "Straße", "Foo (x)", "Kilo"), HasInstance: random.IntN(4) > 0}
		if o.HasInstance {
			o.Parent, o.Instance, o.InstanceIndex = pick("", "", "p"), pick("a", "B", "a(1)", "ä", "x"), random.IntN(2)
		}
		all = append(all, &capture.Series{Owner: &o, Metric: &capture.Metric{Counter: pick("% Time", "% time", "ID", `a)\b`)}})
	}
	object := []string{"process", "Straße", "STRAẞE", "Foo (x)", "*", "P*", "*o*", "\u212ailo", "none"}
	instance := []string{"", "(*)", "(a)", "(b)", "(A#1)", "(a#0)", "(p/a)", "(P/B#1)", "(*b*)", "(Ä)", "(a[1])", "(x)", "(none)"}
	counter := []string{"% Time", "*", "i*", "id", "b", "None"}
	for range 100 {
		var paths []string
		var alone []*capture.Filter
		for range 9 + random.IntN(30) {
			path := pick("", "", `\\a`, `\\*`, `\\B`) + `\` + pick(object...) + pick(instance...) + `\` + pick(counter...)
			f, err := capture.NewFilter(path)
			require.NoError(t, err)
			paths, alone = append(paths, path), append(alone, f)
		}
		many, err := capture.NewFilter(paths...)
		require.NoError(t, err)
		for _, s := range all {
			want := false
			for _, f := range alone {
				want = f.Match(s) || want
			}
			require.Equal(t, want, many.Match(s), "%q: %s", paths, s.Path())
		}
		var unused []string
		for _, f := range alone {
			unused = append(unused, f.Unused()...)
		}
		require.Equal(t, unused, many.Unused())
	}
}

// BenchmarkFilter asks filters of few and of many paths about 20,000 series.
func BenchmarkFilter(b *testing.B) {
	all := processSeries(1000)
	var paths []string
	for _, s := range all {
		paths = append(paths, s.Path())
	}
	wild := []string{`\Process(*1)\Counter 1*`, `\Memory\*`, `\*(process 7*)\Counter 3/sec`}
	for _, c := range []struct {
		name  string
		paths []string
		takes int
	}{
		{"1", []string{`\Process(*)\Counter 7/sec`}, 1000},
		{"3", wild, 0},
		{"10", append(wild, paths[:7]...), 0},
		{"100", paths[:100], 100},
		{"20000", paths, 20000},
		{"20000Others", append([]string{`\Processor(*)\*`}, paths[10000:]...), 10000},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f, err := capture.NewFilter(c.paths...)
				require.NoError(b, err)
				n := 0
				for _, s := range all {
					if f.Match(s) {
						n++
					}
				}
				if c.takes > 0 {
					require.Equal(b, c.takes, n)
				}
			}
		})
	}
}

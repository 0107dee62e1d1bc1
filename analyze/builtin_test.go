package analyze_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/analyze"
)

func TestBuiltIn(t *testing.T) {
	rules := analyze.BuiltIn()
	require.Greater(t, rules.Len(), 80)
	again, err := analyze.Parse([]byte(rules.String()), perfdump.Options{})
	require.NoError(t, err)
	require.Equal(t, rules.String(), again.String())
	for r := range rules.All() {
		assert.NotEqual(t, r.Name, r.Title)
		assert.NotEmpty(t, r.Means, r.Name)
		assert.NotEmpty(t, r.Next, r.Name)
	}
	rules.Remove("cpu-busy")
	assert.Equal(t, rules.Len()+1, analyze.BuiltIn().Len(), "they do not change")
}

// tried is a row of testdata/rules.tsv.
type tried struct {
	rule, severity, counter   string
	trend                     bool
	quiet, start, within, bad float64
	others                    map[string]float64
}

func readTried(t *testing.T) (all []tried) {
	b, err := os.ReadFile(filepath.Join("testdata", "rules.tsv"))
	require.NoError(t, err)
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || f[0] == "rule" {
			continue
		}
		require.Len(t, f, 9, line)
		n := func(s string) float64 {
			v, err := strconv.ParseFloat(s, 64)
			require.NoError(t, err, line)
			return v
		}
		x := tried{rule: f[0], severity: f[1], trend: f[2] == "trend", counter: f[3], quiet: n(f[4]), start: n(f[5]), within: n(f[6]), bad: n(f[7]), others: map[string]float64{}}
		for other := range strings.SplitSeq(f[8], "; ") {
			if path, v, ok := strings.Cut(other, " = "); ok {
				x.others[path] = n(v)
			}
		}
		all = append(all, x)
	}
	return all
}

// TestEachRule tries each built-in rule: it finds what is bad, at that time and no
// other, and nothing just within the limit.
func TestEachRule(t *testing.T) {
	all := readTried(t)
	require.Len(t, all, analyze.BuiltIn().Len())
	for _, x := range all {
		t.Run(x.rule, func(t *testing.T) {
			const n, from, to = 240, 100, 170
			step := 15 * time.Second
			if x.trend {
				step = 2 * time.Minute // eight hours
			}
			for _, bad := range []bool{true, false} {
				r := &recording{n: n, step: step, values: map[string]func(i int) float64{}}
				for path, v := range x.others {
					r.values[path] = func(int) float64 { return v }
				}
				for _, cpu := range []string{"0", "1", "2", "3"} {
					if path := `\Processor(` + cpu + `)\% Idle Time`; r.values[path] == nil {
						r.values[path] = func(int) float64 { return 50 }
					}
				}
				r.values[x.counter] = func(i int) float64 {
					hours := (time.Duration(i) * step).Hours()
					switch {
					case x.trend && bad:
						return x.start + x.bad*hours
					case x.trend:
						return x.quiet + x.within*hours
					case i < from || i > to:
						return x.quiet
					case bad:
						return x.bad
					default:
						return x.within
					}
				}
				a := analyze.New(only(t, x.rule), map[string]float64{"ram": 16 << 30})
				report := r.analyze(t, a)
				require.Equal(t, 1, report.Checked, "%v", report.Skipped)
				if !bad {
					assert.Empty(t, report.Findings, "just within the limit")
					continue
				}
				require.Len(t, report.Findings, 1)
				f := report.Findings[0]
				assert.Equal(t, x.severity, f.Severity.String())
				want := analyze.Interval{Start: r.at(from), End: r.at(to), Samples: to - from + 1}
				if x.trend {
					want = analyze.Interval{Start: r.at(0), End: r.at(n - 1), Samples: n}
				}
				assert.Equal(t, []analyze.Interval{want}, f.Intervals)
			}
		})
	}
}

// only returns a built-in rule.
func only(t *testing.T, name string) *analyze.Rules {
	rules := analyze.BuiltIn()
	for r := range analyze.BuiltIn().All() {
		if r.Name != name {
			require.True(t, rules.Remove(r.Name))
		}
	}
	require.Equal(t, 1, rules.Len())
	return rules
}

package capture_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/ipcblock"
)

// TestFilterOfManyPaths checks that many paths let through what each of them does
// alone, and were for nothing where it was.
func TestFilterOfManyPaths(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	var all []*capture.Series
	for range 200 {
		o := capture.Owner{Host: pick("A", "b", ""), Object: pick("Process", "PROCESS", "Straße", "Foo (x)", "Kilo"), HasInstance: random.IntN(4) > 0}
		if o.HasInstance {
			o.Parent, o.Instance, o.InstanceIndex = pick("", "", "p"), pick("a", "B", "a(1)", "ä", "x"), random.IntN(2)
		}
		all = append(all, &capture.Series{Owner: &o, Metric: &capture.Metric{Counter: pick("% Time", "% time", "ID", `a)\b`)}})
	}
	object := []string{"process", "Straße", "STRAẞE", "Foo (x)", "*", "P*", "*o*", "\u212ailo", "none"}
	instance := []string{"", "(*)", "(a)", "(b)", "(A#1)", "(a#0)", "(p/a)", "(P/B#1)", "(*b*)", "(Ä)", "(a[1])", "(x)", "(none)"}
	counter := []string{"% Time", "*", "i*", "id", "b", "None"}
	for range 40 {
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
			if many.Match(s) != want {
				t.Fatalf("%q: %s: want %v", paths, s.Path(), want)
			}
		}
		var unused []string
		for _, f := range alone {
			unused = append(unused, f.Unused()...)
		}
		require.Equal(t, unused, many.Unused())
	}
}

// TestFilterFields holds which fields the paths choose, by the names that perfmon
// has for them (docs/ipcblock.md): a counter of two numbers has the fields of both.
func TestFilterFields(t *testing.T) {
	for _, c := range []struct {
		paths []string
		want  []ipcblock.Field
		ok    bool
	}{
		{[]string{`\.NET CLR Memory(*)\# GC Handles`}, []ipcblock.Field{field("gc.gcHandles")}, true},
		{[]string{`\.net clr memory\# gc handles`, `\.NET CLR Memory\Process ID`, `\Memory\*`}, []ipcblock.Field{ipcblock.ProcessID, field("gc.gcHandles")}, true},
		{[]string{`\Memory\# GC Handles`}, nil, false},
		{[]string{`\.NET CLR Memory\GC Handles`}, nil, false},
	} {
		filter, err := capture.NewFilter(c.paths...)
		require.NoError(t, err)
		show, ok := filter.Fields()
		require.Equal(t, c.ok, ok, c.paths)
		var got []ipcblock.Field
		for f := range ipcblock.Field(ipcblock.NumFields) {
			if show(f) {
				got = append(got, f)
			}
		}
		require.ElementsMatch(t, c.want, got, c.paths)
	}
	show, ok := (*capture.Filter)(nil).Fields()
	require.True(t, ok)
	require.Nil(t, show)
}

// field finds a field of the perf block by its section and name.
func field(name string) ipcblock.Field {
	section, name, _ := strings.Cut(name, ".")
	f, _ := ipcblock.FieldByName(section, name)
	return f
}

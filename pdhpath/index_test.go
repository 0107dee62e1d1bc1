package pdhpath_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/pdhpath"
)

// TestIndexAgainstAll matches random patterns with random paths, whose parts have
// few characters, so that many match: the index must give all that match, and
// what it gives must be few where parts are given.
func TestIndexAgainstAll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := []string{"a", "A", "b", "ä", "Ä", "k", "\u212a", "(", ")", "[", "]", "#", "0", "1", "/", `\`, "\xff", "\xc3", "\x00", "*"}
	word := func(least, most int, stars bool) string {
		var b strings.Builder
		for range least + random.IntN(most-least+1) {
			n := len(letters)
			if !stars {
				n--
			}
			b.WriteString(letters[random.IntN(n)])
		}
		return b.String()
	}
	var patterns []*pdhpath.Pattern
	for len(patterns) < 4000 {
		text := `\` + word(1, 2, random.IntN(4) == 0)
		if random.IntN(3) > 0 {
			text += "(" + word(0, 3, random.IntN(3) == 0) + []string{"", "", "#0", "#1"}[random.IntN(4)] + ")"
		}
		text += `\` + word(1, 2, random.IntN(4) == 0)
		switch random.IntN(8) {
		case 0:
			text = `\\` + word(1, 2, true) + text
		case 1:
			text = "*"
		}
		if p, err := pdhpath.Compile(text); err == nil {
			patterns = append(patterns, p)
		}
	}
	x := pdhpath.NewIndex(patterns)
	matched, named := 0, 0
	for range 2000 {
		path := pdhpath.Path{Machine: word(0, 1, false), Object: word(1, 2, false), Counter: word(1, 2, false)}
		if random.IntN(3) > 0 {
			path.HasInstance, path.Instance = true, word(0, 3, false)
			if random.IntN(3) == 0 {
				path.Parent = word(0, 2, false)
			}
			path.Index = random.IntN(3)
		}
		may, mayName := map[int]bool{}, map[int]bool{}
		x.Each(path, func(i int) { may[i] = true })
		x.EachName(path.Object, path.Counter, func(i int) { mayName[i] = true })
		for i, p := range patterns {
			if p.Match(path) {
				require.True(t, may[i], "%q %+q", p, path)
				matched++
			}
			if p.MatchObject(path.Object) && p.MatchCounter(path.Counter) {
				require.True(t, mayName[i], "%q %+q", p, path)
				named++
			}
		}
	}
	require.Greater(t, matched, 2000)
	require.Greater(t, named, 2000)
}

// TestIndexFindsFew: no pattern is given whose parts say that it is for something
// else.
func TestIndexFindsFew(t *testing.T) {
	x := pdhpath.NewIndex([]*pdhpath.Pattern{
		compile(t, `\Process(a)\% Processor Time`),
		compile(t, `\Process(b)\% Processor Time`),
		compile(t, `\process(B#0)\% processor time`),
		compile(t, `\Process(b*)\% Processor Time`),
		compile(t, `\Process(b)\*`),
		compile(t, `\Process(b)\ID Process`),
		compile(t, `\Thread(b)\*`),
		compile(t, `\*(b)\% Processor Time`),
		compile(t, `\Process\% Processor Time`),
	})
	each := func(path pdhpath.Path) (all []int) {
		x.Each(path, func(i int) { all = append(all, i) })
		return all
	}
	path := pdhpath.Path{Object: "PROCESS", Instance: "B", HasInstance: true, Counter: "% Processor Time"}
	require.Equal(t, []int{7, 4, 3, 1, 2}, each(path))
	path.Index = 1
	require.Equal(t, []int{3}, each(path)) // 4 and 7 are for b, not for b#1
	require.Equal(t, []int{8}, each(pdhpath.Path{Object: "Process", Counter: "% Processor Time"}))
	require.Equal(t, []int{3, 7}, each(pdhpath.Path{Object: "Process(b1)", Counter: "% Processor Time"}))
	var names []int
	x.EachName("Process", "id process", func(i int) { names = append(names, i) })
	require.Equal(t, []int{4, 5}, names)
}

// TestIndexOfManyInstances: of many patterns that differ in their instances alone
// few are given, whatever their counters: asking all for each value takes minutes.
func TestIndexOfManyInstances(t *testing.T) {
	for _, form := range []string{`\*(i%d)\*`, `\\*\P*s(i%d)\%% Processor Time`, `\Pro*(*x%dx*)\*`, `\Process(i%d)\*`, `\Process(i%dx*)\*`, `\Process(*x%d)\%% Processor Time`, `\Process(i%d*y)\*`, `\Process(*i%dx*)\*e`} {
		var patterns []*pdhpath.Pattern
		for i := range 4_000 {
			patterns = append(patterns, compile(t, fmt.Sprintf(form, i)))
		}
		x := pdhpath.NewIndex(patterns)
		asked, matched := 0, 0
		for i := range 5_000 {
			name := strings.NewReplacer("*", "z").Replace(fmt.Sprintf(strings.Split(strings.Split(form, "(")[1], ")")[0], i))
			path := pdhpath.Path{Object: "Process", Instance: name, HasInstance: true, Counter: "% Processor Time"}
			x.Each(path, func(k int) {
				asked++
				if patterns[k].Match(path) {
					matched++
				}
			})
		}
		require.GreaterOrEqual(t, matched, 4_000, form)
		require.Less(t, asked, 10*5_000, form)
	}
}

func TestIndexAllocatesNothing(t *testing.T) {
	all := []*pdhpath.Pattern{compile(t, `\Process(p/a#1)\% Processor Time`), compile(t, `*`)}
	for range 20 {
		all = append(all, compile(t, `\Process(p/a)\% Processor Time`))
	}
	x := pdhpath.NewIndex(all)
	n := 0
	path := pdhpath.Path{Object: "Process", Parent: "p", Instance: "a", Index: 1, HasInstance: true, Counter: "% Processor Time"}
	require.Zero(t, testing.AllocsPerRun(100, func() { x.Each(path, func(int) { n++ }) }))
	require.Equal(t, 202, n)
}

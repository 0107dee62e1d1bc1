package pdhpath_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/pdhpath"
)

func compile(t testing.TB, s string) *pdhpath.Pattern {
	p, err := pdhpath.Compile(s)
	require.NoError(t, err, s)
	require.Equal(t, s, p.String())
	return p
}

func TestMatchParts(t *testing.T) {
	p := compile(t, `\Process(sql*)\% Processor Time`)
	require.True(t, p.MatchObject("process"))
	require.False(t, p.MatchObject("Processor"))
	require.False(t, p.MatchObject("Proces"))
	require.True(t, p.MatchCounter("% PROCESSOR time"))
	require.False(t, p.MatchCounter("% Processor Times"))
	require.True(t, p.MatchMachine("anything"))
	require.True(t, p.MatchMachine(""))
	require.True(t, p.MatchInstance("", "SQLservr", 0))
	require.True(t, p.MatchInstance("", "sqlservr", 2))
	require.False(t, p.MatchInstance("", "mysql", 0))
	require.False(t, p.MatchInstance("", "", 0))

	p = compile(t, `\\web*1\*\*`)
	require.True(t, p.MatchMachine(`\\WEB-01`))
	require.True(t, p.MatchMachine(`web1`))
	require.False(t, p.MatchMachine(`web2`))
	require.False(t, p.MatchMachine(``))
	require.True(t, compile(t, `\\*\O\C`).MatchMachine(""))

	p = compile(t, "*")
	require.True(t, p.MatchObject("x") && p.MatchCounter("") && p.MatchMachine("") && p.MatchInstance("", "", 0) && p.MatchInstance("a", "b", 3))
	require.True(t, p.Match(pdhpath.Path{Object: "O", Counter: "C"}))
}

func TestMatchInstances(t *testing.T) {
	type inst struct {
		parent, name string
		n            int
	}
	for _, c := range []struct {
		pattern  string
		yes, not []inst
	}{
		{`\O\C`, []inst{{}}, []inst{{"", "a", 0}, {"", "", 1}, {"p", "", 0}}},
		{`\O(*)\C`, []inst{{}, {"", "a", 0}, {"", "", 1}, {"p", "a", 4}}, nil},
		{`\O(**)\C`, []inst{{}, {"p", "a", 4}}, nil},
		{`\O()\C`, nil, []inst{{}, {"", "a", 0}}},
		{`\O(a*)\C`, []inst{{"", "a", 0}, {"a", "x", 0}, {"", "a", 2}}, []inst{{}, {"p", "a", 0}}},
		{`\O(svchost)\C`, []inst{{"", "SvcHost", 0}}, []inst{{"", "svchost", 1}, {"p", "svchost", 0}}},
		{`\O(svchost#0)\C`, []inst{{"", "svchost", 0}, {"", "svchost#0", 0}}, []inst{{"", "svchost", 1}}},
		{`\O(svchost#2)\C`, []inst{{"", "svchost", 2}, {"", "svchost#2", 0}}, []inst{{"", "svchost", 0}, {"", "svchost", 22}}},
		{`\O(svchost#*)\C`, []inst{{"", "svchost", 2}}, []inst{{"", "svchost", 0}}},
		{`\O(a#1#0)\C`, []inst{{"", "a#1", 0}, {"", "a", 1}}, []inst{{"", "a", 0}}},
		{`\O(*/0)\C`, []inst{{"p", "0", 0}, {"", "x/0", 0}}, []inst{{"", "0", 0}, {"p", "0", 1}}},
		{`\O(p/*#1)\C`, []inst{{"P", "0", 1}}, []inst{{"p", "0", 0}}},
		{`\O(site #5)\C`, []inst{{"", "site #5", 0}}, []inst{{"", "site #5", 1}}},
		{`\O(intel[r] net)\C`, []inst{{"", "Intel(R) net", 0}, {"", "intel[r] net", 0}}, nil},
		{`\O(intel(r) net)\C`, []inst{{"", "Intel(R) net", 0}, {"", "intel[r] net", 0}}, nil},
		{`\O(*a*b*a)\C`, []inst{{"", "aba", 0}, {"", "xaybzaa", 0}}, []inst{{"", "ab", 0}, {"", "aab", 0}}},
		{`\O(a*a)\C`, []inst{{"", "aa", 0}}, []inst{{"", "a", 0}}},
		{`\O(ÜBER*ß)\C`, []inst{{"", "überß", 0}, {"", "Über xß", 0}}, []inst{{"", "uberß", 0}}},
		{`\O(привет)\C`, []inst{{"", "ПРИВЕТ", 0}}, nil},
		{`\O(k)\C`, []inst{{"", "\u212A", 0}}, nil},
	} {
		p := compile(t, c.pattern)
		for _, i := range c.yes {
			require.True(t, p.MatchInstance(i.parent, i.name, i.n), "%s %v", c.pattern, i)
		}
		for _, i := range c.not {
			require.False(t, p.MatchInstance(i.parent, i.name, i.n), "%s %v", c.pattern, i)
		}
	}
}

// Only objects and counters with real brackets tell ( from [.
func TestBracketsAreAlikeInInstancesOnly(t *testing.T) {
	require.False(t, compile(t, `\a[b]\c`).MatchObject("a(b)"))
	require.False(t, compile(t, `\a\c[d]`).MatchCounter("c(d)"))
}

func TestMatchTriesEachWayToTakeAPathApart(t *testing.T) {
	p := compile(t, `\Foo (bar)\Count`)
	require.True(t, p.Match(pdhpath.Path{Object: "foo (bar)", Counter: "count"}))
	require.True(t, p.Match(pdhpath.Path{Object: "Foo ", HasInstance: true, Instance: "bar", Counter: "Count"}))
	require.False(t, p.Match(pdhpath.Path{Object: "Foo ", Counter: "Count"}), "the parts of two ways do not mix")
	require.False(t, p.Match(pdhpath.Path{Object: "foo (bar)", HasInstance: true, Instance: "bar", Counter: "count"}))
	require.True(t, compile(t, `\.NET (x)(i)\c`).Match(pdhpath.Path{Object: ".NET (x)", HasInstance: true, Instance: "i", Counter: "c"}))
	require.True(t, compile(t, `\O(i)\a (b)\c`).Match(pdhpath.Path{Object: "O", HasInstance: true, Instance: "i", Counter: `a (b)\c`}))

	// An unnamed instance is one, here where it can be told.
	p = compile(t, `\O()\C`)
	require.True(t, p.Match(pdhpath.Path{Object: "O", HasInstance: true, Counter: "C"}))
	require.False(t, p.Match(pdhpath.Path{Object: "O", Counter: "C"}))

	p = compile(t, `\\h\O(i)\C`)
	require.False(t, p.Match(pdhpath.Path{Machine: "g", Object: "O", HasInstance: true, Instance: "i", Counter: "C"}))
	compile(t, `\O(`+strings.Repeat("(a)\\", 5000)+`)\c`)
}

func TestMatchingIsNotExponential(t *testing.T) {
	p := compile(t, `\O(`+strings.Repeat("a*", 50)+`b)\C`)
	start := time.Now()
	require.False(t, p.MatchInstance("", strings.Repeat("a", 200_000), 0))
	require.Less(t, time.Since(start), 2*time.Second)
}

func TestMatchingAllocatesNothing(t *testing.T) {
	p := compile(t, `\\h*\Process(*svc*st#1)\% Processor*`)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if !p.MatchMachine("HOST") || !p.MatchObject("process") || !p.MatchInstance("", "svchost", 1) || !p.MatchCounter("% processor time") {
			t.Error("no match")
		}
	}))
	p = compile(t, `\O(p/*ü*#3)\ä*`)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if !p.MatchInstance("P", "grÜn", 3) || !p.MatchCounter("Äpfel") {
			t.Error("no match")
		}
	}))
}

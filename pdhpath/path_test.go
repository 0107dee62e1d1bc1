package pdhpath_test

import (
	"encoding"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/pdhpath"
)

var _ encoding.TextAppender = pdhpath.Path{}

var paths = []struct {
	text string
	path pdhpath.Path
}{
	{`\System\Threads`, pdhpath.Path{Object: "System", Counter: "Threads"}},
	{`\\host\System\Threads`, pdhpath.Path{Machine: "host", Object: "System", Counter: "Threads"}},
	{`\Processor(_Total)\% Processor Time`, pdhpath.Path{Object: "Processor", Instance: "_Total", HasInstance: true, Counter: "% Processor Time"}},
	{`\\SRV-1\Thread(sqlservr/12#3)\ID Thread`, pdhpath.Path{Machine: "SRV-1", Object: "Thread", Parent: "sqlservr", Instance: "12", Index: 3, HasInstance: true, Counter: "ID Thread"}},
	{`\O(a#1/b#2)\C`, pdhpath.Path{Object: "O", Parent: "a#1", Instance: "b", Index: 2, HasInstance: true, Counter: "C"}},
	{`\O()\C`, pdhpath.Path{Object: "O", HasInstance: true, Counter: "C"}},
	{`\O(#1)\C`, pdhpath.Path{Object: "O", Index: 1, HasInstance: true, Counter: "C"}},
	{`\O(C#)\C`, pdhpath.Path{Object: "O", Instance: "C#", HasInstance: true, Counter: "C"}},
	{`\O(a#01)\C`, pdhpath.Path{Object: "O", Instance: "a#01", HasInstance: true, Counter: "C"}},
	{`\O(a#1234567890)\C`, pdhpath.Path{Object: "O", Instance: "a#1234567890", HasInstance: true, Counter: "C"}},
	{`\O(a#1#2)\C`, pdhpath.Path{Object: "O", Instance: "a#1", Index: 2, HasInstance: true, Counter: "C"}},
	{`\O(/b)\C`, pdhpath.Path{Object: "O", Instance: "/b", HasInstance: true, Counter: "C"}},
	{`\O(a/b/c)\C`, pdhpath.Path{Object: "O", Parent: "a", Instance: "b/c", HasInstance: true, Counter: "C"}},
	{`\O(a (b)\c)\C`, pdhpath.Path{Object: "O", Instance: `a (b)\c`, HasInstance: true, Counter: "C"}},
	{`\O(C:\dir)\C`, pdhpath.Path{Object: "O", Instance: `C:\dir`, HasInstance: true, Counter: "C"}},
	{`\O(i)\Avg. (x) a/b`, pdhpath.Path{Object: "O", Instance: "i", HasInstance: true, Counter: "Avg. (x) a/b"}},
	{`\O\Batch (x)/sec`, pdhpath.Path{Object: "O", Counter: "Batch (x)/sec"}},
	{`\a)\c`, pdhpath.Path{Object: "a)", Counter: "c"}},
}

func TestParseAndString(t *testing.T) {
	for _, c := range paths {
		got, err := pdhpath.Parse(c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.path, got, c.text)
		require.Equal(t, c.text, got.String())
		b, err := got.AppendText([]byte("> "))
		require.NoError(t, err)
		require.Equal(t, "> "+c.text, string(b))
	}
}

func TestNumberZeroIsNoNumber(t *testing.T) {
	for text, want := range map[string]string{
		`\O(a#0)\C`: `\O(a)\C`, `\O(a#0#0)\C`: `\O(a)\C`, `\O(a#1#0)\C`: `\O(a#1)\C`, `\O(#0)\C`: `\O()\C`, `\O(p/a#0)\C`: `\O(p/a)\C`, `\O(a#00)\C`: `\O(a#00)\C`,
	} {
		p, err := pdhpath.Parse(text)
		require.NoError(t, err)
		require.Equal(t, want, p.String(), text)
	}
}

func TestErrorsSayWhatIsExpected(t *testing.T) {
	for text, want := range map[string]struct {
		off  int64
		text string
	}{
		``:             {0, `want \object(instance)\counter`},
		`Processor`:    {0, `does not begin with "\"`},
		`\`:            {1, `no counter`},
		`\Processor`:   {10, `no counter`},
		`\\`:           {2, `no host`},
		`\\\O\C`:       {2, `no host`},
		`\\host`:       {6, `a host only`},
		`\\host\`:      {7, `no counter`},
		`\\host\O`:     {8, `no counter`},
		`\\host\\C`:    {7, `no object`},
		`\(i)\C`:       {1, `no object`},
		`\O\`:          {3, `no counter behind`},
		`\O(i)\`:       {6, `no counter behind`},
		`\\host\O(i)\`: {12, `no counter behind`},
	} {
		p, err := pdhpath.Parse(text)
		require.Zero(t, p)
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe, text)
		require.ErrorIs(t, err, perfdump.ErrSyntax)
		require.Equal(t, perfdump.CodeSyntax, fe.Code)
		require.Equal(t, want.off, fe.Off, text)
		require.ErrorContains(t, err, want.text, text)
		_, err = pdhpath.Compile(text)
		require.ErrorIs(t, err, perfdump.ErrSyntax)
	}
	_, err := pdhpath.Parse(strings.Repeat("x", 1<<20))
	require.Less(t, len(err.Error()), 300)
}

func TestParseAllocatesNothing(t *testing.T) {
	require.Zero(t, testing.AllocsPerRun(100, func() { _, _ = pdhpath.Parse(`\\h\Thread(a/b#3)\% x`) }))
}

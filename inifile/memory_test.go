package inifile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

func hostile(size int) map[string][]byte {
	fill := func(s string) []byte { return []byte("[x]\n" + strings.Repeat(s, size/len(s))) }
	distinct := func(form string) []byte {
		var b strings.Builder
		b.WriteString("[text]\n")
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, form, i)
		}
		return []byte(b.String())
	}
	var bare []byte
	for i := 0; len(bare) < size; i++ { // the densest keys that differ
		bare = append(bare, byte(i&63+'?'), byte(i>>6&63+'?'), byte(i>>12&63+'?'), byte(i>>18&63+'?'), '=', '\n')
	}
	return map[string][]byte{
		"lines":     fill("\n"),
		"dense":     append([]byte("[x]\n"), bare...),
		"sections":  append([]byte(strings.Repeat("[abc]\nd=\n", size/70)), fill("\n")...),
		"equals":    fill("=\n"),
		"wide keys": []byte("\xFF\xFE" + wide(string(distinct("K%d_009_NAME=v\n")[:size/2]))),
		"long line": append(fill("a=\n")[:size-size/2], strings.Repeat("x", size/2)...),
	}
}

// The sum of all allocations is above the peak, so a file that passes keeps
// the promise.
func TestHostileFilesStayWithinMemory(t *testing.T) {
	size := 2 << 20
	if perftest.Race { // the detector is slow and its memory its own
		size = 128 << 10
	}
	for name, b := range hostile(size) {
		var f *inifile.File
		var err error
		used := perftest.Allocated(func() { f, err = inifile.Parse(b, perfdump.Options{}) })
		require.NoError(t, err, name)
		t.Logf("%s: %.1f bytes a byte, %d keys", name, float64(used)/float64(len(b)), f.NumKeys())
		require.LessOrEqual(t, used, uint64(16<<20+24*len(b)), name)
	}
}

func million() []byte {
	var b strings.Builder
	b.WriteString("[info]\r\ndrivername=X\r\nsymbolfile=x.h\r\n[languages]\r\n009=English\r\n[text]\r\n")
	for i := range 500_000 {
		fmt.Fprintf(&b, "COUNTER_%06d_009_NAME=Requests of kind %d/sec\r\nCOUNTER_%06d_009_HELP=How many requests of this kind came in a second.\r\n", i, i, i)
	}
	return []byte(b.String())
}

// A file of a million keys loads at 50 MB/s.
func TestGuardMillionKeys(t *testing.T) {
	perftest.GuardSpeed(t)
	narrow := million()
	for name, b := range map[string][]byte{"cp1252": narrow, "utf-16": []byte("\xFF\xFE" + wide(string(narrow)))} {
		best := 0.0
		for i := 0; i < 20 && best < 50; i++ {
			start := time.Now()
			f, err := inifile.Parse(b, perfdump.Options{})
			require.NoError(t, err)
			best = max(best, float64(len(b))/1e6/time.Since(start).Seconds())
			require.Equal(t, 1_000_003, f.NumKeys())
			require.Zero(t, f.Anomalies().Len())
		}
		t.Logf("%s: %.0f MB/s", name, best)
		require.GreaterOrEqual(t, best, 50.0, name)
	}
}

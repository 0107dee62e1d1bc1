package hexdump_test

import (
	"bytes"
	"encoding/hex"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/hexdump"
	"github.com/perfdump/perfdump/internal/perftest"
)

// TestGuardSpeed wants 100 MB/s of whole rows and 40 MB/s of a busy server,
// whose rows have one value each, or, on a machine that is slower than that, a
// fifth of what encoding/hex makes of the bytes in the same run. What counts is
// the fastest of many short runs: a neighbour on the machine spoils some, a
// slower dump all of them.
func TestGuardSpeed(t *testing.T) {
	perftest.GuardSpeed(t)
	rows := bytes.Repeat([]byte("0123456789abcde\xff"), 1<<14)
	server := perftest.Sized(1, 1<<18)
	for _, test := range []struct {
		name string
		doc  hexdump.Document
		want float64 // MB/s
	}{
		{"rows", hexdump.Raw(rows, "a gap"), 100},
		{"busy server", hexdump.PerfData(server, hexdump.Input{}), 40},
	} {
		b := test.doc.Bytes()
		speed := func(f func()) float64 {
			start := time.Now()
			f()
			return float64(len(b)) / 1e6 / time.Since(start).Seconds()
		}
		best, plain := 0.0, 0.0
		enough := func() bool { return best >= min(test.want, plain/5) }
		for i := 0; i < 100 || i < 400 && !enough(); i++ {
			plain = max(plain, speed(func() {
				w := hex.Dumper(&counting{})
				_, _ = w.Write(b)
				_ = w.Close()
			}))
			best = max(best, speed(func() {
				_, err := hexdump.Write(&counting{}, test.doc, hexdump.Options{All: true})
				require.NoError(t, err)
			}))
			if i%10 == 9 && !enough() {
				time.Sleep(500 * time.Millisecond)
			}
		}
		t.Logf("%s: %.0f MB/s, encoding/hex %.0f MB/s", test.name, best, plain)
		assert.True(t, enough(), "%s: %.1f MB/s", test.name, best)
	}
}

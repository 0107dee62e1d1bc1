package cmdutil

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int64{"1": 1, "500000": 500000, "64KiB": 64 << 10, "64k": 64 << 10, "2GiB": 2 << 30, "2 GB": 2 << 30, "10m": 10 << 20, "1T": 1 << 40} {
		n, err := parseSize(s)
		require.NoError(t, err, s)
		assert.Equal(t, want, n, s)
	}
	for _, s := range []string{"", "lots", "-1", "0", "1.5G", "1XB", "99999999999G", "1GGG"} {
		_, err := parseSize(s)
		assert.Error(t, err, s)
	}
}

func TestNearest(t *testing.T) {
	words := []string{"check", "dump", "info", "hexdump"}
	for s, want := range map[string]string{"dmup": "dump", "dum": "dump", "chk": "check", "INFO": "info", "inf": "info"} {
		got, ok := Nearest(s, words)
		assert.True(t, ok, s)
		assert.Equal(t, want, got)
	}
	words = append(words, "cook", "to")
	for _, s := range []string{"", "plot", "foo", "o", strings.Repeat("x", 100)} {
		_, ok := Nearest(s, words)
		assert.False(t, ok, s)
	}
}

// TestPass holds what a pass over a file says of itself, and that another begins anew.
func TestPass(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	r := &readerAt{name: "x.blg", size: 400 << 20}
	for _, c := range []struct {
		off  int64 // MiB
		now  int
		want string
	}{
		{0, 10, "x.blg: 0% of 400 MiB"},
		{100, 20, "x.blg: 25% of 400 MiB, 30s left"},
		{399, 50, "x.blg: 99% of 400 MiB, 1s left"},
		{20, 60, "x.blg: 5% of 400 MiB"},
		{40, 61, "x.blg: 10% of 400 MiB, 18s left"},
	} {
		assert.Equal(t, c.want, r.at(c.off<<20, at(c.now)))
	}
}

package cmdutil

import (
	"strings"
	"testing"

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

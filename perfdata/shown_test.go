package perfdata_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// A long name is shown up to where PDH ends it, and no character is cut in two.
func TestShownNames(t *testing.T) {
	long := func(unit string, n int) []byte { return append(slices.Repeat([]byte(unit), n), 0, 0) }
	for _, c := range []struct {
		page uint32
		raw  []byte
		want string
	}{
		{0, long("x\x00", 1023), strings.Repeat("x", 1023)},
		{0, long("x\x00", 1024), strings.Repeat("x", 1024)},
		{0, long("\x00\x4e", 5000), strings.Repeat("\u4e00", 1024)},
		{0, append([]byte("x\x00"), long("\x3d\xd8\x00\xde", 3000)...), "x" + strings.Repeat("\U0001f600", 511)},
		{1252, long("\xe9", 5000), strings.Repeat("é", 2048)},
		{1252, long("x\x00", 5000), strings.Repeat("x", 1024)},
		{932, append([]byte("x"), long("\x88\xea", 3000)...), "x" + strings.Repeat("\u4e00", 1023)},
		{65001, append([]byte("xyz"), long("\xf0\x9f\x98\x80", 1000)...), "xyz" + strings.Repeat("\U0001f600", 511)},
	} {
		o := perftest.Object{Title: 2, CodePage: c.page, Counters: []perftest.Counter{{Title: 4, Type: 0x10000}}}
		o.Instances = []perftest.Instance{{RawName: c.raw}, {RawName: append(slices.Clone(c.raw[:len(c.raw)-2]), "z\x00\x00\x00"...)}}
		block, err := perfdata.Parse((&perftest.Block{Objects: []perftest.Object{o}}).Bytes(), perfdump.Options{})
		require.NoError(t, err)
		in := block.Object(0).Instance(0)
		assert.Equal(t, "a"+c.want, string(in.AppendShownName([]byte("a"))))
		var shown []string
		for _, name := range block.Object(0).DisplayNames() {
			shown = append(shown, name)
		}
		assert.Equal(t, c.want, shown[0])
		if len(c.raw) > 2050 { // the last character of the other is not shown
			assert.Equal(t, c.want+"#1", shown[1])
		}
	}
}

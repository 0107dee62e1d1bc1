package perfdata_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// TestLookups holds that names and indexes find what walking finds.
func TestLookups(t *testing.T) {
	block, err := perfdata.Parse(perftest.Busy(3, perftest.Small), perfdump.Options{})
	require.NoError(t, err)
	bases := 0
	for _, o := range block.Objects() {
		if o.Single() {
			continue
		}
		for i, name := range o.DisplayNames() {
			for _, name := range []string{name, strings.ToUpper(name), strings.ToLower(name)} {
				in, ok := o.InstanceByName(name)
				require.True(t, ok, name)
				assert.Equal(t, i, in.Position(), name)
			}
		}
		for _, name := range []string{"", "nosuch", "svchost#0", "svchost#9999", "svchost#", "#1"} {
			_, ok := o.InstanceByName(name)
			assert.False(t, ok, name)
		}
		for j := range o.Counters() {
			c := o.Counter(j)
			at, ok := o.CounterByIndex(c.CounterNameTitleIndex)
			require.True(t, ok)
			assert.LessOrEqual(t, at, j)
			assert.Equal(t, c.CounterNameTitleIndex, o.Counter(at).CounterNameTitleIndex)
			base, ok := o.Instance(0).Base(j)
			require.Equal(t, c.Base() >= 0, ok)
			if ok {
				want, _ := o.Instance(0).Uint64(c.Base())
				assert.Equal(t, want, base)
				bases++
			}
		}
		_, ok := o.CounterByIndex(1 << 30)
		assert.False(t, ok)
	}
	assert.Positive(t, bases)
}

func TestAllocOfLookups(t *testing.T) {
	block, err := perfdata.Parse(perftest.Busy(3, perftest.Small), perfdump.Options{})
	require.NoError(t, err)
	o, ok := block.ObjectByIndex(230)
	require.True(t, ok)
	assert.LessOrEqual(t, testing.AllocsPerRun(20, func() {
		if _, ok := o.InstanceByName("svchost#2"); !ok {
			t.Fatal("svchost#2 is not there")
		}
	}), 1.0)
}

package export_test

import (
	"bytes"
	"iter"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/export"
)

// TestCheckmkReadsBack reads the sections of captures by the format's reader
// and compares them with the objects.
func TestCheckmkReadsBack(t *testing.T) {
	for _, name := range []string{"small", "sys-238-x86_64-1", "inst-x86_64-1", "var-x86_64-1"} {
		s := snapshot(t, name, capture.Options{})
		var b bytes.Buffer
		w := export.NewCheckmk(&b)
		write(t, w, s)
		r := checkmk.NewReader(&b, checkmk.Options{Mode: perfdump.Strict})
		next, stop := iter.Pull2(r.Sections())
		t.Cleanup(stop)
		omitted := 0
		for o := range s.Objects() {
			section, err, ok := next()
			require.True(t, ok, name)
			require.NoError(t, err, name)
			assert.Equal(t, o.Index, section.Object)
			assert.Equal(t, s.Frequency(), section.Frequency)
			at, ok := section.Time()
			assert.True(t, ok)
			assert.InDelta(t, 0, at.Sub(s.Time).Seconds(), 0.0051)
			k := 0
			for i := range o.Counters {
				var values []uint64
				absent := false
				for in := range o.Instances() {
					v, ok := in.Value(i)
					absent = absent || !ok || v.Kind != capture.Number
					values = append(values, v.Uint)
				}
				if absent {
					omitted++
					continue
				}
				c := section.Counters[k]
				k++
				assert.Equal(t, o.Counters[i].Type, c.Type)
				if !c.Type.IsBase() {
					assert.Equal(t, o.Counters[i].Index, c.Index)
				}
				assert.Equal(t, append([]uint64{}, values...), c.Values)
			}
			assert.Len(t, section.Counters, k)
		}
		_, err, ok := next()
		require.NoError(t, err)
		assert.False(t, ok)
		assert.Equal(t, omitted, w.Omitted())
	}
}

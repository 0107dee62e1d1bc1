package capture_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// TestSamples holds that each cell of each format can be computed again from the
// samples beside it.
func TestSamples(t *testing.T) {
	types := map[countertypes.Type]bool{}
	for _, files := range [][]string{
		{"captures/small.bin", "captures/small-next.bin"},
		{"captures/sys-238-x86_64-1.bin", "captures/sys-238-x86_64-2.bin"},
		{"captures/basic-x86_64-1.bin"},
		{"../../shared/captures/wine/basic-x86_64-1.bin", "../../shared/captures/wine/basic-x86_64-2.bin", "../../shared/captures/wine/basic-x86_64-3.bin"},
		{"blg/small.blg"},
		{"blg/sets.blg"},
		{"ipcblock/sxs_x64.bin", "ipcblock/sxs_x64.bin"},
		{"../../shared/corpus/blg/PAL_SampleLog.blg"},
	} {
		for _, byPID := range []bool{false, true} {
			r := capture.NewRecording(capture.Options{}, capture.CookOptions{Samples: true, ByPID: byPID, Interval: 10 * time.Second})
			added := 0
			for _, name := range files {
				path := filepath.Join("../testdata", name)
				if found, _ := filepath.Glob(path); len(found) == 0 {
					continue // shared data is not everywhere
				}
				in, err := capture.Open(path)
				require.NoError(t, err)
				require.NoError(t, r.Add(in))
				added++
			}
			for f, err := range r.Frames() {
				require.NoError(t, err)
				for i, cell := range f.Cells {
					s, ok := f.SamplesOf(i)
					require.True(t, ok)
					older := &s.Older
					if !s.HasOlder {
						older = nil
					}
					v, status := countertypes.Cook(older, &s.Newer, nil)
					if v != cell.Value || status != cell.Status {
						assert.Fail(t, cell.Series.Path(), "%v: %v %v, not %v %v: %+v", files, v, status, cell.Value, cell.Status, s)
					}
					types[s.Newer.Type] = true
				}
			}
			require.NoError(t, r.Close())
		}
	}
	assert.Greater(t, len(types), 20)
}

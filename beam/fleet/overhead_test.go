package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/perfdump/perfdump/internal/lake"
	"github.com/stretchr/testify/require"
)

// TestOverhead cooks 2 GB of logs on the Prism runner, and with the loop of perfdump lake,
// which has as many workers as there are cores. Prism may take 1.3 times as long.
func TestOverhead(t *testing.T) {
	if os.Getenv("PERFDUMP_LONG") == "" {
		t.Skip("PERFDUMP_LONG is not set")
	}
	const machines, nights, minutes, processors = 8, 8, 1440, 610
	in := filepath.Join(t.TempDir(), "in")
	size := int64(0)
	for m := range machines {
		for n := range nights {
			b := rolled(t, fmt.Sprintf("web%02d", m), n*minutes, (n+1)*minutes, processors)
			size += int64(len(b))
			folder(t, in, map[string][]byte{fmt.Sprintf("%02d/%d.blg", m, n): b})
		}
	}
	require.Greater(t, size, int64(2<<30))
	var loop, prism time.Duration
	for turn := range 2 {
		began := time.Now()
		res, err := lake.Run(t.Context(), filepath.Join(t.TempDir(), "lake"), []string{in}, lake.Options{})
		require.NoError(t, err)
		took := time.Since(began)
		began = time.Now()
		n, err := run(t, Options{Dir: filepath.Join(t.TempDir(), "lake")}, nil, in)
		require.NoError(t, err)
		require.EqualValues(t, res.Rows, n["rows"])
		t.Logf("%.1f GB, %d pieces, %d rows: %v in a loop, %v on Prism", float64(size)/1e9, res.Cooked, res.Rows, took, time.Since(began))
		if turn == 0 || took < loop {
			loop = took
		}
		if took := time.Since(began); turn == 0 || took < prism {
			prism = took
		}
	}
	t.Logf("Prism takes %.2f times as long", float64(prism)/float64(loop))
	require.Less(t, float64(prism), 1.3*float64(loop))
}

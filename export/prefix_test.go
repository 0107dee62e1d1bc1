package export_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/perftest"
)

// TestMemoryOfNames wants rows of very many series, and of few with very long
// names, to leave little behind.
func TestMemoryOfNames(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	for format, open := range map[string]func() export.FrameWriter{
		"csv":   func() export.FrameWriter { return export.NewCookedCSV(io.Discard) },
		"jsonl": func() export.FrameWriter { return export.NewCookedJSONL(io.Discard) },
	} {
		for _, x := range []struct {
			series, name int
			limit        uint64
		}{
			{300_000, 1, 5 << 20}, // more than are kept, all of them short
			{1_000, 16 << 10, 8 << 20},
		} {
			before := heap()
			w := open()
			s := &capture.Series{Owner: &capture.Owner{Object: strings.Repeat("o", x.name)}, Metric: &capture.Metric{Counter: "C"}}
			f := capture.Frame{Cells: []capture.Cell{{Series: s}}}
			for s.ID = range x.series {
				require.NoError(t, w.WriteFrame(&f))
			}
			after := heap()
			assert.Less(t, after-min(after, before), x.limit, "%s, %d series", format, x.series)
			runtime.KeepAlive(w)
		}
	}
}

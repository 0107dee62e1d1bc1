package export_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
)

// TestTableOfHosts holds that columns of several machines say of which they
// are, and that names of one machine in other cases are one.
func TestTableOfHosts(t *testing.T) {
	ss := []*capture.Series{
		series(0, "A", "Memory", "", "", 0, "Pages/sec"),
		series(1, "B", "Memory", "", "", 0, "Pages/sec"),
	}
	frame := capture.Frame{Host: "A", Cells: []capture.Cell{{Series: ss[0], Value: 1}, {Series: ss[1], Value: 2}}}
	assert.Equal(t, `2 hosts

                                         \\A         \\B
                                      Memory      Memory
                                   Pages/sec   Pages/sec
  unknown time                             1           2
`, cooked(t, "table", export.CookedOptions{Series: ss}, []capture.Frame{frame}))
	ss[1].Host = "a"
	assert.Equal(t, `A

                                      Memory      Memory
                                   Pages/sec   Pages/sec
  unknown time                             1           2
`, cooked(t, "table", export.CookedOptions{Series: ss}, []capture.Frame{frame}))
}

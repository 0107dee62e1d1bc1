package cmdutil

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/internal/budget"
)

// Where there is too much to keep, the next thing to do is said.
func TestReportOfTooMany(t *testing.T) {
	var out bytes.Buffer
	f := &Factory{IO: &iostreams.IOStreams{ErrOut: &out}}
	f.Report("a.bin", budget.TooMany("%d counters are too many", 7))
	require.Equal(t, "perfdump: a.bin: 7 counters are too many; choose some by their paths\n"+
		"perfdump: note: -c PATH chooses some, -c '\\Process(*)\\% Processor Time' for example; perfdump info lists the objects\n", out.String())
	out.Reset()
	f.ErrorsJSON = true
	f.Report("a.bin", budget.TooMany("%d counters are too many", 7))
	require.JSONEq(t, `{"file":"a.bin","code":"limit","offset":null,"path":"","message":"7 counters are too many; choose some by their paths"}`, out.String())
}

package document_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/pdhpath"
)

// TestManyPatterns wants a document to have what a pattern is for, whether it is
// asked alone or is one of many.
func TestManyPatterns(t *testing.T) {
	data := perftest.Busy(1, perftest.Small)
	dump := func(patterns []*pdhpath.Pattern) string {
		return string(dump(t, data, document.Options{Counters: patterns}))
	}
	var others []*pdhpath.Pattern
	for i := range 50 {
		p, err := pdhpath.Compile(fmt.Sprintf(`\Process(none %d)\%% Processor Time`, i))
		require.NoError(t, err)
		others = append(others, p)
	}
	none := dump(others)
	require.Equal(t, none, dump(others[:1]))
	for _, path := range []string{`\Process(_Total)\% Processor Time`, `\Process(*1)\ID*`, `\System\*`, `\*(*)\% Processor Time`, `\\SRV-BUSY-01\Memory\Available Bytes`, `\\other\*(*)\*`} {
		p, err := pdhpath.Compile(path)
		require.NoError(t, err)
		alone := dump([]*pdhpath.Pattern{p})
		require.Equal(t, path == `\\other\*(*)\*`, alone == none, path)
		require.Equal(t, alone, dump(append(others[:30:30], p)), path)
	}
}

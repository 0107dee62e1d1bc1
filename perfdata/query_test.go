package perfdata_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

func TestQuery(t *testing.T) {
	blk := parse(t, perftest.Busy(1, perftest.Small))
	all := blk.NumObjects()
	for query, want := range map[string]struct {
		objects  int
		metadata bool
	}{
		"": {all, false}, "  ": {all, false}, "Global": {all, false}, "gLOBAL": {all, false}, "OLD_Global": {all, false},
		"Costly": {0, false}, "MetadataGlobal": {all, true}, "OLD_MetadataGlobal": {all, true},
		"MetadataCostly": {0, false}, "OLD_MetadataCostly": {0, false},
		"2": {1, false}, "238 230": {2, false}, "2380": {0, false}, "23x 230 238,": {1, false},
		"99999999999999999999 2": {1, false},
	} {
		q, err := perfdata.ParseQuery(query)
		require.NoError(t, err, query)
		n := 0
		for _, o := range blk.Objects() {
			include, metadata := q.Match(o)
			if include {
				n++
				require.Equal(t, want.metadata, metadata, query)
			}
		}
		require.Equal(t, want.objects, n, query)
		require.Equal(t, want.objects == all && !want.metadata, q.All(), query)
	}
	require.True(t, perfdata.Query{}.All())
	for _, query := range []string{"Foreign HOST", "Counter 009", "counter", "Help 009", "HELP", "Processor", "-1"} {
		_, err := perfdata.ParseQuery(query)
		require.ErrorIs(t, err, perfdump.ErrSyntax, query)
		require.ErrorContains(t, err, "query")
	}
}

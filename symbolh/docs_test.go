package symbolh_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/doctest"
	"github.com/perfdump/perfdump/symbolh"
)

// The page lists every anomaly, with an example that has it.
func TestDocs(t *testing.T) {
	doctest.Examples(t, "../docs/symbolh.md", []perfdump.Code{perfdump.CodeEmpty}, func(text []byte) *perfdump.Anomalies {
		f, err := symbolh.Parse(text, symbolh.Options{})
		require.NoError(t, err, "%q", text)
		return f.Anomalies()
	})
}

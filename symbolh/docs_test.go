package symbolh_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/doctest"
	"github.com/perfdump/perfdump/symbolh"
)

// The page lists every anomaly, with an example that has it.
func TestDocs(t *testing.T) {
	doctest.Examples(t, "../docs/registration.md", "Anomalies of .h files", []perfdump.Code{perfdump.CodeEmpty, "nul", "ctrl-z", "lone-cr", "odd-length", "encoding"}, func(text []byte) *perfdump.Anomalies {
		f, err := symbolh.Parse(text, perfdump.Options{})
		require.NoError(t, err, "%q", text)
		return f.Anomalies()
	})
}

package inifile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/doctest"
)

// The page lists every anomaly, with an example that has it.
func TestDocs(t *testing.T) {
	doctest.Examples(t, "../docs/inifile.md", []perfdump.Code{perfdump.CodeEmpty}, func(text []byte) *perfdump.Anomalies {
		f, err := inifile.Parse(text, inifile.Options{})
		require.NoError(t, err, "%q", text)
		return f.Anomalies()
	})
}

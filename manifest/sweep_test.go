package manifest_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/manifest"
)

// TestSweep damages each place of a small manifest: anomalies, errors and all that
// can be read are those of testdata.
func TestSweep(t *testing.T) {
	golden.Sweep(t, filepath.Join("testdata", "sweep.txt"), []byte(toaster), golden.Characters("\"= 1x"), perftest.Race, func(b []byte) *golden.Reading {
		var r golden.Reading
		m, err := manifest.Parse(b, perfdump.Options{})
		var fe *perfdump.FormatError
		if errors.As(err, &fe) { // its words are those of encoding/xml
			r.Note(fe.Code, fe.Off, fe.Path)
			return &r
		}
		r.Anomalies(m.Anomalies())
		r.Note(m.Encoding(), m.SchemaVersion, m.Providers)
		return &r
	})
}

package fuzz

import (
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/manifest"
)

// FuzzManifest: anomalies have their places in the file.
func FuzzManifest(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, _ bool) {
		if len(b) > maxInput {
			return
		}
		parse := func(o perfdump.Options) (*manifest.Manifest, error) { return manifest.Parse(b, o) }
		eachMode(t, b, parse, func(m *manifest.Manifest, _ perfdump.Mode) {
			for _, a := range m.Anomalies().Kept() {
				if a.Off < 0 || a.Off >= int64(len(b)) || a.Off > 0 && b[a.Off] != '<' {
					t.Fatalf("%v: no element at %d", a, a.Off)
				}
			}
		})
	})
}

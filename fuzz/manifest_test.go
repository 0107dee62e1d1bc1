package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/manifest"
)

// FuzzManifest: an error or a manifest, never both, whose anomalies have their
// places in the file and whose document is JSON.
func FuzzManifest(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, strict bool) {
		if len(b) > maxInput {
			return
		}
		o := manifest.Options{}
		if strict {
			o.Mode = perfdump.Strict
		}
		m, err := manifest.Parse(b, o)
		var fe *perfdump.FormatError
		switch {
		case (err == nil) == (m == nil):
			t.Fatalf("manifest %v, error %v", m, err)
		case err != nil && (!errors.As(err, &fe) || fe.Code == "" || fe.Off > int64(len(b))):
			t.Fatalf("%T: %v", err, err)
		case err != nil:
			return
		case strict && m.Anomalies().Len() > 0:
			t.Fatal("strict, but there are anomalies")
		}
		for _, a := range m.Anomalies().Kept() {
			if a.Off < 0 || a.Off >= int64(len(b)) || a.Off > 0 && b[a.Off] != '<' {
				t.Fatalf("%v: no element at %d", a, a.Off)
			}
		}
		var doc bytes.Buffer
		if err := document.WriteManifest(&doc, document.Manifest{Manifest: m}, document.Options{}); err != nil || !json.Valid(doc.Bytes()) {
			t.Fatalf("%v: %s", err, doc.Bytes())
		}
	})
}

package fuzz

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/manifest"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/symbolh"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// FuzzLines: the document of a text file, in whichever format accepts it, is
// JSON and encodes to the same bytes.
func FuzzLines(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, how uint8) {
		if len(b) > 4096 {
			return
		}
		page := []uint32{0, 932, 65001, 1200}[how%4]
		var doc bytes.Buffer
		done := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
			comesBack(t, doc.Bytes(), b)
			doc.Reset()
		}
		if file, err := perfstrings.Parse(b, perfdump.Options{CodePage: page}); err == nil {
			done(document.WritePerfStrings(&doc, "", file, document.Options{}))
		}
		if file, err := inifile.Parse(b, perfdump.Options{CodePage: page}); err == nil {
			done(document.WriteINIFile(&doc, "", file, document.Options{}))
		}
		if file, err := symbolh.Parse(b, perfdump.Options{CodePage: page}); err == nil {
			done(document.WriteSymbolH(&doc, "", file, document.Options{}))
		}
		if m, err := manifest.Parse(b, perfdump.Options{}); err == nil {
			if err := document.WriteManifest(&doc, "", 0, m, document.Options{}); err != nil || !json.Valid(doc.Bytes()) {
				t.Fatalf("%v: %s", err, doc.Bytes())
			}
			doc.Reset()
		}
		if file, err := registry.ParseReg(b, perfdump.Options{CodePage: page}); err == nil {
			if v, err := file.View(); err == nil {
				done(document.WriteReg(&doc, "", file, v, document.Options{}))
			}
		}
	})
}

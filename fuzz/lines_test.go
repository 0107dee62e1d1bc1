package fuzz

import (
	"bytes"
	"testing"

	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/inifile"
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
		if file, err := perfstrings.Parse(b, perfstrings.Options{CodePage: page}); err == nil {
			done(document.WritePerfStrings(&doc, document.PerfStrings{Data: b, Backup: file}, document.Options{}))
		}
		if file, err := inifile.Parse(b, inifile.Options{CodePage: page}); err == nil {
			done(document.WriteINIFile(&doc, document.INIFile{File: file}, document.Options{}))
		}
		if file, err := symbolh.Parse(b, symbolh.Options{CodePage: page}); err == nil {
			done(document.WriteSymbolH(&doc, document.SymbolH{File: file}, document.Options{}))
		}
		if file, err := registry.ParseReg(b, registry.Options{CodePage: page}); err == nil {
			if v, err := file.View(); err == nil {
				done(document.WriteReg(&doc, document.Reg{Reg: file, View: v}, document.Options{}))
			}
		}
	})
}

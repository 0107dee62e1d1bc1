package fuzz

import (
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/symbolh"
)

// FuzzSymbolH: the round trip is identical; spans tile; every
// define is found by its name; an edit changes one value and no other; and the
// symbols, written anew, are read back.
func FuzzSymbolH(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, page uint32) {
		if len(b) > maxInput {
			return
		}
		parse := func(o perfdump.Options) (*symbolh.File, error) {
			o.CodePage = codePageOf(page)
			return symbolh.Parse(b, o)
		}
		eachMode(t, b, parse, func(file *symbolh.File, mode perfdump.Mode) {
			if mode != perfdump.Tolerant {
				return
			}
			if out, err := file.AppendBinary(nil); err != nil || string(out) != string(b) {
				t.Fatalf("%q comes back as %q: %v", b, out, err)
			}
			formattest.Tile(t, file.Spans(), 0, int64(len(b)))
			if strict, err := parse(perfdump.Options{Mode: perfdump.Strict}); (err == nil) != (file.Anomalies().Len() == 0) || (strict == nil) != (err != nil) {
				t.Fatalf("strict: %v", err)
			}
			var symbols []symbolh.Symbol
			for d := range file.Defines() {
				first, ok := file.Get(d.Name)
				if !ok || first.Line > d.Line {
					t.Fatalf("line %d: Get gives %v", d.Line, first)
				}
				if n, ok := file.Lookup(d.Name); first.Kind == symbolh.Decimal && (!ok || n != first.Offset) {
					t.Fatalf("line %d: Lookup gives %d, %v", d.Line, n, ok)
				}
				if d.Kind == symbolh.Decimal {
					symbols = append(symbols, symbolh.Symbol{Name: d.Name, Offset: d.Offset})
				}
				if first.Line == d.Line {
					editDefine(t, file, d)
				}
			}
			if out, err := symbolh.AppendHeader(nil, "", symbols); err == nil && len(symbols) > 0 {
				again, err := symbolh.Parse(out, perfdump.Options{Mode: perfdump.Strict})
				if err != nil || again.NumDefines() != len(symbols) {
					t.Fatalf("%q: %v", out, err)
				}
			}
		})
	})
}

func editDefine(t *testing.T, file *symbolh.File, d symbolh.Define) {
	t.Helper()
	e := file.Edit()
	if err := e.Set(d.Name, 4711); err != nil {
		t.Fatal(err)
	}
	out, _ := e.AppendBinary(nil)
	again, err := symbolh.Parse(out, perfdump.Options{CodePage: codePage(t, file.Encoding())})
	if err != nil {
		t.Fatal(err)
	}
	if again.NumLines() != file.NumLines() || again.NumDefines() != file.NumDefines() {
		t.Fatalf("%q after an edit of line %d", out, d.Line)
	}
	if got, ok := again.Get(d.Name); !ok || got.Offset != 4711 || got.Line != d.Line || got.Semicolon != d.Semicolon {
		t.Fatalf("line %d is %+v", d.Line, got)
	}
}

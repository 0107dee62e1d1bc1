package fuzz

import (
	"bytes"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/registry"
)

// FuzzReg: an error or a file, never both; what is accepted comes back byte by
// byte, its spans tile it, and its entries and view come to an end.
func FuzzReg(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, mode := range modes {
			r, err := registry.ParseReg(b, registry.Options{Mode: mode})
			if (err == nil) == (r == nil) {
				t.Fatalf("file %v, error %v", r != nil, err)
			}
			if err != nil {
				continue
			}
			if got, err := r.AppendBinary(nil); err != nil || !bytes.Equal(got, b) {
				t.Fatalf("other bytes come back: %v", err)
			}
			at := int64(0)
			for s := range r.Spans() {
				if s.Off != at || s.Size <= 0 {
					t.Fatalf("span %+v at %#x", s, at)
				}
				at += s.Size
			}
			if at != int64(len(b)) {
				t.Fatalf("spans end at %#x of %#x", at, len(b))
			}
			if v, err := r.View(); (err == nil) == (v == nil) {
				t.Fatalf("view %v, error %v", v != nil, err)
			}
		}
	})
}

// FuzzHive: an error or a view, never both, in each mode; strict accepts
// nothing odd.
func FuzzHive(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, mode := range modes {
			h, err := registry.OpenHive(bytes.NewReader(b), int64(len(b)), registry.Options{Mode: mode})
			if (err == nil) == (h == nil) {
				t.Fatalf("hive %v, error %v", h != nil, err)
			}
			if err != nil {
				continue
			}
			v, err := h.View()
			if (err == nil) == (v == nil) {
				t.Fatalf("view %v, error %v", v != nil, err)
			}
			if err == nil && mode == perfdump.Strict && v.Anomalies().Len() > 0 {
				t.Fatalf("strict accepts %v", v.Anomalies().Kept())
			}
		}
	})
}

package fuzz

import (
	"bytes"
	"strings"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/registry"
)

// FuzzReg: what is accepted comes back byte by byte, its spans tile it, it has a
// view or an error, and a value that is set is read back.
func FuzzReg(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		parse := func(o perfdump.Options) (*registry.Reg, error) { return registry.ParseReg(b, o) }
		eachMode(t, b, parse, func(r *registry.Reg, mode perfdump.Mode) {
			if got, err := r.AppendBinary(nil); err != nil || !bytes.Equal(got, b) {
				t.Fatalf("other bytes come back: %v", err)
			}
			formattest.Tile(t, r.Spans(), 0, int64(len(b)))
			if v, err := r.View(); (err == nil) == (v == nil) {
				t.Fatalf("view %v, error %v", v != nil, err)
			}
			if mode == perfdump.Tolerant {
				editReg(t, r, b)
			}
		})
	})
}

// editReg changes the last value of a file, which then says what was set and
// all else as before.
func editReg(t *testing.T, r *registry.Reg, b []byte) {
	if got, err := r.Edit().AppendBinary(nil); err != nil || !bytes.Equal(got, b) {
		t.Fatalf("no change gives other bytes: %v", err)
	}
	path, name, was := `HKEY_USERS\K`, "v", 0
	for e := range r.Entries() {
		if was++; !e.Key && !e.Void {
			path, name = e.Path, e.Value.Name
		}
	}
	want := registry.NewMultiSZ(name, "a", "b")
	e := r.Edit()
	if e.Set(path, want) != nil { // what the code page cannot write
		return
	}
	out, err := e.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := registry.ParseReg(out, perfdump.Options{})
	if err != nil {
		t.Fatalf("the changed file is not read: %v", err)
	}
	if again.Encoding() != r.Encoding() { // a guess that the change made another
		return
	}
	is, found := 0, false
	for e := range again.Entries() {
		if is++; !e.Key && strings.EqualFold(e.Path, path) && strings.EqualFold(e.Value.Name, name) {
			found = e.Value.Type == want.Type && bytes.Equal(e.Value.Data, want.Data)
		}
	}
	if !found || is < was || is > was+2 {
		t.Fatalf("%q of %q is not read back; %d entries of %d", name, path, is, was)
	}
}

// FuzzHive: spans tile the hive, and it has a view or an error.
func FuzzHive(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		open := func(o perfdump.Options) (*registry.Hive, error) {
			return registry.OpenHive(bytes.NewReader(b), int64(len(b)), o)
		}
		eachMode(t, b, open, func(h *registry.Hive, mode perfdump.Mode) {
			formattest.Tile(t, h.Spans(), 0, int64(len(b)))
			v, err := h.View()
			if (err == nil) == (v == nil) {
				t.Fatalf("view %v, error %v", v != nil, err)
			}
			if err == nil && mode == perfdump.Strict && v.Anomalies().Len() > 0 {
				t.Fatalf("strict accepts %v", v.Anomalies().Kept())
			}
		})
	})
}

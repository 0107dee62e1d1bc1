package fuzz

import (
	"bytes"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/checkmk"
)

// FuzzCheckmk: strict accepts nothing odd; what tolerant reads is written,
// reads the same and is written the same again.
func FuzzCheckmk(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		for _, mode := range modes {
			first := checkmkWrite(t, b, mode)
			if mode == perfdump.Strict || len(first) == 0 {
				continue
			}
			if second := checkmkWrite(t, first, perfdump.Tolerant); !bytes.Equal(first, second) {
				t.Fatalf("%q is written as %q, that as %q", b, first, second)
			}
		}
	})
}

func checkmkWrite(t *testing.T, b []byte, mode perfdump.Mode) []byte {
	t.Helper()
	var out []byte
	r := checkmk.NewReader(bytes.NewReader(b), perfdump.Options{Mode: mode})
	sections := 0
	var last error
	for s, err := range r.Sections() {
		if last != nil || (err == nil) == (s == nil) {
			t.Fatalf("section %d: %+v, error %v, behind %v", sections, s, err, last)
		}
		if last = err; err != nil {
			checkError(t, b, err)
			continue
		}
		sections++
		if s.Off < 0 || s.Off > int64(len(b)) || !s.HasInstances && s.Instances != nil {
			t.Fatalf("%+v", s)
		}
		for _, c := range s.Counters {
			if len(c.Values) > max(len(s.Instances), 1) {
				t.Fatalf("%d values for %d instances", len(c.Values), len(s.Instances))
			}
		}
		_ = s.Clocks()
		out = checkmk.Append(out, s)
	}
	if last == nil && sections == 0 && r.Anomalies().Len() == 0 {
		t.Fatal("neither a section nor an error")
	}
	if mode == perfdump.Strict && last == nil && r.Anomalies().Len() > 0 {
		t.Fatalf("strict accepts %v", r.Anomalies().Kept())
	}
	for _, a := range r.Anomalies().Kept() {
		checkError(t, b, a.Err())
	}
	return out
}

package fuzz

import (
	"slices"
	"strings"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
)

// FuzzINIFile: the round trip is identical; spans tile; every
// key is found by its name; no key is lost between the lines and the view of
// ini.v1; an edit changes one value and nothing else; and what the file says,
// written anew, is read back.
func FuzzINIFile(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, page uint32) {
		if len(b) > maxInput {
			return
		}
		parse := func(o perfdump.Options) (*inifile.File, error) {
			o.CodePage = codePageOf(page)
			return inifile.Parse(b, o)
		}
		eachMode(t, b, parse, func(file *inifile.File, mode perfdump.Mode) {
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
			sameKeys(t, file)
			editFirst(t, file)
			if out, err := file.Registration().AppendBinary(nil); err == nil {
				readsBack(t, file, out)
			}
		})
	})
}

func sameKeys(t *testing.T, file *inifile.File) {
	t.Helper()
	view, err := file.INI()
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]int{}
	for l := range file.Lines() {
		if l.Kind != inifile.Key {
			continue
		}
		section := strings.ToLower(l.Section)
		if section == "" {
			section = "default"
		}
		first, ok := file.Get(l.Section, l.Key())
		if !ok || first.Number > l.Number || !strings.EqualFold(first.Key(), l.Key()) {
			t.Fatalf("line %d: Get gives %v", l.Number, first)
		}
		if !view.HasSection(section) || !view.Section(section).HasKey(l.Key()) {
			t.Fatalf("line %d: no key %q in [%s] of ini.v1", l.Number, l.Key(), section)
		}
		at := section + "\x00" + strings.ToLower(l.Key())
		if keys[at]++; keys[at] == 1 && view.Section(section).Key(l.Key()).Value() != l.Value() {
			t.Fatalf("line %d: %q, ini.v1 has %q", l.Number, l.Value(), view.Section(section).Key(l.Key()).Value())
		}
	}
	n := 0
	for _, s := range view.Sections() {
		n += len(s.KeyStrings())
	}
	if n != len(keys) {
		t.Fatalf("%d keys in ini.v1, %d in the lines", n, len(keys))
	}
}

// editFirst changes the first key that can be changed.
func editFirst(t *testing.T, file *inifile.File) {
	t.Helper()
	for l := range file.Lines() {
		if l.Kind != inifile.Key {
			continue
		}
		e := file.Edit()
		if e.Set(l.Section, l.Key(), "changed") != nil {
			continue
		}
		out, _ := e.AppendBinary(nil)
		again, err := inifile.Parse(out, perfdump.Options{CodePage: codePage(t, file.Encoding())})
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := again.Get(l.Section, l.Key()); !ok || got.Value() != "changed" || got.Number != l.Number {
			t.Fatalf("line %d is %q", l.Number, got.Text())
		}
		now := slices.Collect(again.Lines())
		for was := range file.Lines() {
			if is := now[was.Number-1]; was.Number != l.Number && is.Text() != was.Text() {
				t.Fatalf("line %d became %q", was.Number, is.Text())
			}
		}
		return
	}
}

func readsBack(t *testing.T, file *inifile.File, out []byte) {
	t.Helper()
	again, err := inifile.Parse(out, perfdump.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := file.Registration(), again.Registration()
	if a.DriverName != b.DriverName || a.SymbolFile != b.SymbolFile || a.Trusted != b.Trusted ||
		len(a.Languages) != len(b.Languages) || len(a.Objects) != len(b.Objects) || len(a.Texts) != len(b.Texts) {
		t.Fatalf("%+v is read back as %+v", a, b)
	}
	for i := range a.Texts {
		a.Texts[i].Line, b.Texts[i].Line = 0, 0
		if a.Texts[i] != b.Texts[i] {
			t.Fatalf("%+v is read back as %+v", a.Texts[i], b.Texts[i])
		}
	}
}

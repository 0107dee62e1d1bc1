package fuzz_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// FuzzPerfStrings: an error or a file that comes back byte by byte, whose
// spans tile it; and what is written anew from its views reads as they do.
func FuzzPerfStrings(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, how uint8) {
		o := perfdump.Options{Mode: perfdump.Mode(how % 3), CodePage: []uint32{0, 932, 65001, 1200}[how/3%4]}
		file, err := perfstrings.Parse(b, o)
		var fe *perfdump.FormatError
		switch {
		case (err == nil) == (file == nil):
			t.Fatalf("file %v, error %v", file, err)
		case err != nil && !errors.As(err, &fe):
			t.Fatalf("%T: %v", err, err)
		case err != nil:
			return
		case o.Mode == perfdump.Strict && file.Anomalies().Len() > 0:
			t.Fatal("strict, but there are anomalies")
		}
		if out, err := file.AppendBinary(nil); err != nil || !bytes.Equal(out, b) {
			t.Fatalf("%q comes back as %q", b, out)
		}
		formattest.Tile(t, file.Spans(), 0, int64(len(b)))
		anew(t, file)
	})
}

func anew(t *testing.T, file *perfstrings.File) {
	b := perfstrings.Backup{Perflib: file.Perflib(), Providers: slices.Collect(file.Providers())}
	for _, l := range file.Languages() {
		s := perfstrings.Strings{Language: l.ID}
		for _, kind := range []titles.Kind{titles.Counter, titles.Help} {
			table, err := file.Table(l.ID, kind)
			if err != nil {
				t.Fatal(err)
			}
			s.Tables = append(s.Tables, table)
		}
		b.Strings = append(b.Strings, s)
	}
	out, err := perfstrings.Append(nil, &b)
	if err != nil {
		return // a name, or a text, that cannot stand in a new file
	}
	again, err := perfstrings.Parse(out, perfdump.Options{CodePage: 1200})
	if err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	if again.NumProviders() != file.NumProviders() || len(again.Languages()) != len(file.Languages()) {
		t.Fatalf("%d providers and %d languages become %d and %d", file.NumProviders(), len(file.Languages()), again.NumProviders(), len(again.Languages()))
	}
	for i, l := range file.Languages() {
		for j, kind := range []titles.Kind{titles.Counter, titles.Help} {
			table, err := again.Table(l.ID, kind)
			if err != nil {
				t.Fatal(err)
			}
			want := b.Strings[i].Tables[j]
			if table.Len() != want.Len() {
				t.Fatalf("%d texts become %d", want.Len(), table.Len())
			}
			for index, text := range want.All() {
				if got, ok := table.Lookup(index); !ok || got != text {
					t.Fatalf("%d: %q becomes %q", index, text, got)
				}
			}
		}
	}
}

package titles_test

import (
	"errors"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/titles"
)

func FuzzTitles(f *testing.F) {
	for _, s := range []string{"", good, "2\x00\x004\x00", "2\x00caf\xE9\x00\x00", "6 : % Processor Time\n8\tx\n", "\xFF\xFE", "\x001\x00\x00", "2\x00a\x002\x00b\x001\x009\x00x"} {
		f.Add([]byte(s), uint8(0))
		f.Add([]byte(s), uint8(4))
		f.Add(wide(s), uint8(1))
		f.Add(append([]byte{0xFF, 0xFE}, wide(s)...), uint8(2))
	}
	f.Fuzz(func(t *testing.T, b []byte, how uint8) {
		o := perfdump.Options{Mode: perfdump.Mode(how % 3), CodePage: []uint32{0, 932, 65001, 1200}[how/3%4]}
		var fe *perfdump.FormatError
		table, err := titles.Parse(b, o)
		switch {
		case (err == nil) == (table == nil):
			t.Fatalf("table %v, error %v", table, err)
		case err != nil && !errors.As(err, &fe):
			t.Fatalf("%T: %v", err, err)
		case err == nil:
			check(t, b, table)
			checkRepair(t, table)
			if o.Mode == perfdump.Strict && table.Anomalies().Len() > 0 {
				t.Fatal("strict, but there are anomalies")
			}
		}

		if o.CodePage == 1200 {
			return
		}
		table, err = titles.ParseText(b, o)
		if (err == nil) == (table == nil) {
			t.Fatalf("list: table %v, error %v", table, err)
		}
		if err != nil {
			return
		}
		checkRepair(t, table)
		out, err := table.AppendText(nil)
		if err != nil {
			return // a CR in the middle of a name
		}
		again, err := titles.ParseText(out, perfdump.Options{})
		if table.Len() == 0 {
			return
		}
		if err != nil || again.Len() != table.Len() {
			t.Fatalf("%q becomes %q: %v", b, out, err)
		}
		for index, text := range table.All() {
			if got, ok := again.Lookup(index); !ok || got != text {
				t.Fatalf("%q becomes %q: %d is %q, want %q", b, out, index, got, text)
			}
		}
	})
}

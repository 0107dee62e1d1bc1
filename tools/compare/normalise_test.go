package main

import (
	"bytes"
	"testing"
)

func TestQuiet(t *testing.T) {
	for in, want := range map[string]string{
		`{"code":"io","message":"a \"b\", {c}","offset":1}` + "\n":  `{"code":"io","message":,"offset":1}` + "\n",
		`[{"a":{"message":[1,{"x":"}"}]}},{"message" : null}]`:      `[{"a":{"message":}},{"message" :}]`,
		`{"a":"message","b":["message",1.50],"c":{"messages":"m"}}`: `{"a":"message","b":["message",1.50],"c":{"messages":"m"}}`,
		`{"message":1}` + "\n" + `{"n":{"z":2},"message":"\\"}`:     `{"message":}` + "\n" + `{"n":{"z":2},"message":}`,
	} {
		for size := 1; size <= len(in); size++ { // of what is written at a time
			var b bytes.Buffer
			q := &quiet{to: &b}
			for rest := []byte(in); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				if _, err := q.Write(rest[:min(size, len(rest))]); err != nil {
					t.Fatal(err)
				}
			}
			if b.String() != want {
				t.Errorf("%s: %s, want %s", in, b.String(), want)
			}
		}
	}
}

func TestDiffering(t *testing.T) {
	got := differing([]byte("a\nb\nc\nd\n"), []byte("a\nx\nd\n"), 1)
	if want := "  line 2\n  - b\n  - ...\n  + x\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

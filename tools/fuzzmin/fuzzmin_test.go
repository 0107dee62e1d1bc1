package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const corpusHeader = "go test fuzz v1"

// module writes a module with a fuzz target, its seeds and what a fuzzer
// found, and gives its root and the cache.
func module(t *testing.T) (root, cache string) {
	t.Helper()
	root, cache = t.TempDir(), t.TempDir()
	found := filepath.Join(cache, "example.org/m/p/FuzzP")
	for name, text := range map[string]string{
		"go.mod": "module example.org/m\n\ngo 1.26\n",
		"p/p.go": `package p

var began bool

func P(b []byte) (n int) {
	if !began {
		began = true
	}
	if len(b) > 0 && b[0] == 'a' {
		n++
	}
	if len(b) > 1 && b[1] == 'b' {
		n++
		n++
	}
	if len(b) > 2 && b[2] == 'c' {
		n++
	}
	return n
}
`,
		"p/p_test.go": `package p_test

import (
	"os"
	"testing"

	"example.org/m/p"
)

func FuzzP(f *testing.F) {
	b, err := os.ReadFile("p.go") // the seeds of code are found where they are
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("xxc"))
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := os.Stat("p.go"); err != nil || p.P(b) > 4 {
			t.Fatal("abc", err)
		}
	})
}
`,
		"p/testdata/fuzz/FuzzP/seed": corpusHeader + "\n[]byte(\"a\")\n",
	} {
		put(t, filepath.Join(root, name), text)
	}
	put(t, filepath.Join(found, "1"), corpusHeader+"\n[]byte(\"xb\")\n")
	put(t, filepath.Join(found, "2"), corpusHeader+"\n[]byte(\"xby\")\n")
	put(t, filepath.Join(found, "3"), corpusHeader+"\n[]byte(\"a\")\n")
	put(t, filepath.Join(found, "4"), corpusHeader+"\nint(5)\n") // of an older target
	put(t, filepath.Join(found, "5"), "no corpus")
	return root, cache
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = string(b)
	}
	return out
}

func TestMinimise(t *testing.T) {
	root, cache := module(t)
	var out bytes.Buffer
	o := options{
		root: root, cache: cache, match: regexp.MustCompile(""), sample: 100, out: &out,
		limits: limits{count: 10, bytes: 1000, size: 1000, took: time.Minute},
	}
	packages, err := list(root, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	if err := o.minimise(packages); err != nil {
		t.Fatal(err)
	}
	// The seed reaches 'a'; the smaller of two from the cache 'b'; 'c' is from
	// a seed of the code, and becomes a file.
	got := files(t, filepath.Join(root, "p/testdata/fuzz/FuzzP"))
	want := []string{"[]byte(\"a\")\n", "[]byte(\"xb\")\n", "[]byte(\"xxc\")\n"}
	if len(got) != len(want) {
		t.Errorf("kept %q", got)
	}
	for i, text := range want {
		name := contentName([]byte(corpusHeader + "\n" + text))
		if i == 0 {
			name = "seed"
		}
		if got[name] != corpusHeader+"\n"+text {
			t.Errorf("%s: %q, want %q", name, got[name], text)
		}
	}
	// Five inputs, of which two are added; the seed reaches 6 statements of the
	// 10 of P.
	line := strings.Fields(strings.Split(out.String(), "\n")[1])
	if want := "p FuzzP 5 2 3"; strings.Join(line[:5], " ") != want {
		t.Errorf("%q, want %q", line, want)
	}
	if got, want := strings.Join(line[6:], " "), "6 10 10"; got != want {
		t.Errorf("statements %s, want %s", got, want)
	}

	out.Reset()
	if err := o.minimise(packages); err != nil {
		t.Fatal(err)
	}
	if line, want := strings.Join(strings.Fields(out.String())[8:], " "), "p FuzzP 5 0 3 "; !strings.HasPrefix(line, want) {
		t.Errorf("again: %q, want %q", line, want)
	}

	put(t, filepath.Join(cache, "example.org/m/p/FuzzP/6"), corpusHeader+"\n[]byte(\"abc\")\n")
	err = o.minimise(packages)
	if err != nil {
		t.Errorf("an input that does not fail: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(root, "p/p_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(root, "p/p_test.go"), strings.Replace(string(text), "> 4", "> 3", 1))
	err = o.minimise(packages)
	if name := contentName([]byte(corpusHeader + "\n[]byte(\"abc\")\n")); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("an input that fails: %v", err)
	}
}

func TestArgumentTypes(t *testing.T) {
	for _, tt := range []struct{ file, want string }{
		{corpusHeader + "\n[]byte(\"\\x00\")\nbyte('a')\nuint8(7)\n", "[]byte uint8 uint8"},
		{corpusHeader + "\r\nstring(`a`)\r\nrune('a')\n\nint8(-1)", "string int32 int8"},
		{corpusHeader + "\nfloat64(+Inf)\nmath.Float64frombits(0x7ff8000000000002)\nbool(true)\n", "float64 float64 bool"},
		{corpusHeader + "\n", ""},
		{corpusHeader + "\n7\n", ""},
		{corpusHeader + "\nint(\n", ""},
		{"go test fuzz v2\nint(1)\n", ""},
		{"", ""},
	} {
		if got := strings.Join(argumentTypes([]byte(tt.file)), " "); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.file, got, tt.want)
		}
	}
}

func TestInstrument(t *testing.T) {
	text := "package p\n\nfunc FuzzA(f *testing.F) {\n\tf.Add(1)\n\tf.Fuzz(func(t *testing.T, a, b []byte, n int) {\n\t})\n}\n\nfunc FuzzHelper(n int) {}\n"
	s, err := instrument("a_test.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(text, "f.Fuzz(", "fuzzminSeeds(); f.Fuzz(", 1)
	want = strings.Replace(want, "n int) {\n\t}", "n int) { defer fuzzminSeed(t, a, b, n)();\n\t}", 1)
	if string(s.Text) != want {
		t.Errorf("%s", s.Text)
	}
	if len(s.Targets) != 1 || s.Targets[0].Name != "FuzzA" || strings.Join(s.Targets[0].Types, " ") != "[]byte []byte int" {
		t.Errorf("%+v", s.Targets)
	}
	for _, bad := range []string{
		"f.Fuzz(g)",
		"f.Fuzz(func(t *testing.T, _ []byte) {})",
		"",
	} {
		if _, err := instrument("a_test.go", []byte("package p\n\nfunc FuzzA(f *testing.F) {\n\t"+bad+"\n}\n")); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestReached(t *testing.T) {
	file := slices.Concat(
		[]byte("\x00cwm\x01\x00\x00\x00"), make([]byte, 16), []byte{2, 0}, make([]byte, 6),
		[]byte{2, 0, 0, 0, 0, 0, 0, 0}, []byte{3, 0, 0, 0}, []byte{2, 0, 0, 0}, // functions, names, arguments
		[]byte("nnnaa"), make([]byte, 3),
		[]byte{3, 7, 1, 0, 5, 0xFF, 0x01}, // of package 7, function 1: three blocks
		[]byte{1, 0x80, 0x01, 2, 1},       // of package 128, function 2: one
		[]byte("\x00cwm"), make([]byte, 4), []byte{1, 0, 0, 0}, make([]byte, 4))
	want := []block{{7, 1, 1}, {7, 1, 2}, {128, 2, 0}}
	if got, err := reached(file); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestReachedRefuses(t *testing.T) {
	good := append([]byte("\x00cwm\x01\x00\x00\x00"), make([]byte, 56)...)
	good[24] = 2
	good[len(good)-8] = 1
	if b, err := reached(good); err != nil || len(b) != 0 {
		t.Fatalf("%v, %v", b, err)
	}
	for name, bad := range map[string]func([]byte) []byte{
		"short":             func(b []byte) []byte { return b[:63] },
		"other magic":       func(b []byte) []byte { b[1]++; return b },
		"version 2":         func(b []byte) []byte { b[4]++; return b },
		"other flavour":     func(b []byte) []byte { b[24]++; return b },
		"two segments":      func(b []byte) []byte { b[len(b)-8]++; return b },
		"functions, absent": func(b []byte) []byte { b[32]++; return b },
		"names, absent":     func(b []byte) []byte { b[40]++; return b },
	} {
		if got, err := reached(bad(bytes.Clone(good))); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

package main

import (
	"bytes"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const sample = `package sample

import "fmt"

const header = 0x10

// Size reads a length.
func Size(b []byte) (int, error) {
	if len(b) < header {
		return 0, fmt.Errorf("%d bytes, not %d", len(b)+1, header)
	}
	n := int(b[4]) + header
	if n > len(b) && !wide(b) {
		return 0, nil
	}
	if b == nil {
		return 0, nil
	}
	list := make([]byte, 0, n+3)
	list = append(list, b[:min(n, len(b))]...)
	return len(list), nil
}

func wide(b []byte) bool { return b[5] == 1 }

func (k kind) String() string { return names[k+1] }
`

// TestSites: the places that reading depends on, and not words, capacities,
// comparisons with nil or names of values.
func TestSites(t *testing.T) {
	sites, err := sitesOfFile("sample/sample.go", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range sites {
		for _, after := range s.after {
			got = append(got, mutant{s, after}.String()[len("sample/sample.go:"):])
		}
	}
	want := []string{
		"5: const header = 0x10 -> const header = 0x11",
		"5: const header = 0x10 -> const header = 0xf",
		`10: return 0, fmt.Errorf("%d bytes, not %d", len(b)+1, header) -> `,
		"9: if len(b) < header { -> if len(b) <= header {",
		`10: return 0, fmt.Errorf("%d bytes, not %d", len(b)+1, header) -> return 1, fmt.Errorf("%d bytes, not %d", len(b)+1, header)`,
		"12: n := int(b[4]) + header -> n := int(b[4]) - header",
		"12: n := int(b[4]) + header -> n := int(b[5]) + header",
		"12: n := int(b[4]) + header -> n := int(b[3]) + header",
		"14: return 0, nil -> ",
		"13: if n > len(b) && !wide(b) { -> if n > len(b) || !wide(b) {",
		"13: if n > len(b) && !wide(b) { -> if n >= len(b) && !wide(b) {",
		"13: if n > len(b) && !wide(b) { -> if n > len(b) && wide(b) {",
		"14: return 0, nil -> return 1, nil",
		"17: return 0, nil -> return 1, nil",
		"19: list := make([]byte, 0, n+3) -> list := make([]byte, 1, n+3)",
		"20: list = append(list, b[:min(n, len(b))]...) -> list = append(list, b[:max(n, len(b))]...)",
		"24: func wide(b []byte) bool { return b[5] == 1 } -> func wide(b []byte) bool { return b[5] != 1 }",
		"24: func wide(b []byte) bool { return b[5] == 1 } -> func wide(b []byte) bool { return b[6] == 1 }",
		"24: func wide(b []byte) bool { return b[5] == 1 } -> func wide(b []byte) bool { return b[4] == 1 }",
		"24: func wide(b []byte) bool { return b[5] == 1 } -> func wide(b []byte) bool { return b[5] == 2 }",
		"24: func wide(b []byte) bool { return b[5] == 1 } -> func wide(b []byte) bool { return b[5] == 0 }",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestDraw: the same seed draws the same, another seed something else, and the
// kinds come by turns.
func TestDraw(t *testing.T) {
	sites, err := sitesOfFile("sample/sample.go", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	lines := func(seed uint64) (list []string) {
		for _, m := range draw(sites, seed, "sample") {
			list = append(list, m.String())
		}
		return list
	}
	if len(lines(1)) != len(sites) || !slices.Equal(lines(1), lines(1)) {
		t.Error("one seed, two draws")
	}
	if slices.Equal(lines(1), lines(2)) {
		t.Error("two seeds, one draw")
	}
	seen := map[kind]bool{}
	for _, m := range draw(sites, 3, "sample")[:kinds] {
		seen[m.kind] = true
	}
	if len(seen) != int(kinds) {
		t.Errorf("the first %d breaks are of %d kinds", kinds, len(seen))
	}
}

// TestVerdicts runs breaks of a module whose tests are known.
func TestVerdicts(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/sample\n\ngo 1.26\n",
		"sample/sample.go": `package sample

func Text(a, b string) string { return a + b }

func Seen(n int) bool { return n > 4 }

func Unseen(n int) bool { return n > 5 }

func Fuzzed(n int) bool { return n > 6 }
`,
		"sample/sample_test.go": `package sample

import "testing"

func TestUnseen(t *testing.T) { Unseen(2) }

func TestSeen(t *testing.T) {
	if Seen(4) || !Seen(5) {
		t.Error("seen")
	}
}
`,
		"fuzz/fuzz_test.go": `package fuzz

import (
	"testing"

	"example.com/sample/sample"
)

func FuzzSample(f *testing.F) {
	f.Add(6)
	f.Fuzz(func(t *testing.T, n int) {
		if sample.Fuzzed(n) != (n > 6) {
			t.Error("fuzzed")
		}
	})
}
`,
	} {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := options{root: root, seed: 1, only: regexp.MustCompile(`n > \d -> |n > \d }.*>=|a \+ b`)}
	sample := target{dir: "sample", breaks: 4, fuzz: "^FuzzSample$", skip: files("")}
	var out bytes.Buffer
	if err := runTargets(o, []target{sample}, log.New(&out, "", 0)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`a \+ b } -> .*a - b }: does not compile`,
		`n >= 4 }: caught by TestSeen`,
		`n >= 5 }: SURVIVED`,
		`n >= 6 }: caught by FuzzSample`,
		`= sample: 3 breaks: 2 caught, 0 of them by time; 1 survived; 1 more did not compile`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no %s in\n%s", want, &out)
		}
	}
}

// TestTargetsOf: arguments, and what they refuse.
func TestTargetsOf(t *testing.T) {
	breaks := 0
	for _, p := range plan {
		breaks += p.breaks
	}
	if breaks != 100 {
		t.Errorf("the plan has %d breaks", breaks)
	}
	got, err := targetsOf([]string{"titles=3", "blg"})
	if err != nil || len(got) != 2 || got[0].breaks != 3 || got[1].breaks != 12 {
		t.Errorf("got %v, %v", got, err)
	}
	for _, arg := range []string{"nothing", "titles=", "titles=-1", "titles=x"} {
		if _, err := targetsOf([]string{arg}); err == nil {
			t.Errorf("%s is accepted", arg)
		}
	}
}

package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// corpusDir is where go test finds the seeds of a target.
func corpusDir(pkgDir, target string) string {
	return filepath.Join(pkgDir, "testdata", "fuzz", target)
}

// contentName names an input as Go's fuzzer does.
func contentName(b []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(b))[:16]
}

// readInputs reads the corpus files of a folder that are inputs of the target.
// A folder that is not there has none; files of other types are left out but
// where they stand in the tree, since go test would fail with them.
func readInputs(dir string, t target, kept bool) ([]*input, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []*input
	for _, f := range files {
		if f.IsDir() {
			continue
		}
		name := filepath.Join(dir, f.Name())
		b, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a fuzzer at work replaced it
		}
		if err != nil {
			return nil, err
		}
		if !slices.Equal(argumentTypes(b), t.Types) {
			if kept {
				return nil, fmt.Errorf("%s: its arguments are not those of %s", name, t.Name)
			}
			continue
		}
		out = append(out, &input{name: f.Name(), data: b, kept: kept})
	}
	return out, nil
}

// argumentTypes gives the types of a corpus file's arguments, or nothing where
// it is not one.
func argumentTypes(file []byte) []string {
	head, rest, _ := bytes.Cut(file, []byte("\n"))
	if string(bytes.TrimSpace(head)) != "go test fuzz v1" {
		return nil
	}
	var out []string
	for line := range bytes.Lines(rest) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		e, err := parser.ParseExpr(string(line))
		call, ok := e.(*ast.CallExpr)
		if err != nil || !ok {
			return nil
		}
		out = append(out, plain(types.ExprString(call.Fun)))
	}
	return out
}

// plain gives one name to a type that has two, and to a float that is written
// by its bits.
func plain(typ string) string {
	switch typ {
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	case "[]uint8":
		return "[]byte"
	case "math.Float32frombits":
		return "float32"
	case "math.Float64frombits":
		return "float64"
	}
	return typ
}

// candidates puts what the fuzzer found behind the seeds that are there, each
// content once, and no more than sample of them, of all sizes alike.
func candidates(seeds, found []*input, sample int) []*input {
	seen := map[string]bool{}
	for _, i := range seeds {
		seen[contentName(i.data)] = true
	}
	found = slices.DeleteFunc(slices.Clone(found), func(i *input) bool {
		i.name = contentName(i.data)
		was := seen[i.name]
		seen[i.name] = true
		return was
	})
	slices.SortFunc(found, func(a, b *input) int { return len(a.data) - len(b.data) })
	out := slices.Clone(seeds)
	if len(found) <= sample {
		return append(out, found...)
	}
	for i := range sample {
		out = append(out, found[i*len(found)/sample])
	}
	return out
}

// keep writes inputs beside the seeds of a target. No file is replaced or
// removed: a crash that was found stands there under such a name too.
func keep(dir string, in []*input) error {
	if len(in) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // G301: a folder of the tree
		return err
	}
	for _, i := range in {
		name := filepath.Join(dir, i.name)
		if _, err := os.Lstat(name); err == nil {
			continue
		}
		if err := os.WriteFile(name, i.data, 0o644); err != nil { //nolint:gosec // G306: a file of the tree
			return err
		}
	}
	return nil
}

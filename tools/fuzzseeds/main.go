// Command fuzzseeds packs the seeds of a fuzz target, as go test keeps them in
// testdata/fuzz, into a zip of inputs for libFuzzer.
//
//	fuzzseeds fuzz/testdata/fuzz/FuzzDecode FuzzDecode_seed_corpus.zip
//
// What libFuzzer runs was built by go-118-fuzz-build, which takes the arguments
// of a target from the bytes of an input in turn; encode.go is the
// inverse of that.
package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: fuzzseeds DIR FILE.zip")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "fuzzseeds:", err)
		os.Exit(1)
	}
}

// pack writes all seeds of a directory to a zip, in the order of their names.
func pack(dir, file string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		seed, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		args, err := parse(string(seed))
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(dir, e.Name()), err)
		}
		f, err := w.Create(e.Name())
		if err != nil {
			return err
		}
		if _, err := f.Write(encode(args)); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

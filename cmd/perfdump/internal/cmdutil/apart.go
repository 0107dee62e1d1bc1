package cmdutil

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/perfdump/perfdump/internal/detect"
)

// Apart refuses an output that is one of the inputs, which are often the only
// copy. If an input is a directory, its files of known formats are inputs too.
// Standard input may also be a file.
func (f *Factory) Apart(output string, inputs ...string) error {
	to, err := os.Stat(output)
	if err != nil || !to.Mode().IsRegular() {
		return nil //nolint:nilerr // a missing file is no input
	}
	for _, name := range inputs {
		from, err := f.stat(name)
		if err != nil {
			continue // opening it will say what is wrong
		}
		if os.SameFile(from, to) || from.IsDir() && within(output, from) && recognised(output, to.Size()) {
			return &UsageError{Text: "-w " + output + " is an input, and would be lost", Hint: "write to a file of another name"}
		}
	}
	return nil
}

// stat describes an input, which may be standard input.
func (f *Factory) stat(name string) (fs.FileInfo, error) {
	if in, ok := f.IO.In.(interface{ Stat() (fs.FileInfo, error) }); ok && name == "-" {
		return in.Stat()
	}
	return os.Stat(name)
}

// within reports whether a file is below a directory.
func within(file string, dir fs.FileInfo) bool {
	path, err := filepath.Abs(file)
	if err != nil {
		return false
	}
	for parent := filepath.Dir(path); parent != path; path, parent = parent, filepath.Dir(parent) {
		if info, err := os.Stat(parent); err == nil && os.SameFile(info, dir) {
			return true
		}
	}
	return false
}

// recognised reports whether a file has a known format.
func recognised(name string, size int64) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head, err := io.ReadAll(io.LimitReader(f, detect.HeadSize))
	if err != nil {
		return false
	}
	_, known := detect.Sniff(head, size)
	return known
}

package lake

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The manifest is lines of JSON: what the lake is, then its inputs, and its files by
// stretches.
const (
	manifestDir  = "_lake"
	manifestName = "manifest.jsonl"
	layout       = 1 // of the lake; another one is made anew
)

// line is a line of the manifest.
type line struct {
	Kind string `json:"kind"` // "lake", "input", "file"

	// Of a lake.
	Layout  int `json:"layout,omitempty"`
	Version int `json:"version,omitempty"` // counts runs that changed it

	*Input
	*File
}

// Input is a file of a recording as it was when it was read.
type Input struct {
	Path  string    `json:"input,omitempty"`
	Size  int64     `json:"size"`
	MTime time.Time `json:"mtime"`
	Hash  string    `json:"hash,omitempty"` // of its length, its first and its last bytes
	Full  string    `json:"full,omitempty"` // of all bytes, where they were verified

	Recording string    `json:"recording,omitempty"` // who wrote it, "" where it cannot be read
	Host      string    `json:"machine,omitempty"`
	Format    string    `json:"format,omitempty"`
	Start     time.Time `json:"start"`
	End       time.Time `json:"end"`
	Stretch   string    `json:"of,omitempty"`

	Code   string `json:"code,omitempty"` // of the error that it has, and where
	Offset int64  `json:"offset,omitempty"`
	Error  string `json:"error,omitempty"`
}

// File is a file of the lake.
type File struct {
	Name    string `json:"path,omitempty"` // below the lake, with slashes
	Stretch string `json:"stretch,omitempty"`
	Table   string `json:"table,omitempty"` // "counters", "findings", "machines", "errors"
	Rows    int64  `json:"rows"`
	Bytes   int64  `json:"bytes"`
}

type manifest struct {
	version int
	inputs  map[string]*Input // by path
	files   []*File
}

func readManifest(dir string) (*manifest, error) {
	m := &manifest{inputs: map[string]*Input{}}
	f, err := os.Open(filepath.Join(dir, manifestDir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	} else if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		var l line
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", f.Name(), n, err)
		}
		switch {
		case n == 1 && (l.Kind != "lake" || l.Layout != layout):
			return nil, fmt.Errorf("%s: a lake of layout %d, which this version does not know", f.Name(), l.Layout)
		case n == 1:
			m.version = l.Version
		case l.Kind == "input" && l.Input != nil:
			m.inputs[l.Input.Path] = l.Input
		case l.Kind == "file" && l.File != nil && inside(l.File.Name):
			m.files = append(m.files, l.File)
		default:
			return nil, fmt.Errorf("%s: line %d says nothing that is known", f.Name(), n)
		}
	}
	return m, s.Err()
}

// inside reports whether a name of a file is one below the lake.
func inside(name string) bool { return filepath.IsLocal(filepath.FromSlash(name)) }

// write writes the manifest whole or not at all.
func (m *manifest) write(dir string) error {
	var b strings.Builder
	put := func(l line) error {
		text, err := json.Marshal(l)
		b.Write(append(text, '\n'))
		return err
	}
	err := put(line{Kind: "lake", Layout: layout, Version: m.version})
	for _, path := range sortedKeys(m.inputs) {
		err = errors.Join(err, put(line{Kind: "input", Input: m.inputs[path]}))
	}
	slices.SortFunc(m.files, func(a, b *File) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range m.files {
		err = errors.Join(err, put(line{Kind: "file", File: f}))
	}
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, manifestDir, manifestName), func(f *os.File) error {
		_, err := f.WriteString(b.String())
		return err
	})
}

// temporary begins the names of files that are being written.
const temporary = ".tmp-"

// writeFile writes a file under a temporary name beside it, and then gives it its own.
func writeFile(name string, write func(*os.File) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil { //nolint:gosec // the umask says who may read it
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), temporary+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := errors.Join(f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

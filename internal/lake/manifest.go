package lake

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// The manifest is lines of JSON: what the lake is, then its inputs, and its files by
// stretches.
const (
	manifestDir  = "_lake"
	manifestName = "manifest.jsonl"
	layout       = 1 // of the lake; another one is made anew
	maxLine      = 64 << 20
)

// line is a line of the manifest.
type line struct {
	Kind string `json:"kind"` // "lake", "input", "file"

	head
	*Input
	*File
}

// head is the first line of a manifest.
type head struct {
	Layout  int      `json:"layout,omitempty"`
	Version int      `json:"version,omitempty"` // counts runs that changed it; of a shard, that of the lake before
	Shard   int      `json:"shard,omitempty"`   // from 1 on
	Shards  int      `json:"of_shards,omitempty"`
	Plan    string   `json:"plan,omitempty"` // of its run: which pieces were to be made
	Made    []string `json:"made,omitempty"` // those it made
}

// File is a file of the lake.
type File struct {
	Name   string  `json:"path,omitempty"`  // below the lake, with slashes
	Table  string  `json:"table,omitempty"` // "counters", "findings", "machines", "errors"
	Rows   int64   `json:"rows"`
	Bytes  int64   `json:"bytes"`
	Hash   string  `json:"sha256,omitempty"` // the first half of it
	Shares []Share `json:"of,omitempty"`     // of pieces
}

type manifest struct {
	head

	inputs map[string]*Input // by path
	files  []*File
}

// readManifest reads the manifest of a lake, or that of a shard of a run.
func readManifest(dir, name string) (*manifest, error) {
	m := &manifest{inputs: map[string]*Input{}}
	f, err := os.Open(filepath.Join(dir, manifestDir, name))
	if errors.Is(err, fs.ErrNotExist) && name == manifestName {
		return m, nil
	} else if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	s := bufio.NewScanner(f)
	s.Buffer(nil, maxLine)
	for n := 1; s.Scan(); n++ {
		var l line
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", f.Name(), n, err)
		}
		switch {
		case n == 1 && (l.Kind != "lake" || l.Layout != layout):
			return nil, fmt.Errorf("%s: a lake of layout %d, which this version does not know", f.Name(), l.Layout)
		case n == 1:
			m.head = l.head
		case l.Kind == "input" && l.Input != nil && len(l.Cuts) > 0 == (l.Recording != ""):
			if l.Raw != nil {
				l.Input.Path, l.Raw = string(l.Raw), nil
			}
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

// text returns the lines of the manifest.
func (m *manifest) text() ([]byte, error) {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	m.Layout = layout
	err := to.Encode(line{Kind: "lake", head: m.head})
	for _, path := range sortedKeys(m.inputs) {
		in := *m.inputs[path]
		if !utf8.ValidString(path) {
			in.Raw = []byte(path)
		}
		err = errors.Join(err, to.Encode(line{Kind: "input", Input: &in}))
	}
	slices.SortFunc(m.files, func(a, b *File) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range m.files {
		err = errors.Join(err, to.Encode(line{Kind: "file", File: f}))
	}
	return b.Bytes(), err
}

// write writes the manifest whole or not at all.
func (m *manifest) write(dir, name string) error {
	text, err := m.text()
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, manifestDir, name), func(f *os.File) error {
		_, err := f.Write(text)
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

package cmdutil

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/export/parquet"
)

// maxOpen is how many files of a tree are open at a time, since each buffers a
// group of rows. The least recently used one is closed for another; if its
// folder gets more rows, they go to a further file.
const maxOpen = 8

// tree is a directory of files by host and date. It is made next to its
// destination and renamed at the end. An existing empty directory may be one that
// cannot be replaced, such as . or a mount point: then the tree is made inside,
// and its content moves up at the end.
type tree[W interface{ Close() error }] struct {
	dir   string
	bound func(io.Writer) io.Writer // to what the run may write
	open  func(io.Writer) (W, error)
	made  string // the temporary directory
	there bool   // dir is
	files map[string]*leaf[W]
	parts map[string]int // of each folder, without regard to case
	turn  int
}

type leaf[W any] struct {
	f    *os.File
	w    W
	used int
}

// newTree makes the temporary directory of a tree. An error of open is one of
// the flags.
func newTree[W interface{ Close() error }](f *Factory, dir string, open func(io.Writer) (W, error)) (*tree[W], error) {
	if _, err := open(io.Discard); err != nil {
		return nil, columnError(err)
	}
	entries, err := os.ReadDir(dir)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "lost+found" }) // in an empty ext4
	switch {
	case err == nil && len(entries) > 0:
		return nil, &UsageError{Text: "-w " + dir + ": the directory is not empty", Hint: "--partition needs a new one: rows next to those of another run would count twice"}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, outputError(dir, err)
	}
	t := &tree[W]{dir: dir, bound: f.Budget.Writer, open: open, files: map[string]*leaf[W]{}, parts: map[string]int{}}
	near := filepath.Clean(dir)
	if _, err := os.Stat(dir); err == nil {
		t.there, near = true, filepath.Join(dir, "perfdump")
	}
	for n := os.Getpid(); ; n++ {
		t.made = temporaryName(near, n)
		err := unfinished.make(t.made, func() error {
			return os.Mkdir(t.made, 0o777) //nolint:gosec // the umask is the user's to choose, as for any output
		})
		if err == nil {
			return t, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, outputError(dir, err)
		}
	}
}

// at returns the writer for rows of a host and a time.
func (t *tree[W]) at(host string, when time.Time) (W, error) {
	folder := parquet.Partition(host, when)
	t.turn++
	if l := t.files[folder]; l != nil {
		l.used = t.turn
		return l.w, nil
	}
	var none W
	if len(t.files) == maxOpen {
		if err := t.closeOldest(); err != nil {
			return none, err
		}
	}
	l, err := t.leaf(folder)
	if err != nil {
		return none, err
	}
	l.used = t.turn
	t.files[folder] = l
	return l.w, nil
}

func (t *tree[W]) leaf(folder string) (*leaf[W], error) {
	at := filepath.Join(t.made, filepath.FromSlash(folder))
	plain := strings.ToLower(folder) // which are one on some systems
	name := fmt.Sprintf("part-%d.parquet", t.parts[plain])
	t.parts[plain]++
	var f *os.File
	err := unfinished.within(func() error {
		err := os.MkdirAll(at, 0o777) //nolint:gosec // as above
		if err == nil {
			f, err = os.OpenFile(filepath.Join(at, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) //nolint:gosec // as above
		}
		return err
	})
	if err != nil {
		return nil, outputError(t.dir, err)
	}
	w, err := t.open(t.bound(&treeFile{t.dir, f}))
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &leaf[W]{f: f, w: w}, nil
}

func (t *tree[W]) closeOldest() error {
	oldest := ""
	for folder, l := range t.files {
		if oldest == "" || l.used < t.files[oldest].used {
			oldest = folder
		}
	}
	return t.close(oldest)
}

func (t *tree[W]) close(folder string) error {
	l := t.files[folder]
	delete(t.files, folder)
	err := l.w.Close()
	if syncErr := l.f.Sync(); err == nil && syncErr != nil {
		err = outputError(t.dir, syncErr)
	}
	if closeErr := l.f.Close(); err == nil && closeErr != nil {
		err = outputError(t.dir, closeErr)
	}
	return err
}

// Close renames the tree to its destination.
func (t *tree[W]) Close() error {
	for folder := range t.files {
		if err := t.close(folder); err != nil {
			return err
		}
	}
	place := func() error { return unfinished.rename(t.made, t.dir) }
	if t.there {
		place = func() error { return unfinished.within(t.moveUp) }
	}
	if err := place(); err != nil {
		return outputError(t.dir, err)
	}
	unfinished.remove(t.made)
	t.made = ""
	return nil
}

// moveUp moves what was made inside the directory to its destination, all of it
// or nothing.
func (t *tree[W]) moveUp() error {
	hosts, err := os.ReadDir(t.made)
	for i, host := range hosts {
		if err = os.Rename(filepath.Join(t.made, host.Name()), filepath.Join(t.dir, host.Name())); err != nil {
			for _, moved := range hosts[:i] {
				_ = os.RemoveAll(filepath.Join(t.dir, moved.Name()))
			}
			break
		}
	}
	return err
}

// Discard removes what was written, unless the tree has its name.
func (t *tree[W]) Discard() {
	if t == nil {
		return
	}
	for _, l := range t.files {
		_ = l.f.Close()
	}
	if t.made != "" {
		unfinished.remove(t.made)
	}
}

// treeFile is a file of a tree; its errors are those of the output.
type treeFile struct {
	dir string
	f   *os.File
}

func (t *treeFile) Write(b []byte) (int, error) {
	n, err := t.f.Write(b)
	if err != nil {
		err = outputError(t.dir, err)
	}
	return n, err
}

// frameTree writes frames to a tree. The cells of a frame may be of several
// hosts.
type frameTree struct{ *tree[export.FrameWriter] }

// WriteFrame writes the cells of each host to its file.
func (t *frameTree) WriteFrame(f *capture.Frame) error {
	for from := 0; from < len(f.Cells); {
		to, host := from+1, f.Cells[from].Series.Host
		for to < len(f.Cells) && f.Cells[to].Series.Host == host {
			to++
		}
		w, err := t.at(host, f.Time)
		if err != nil {
			return err
		}
		part := *f
		part.Cells = f.Cells[from:to]
		if err := w.WriteFrame(&part); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// rowTree writes raw rows to a tree.
type rowTree struct{ *tree[export.Writer] }

// Write writes the rows of a snapshot.
func (t *rowTree) Write(s *capture.Snapshot) error { return t.WriteRows(s.Rows()) }

// WriteRows writes each row to the file of its host.
func (t *rowTree) WriteRows(rows iter.Seq[*capture.Row]) error {
	for row := range rows {
		w, err := t.at(row.Host, row.Time)
		if err != nil {
			return err
		}
		if err := w.WriteRows(func(yield func(*capture.Row) bool) { yield(row) }); err != nil {
			return err
		}
	}
	return nil
}

// Flush is there for export.Writer; Close writes what is left.
func (t *rowTree) Flush() error { return nil }

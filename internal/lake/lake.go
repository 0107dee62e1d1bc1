package lake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export/parquet"
)

// Options says how a lake is made.
type Options struct {
	Capture capture.Options // how inputs are read
	Workers int             // stretches at a time; 0 for one a core
	Prune   bool            // forget inputs that have vanished, and remove their rows
	Verify  bool            // compare all bytes of inputs, not size, time, first and last ones
	Version string          // of perfdump

	Progress func(Result) // is called after each stretch, from one goroutine at a time; may be nil
}

// Result is what a run has done.
type Result struct {
	Inputs    int // that have counter values, or cannot be read
	New       int // or changed
	Unchanged int
	Gone      int // vanished since the last run
	Failed    int // that cannot be read, or not wholly
	Passed    int // files without counter values

	Stretches int // to be cooked
	Cooked    int
	Written   int   // files
	Rows      int64 // written
	All       int64 // rows of the lake
	Size      int64 // bytes of its files

	Bad []*Input // that were read now, and not or not wholly
}

type lake struct {
	dir string
	o   Options
	now *manifest
	res Result
	mu  sync.Mutex

	fresh bool // the manifest has to be written
}

var (
	text, whole, real, moment = "", int64(0), 0.0, time.Time{}

	findingColumns = []parquet.Column{
		{Name: "host", Like: text},
		{Name: "recording", Like: text},
		{Name: "start", Like: moment},
		{Name: "end", Like: moment},
		{Name: "rule", Like: text},
		{Name: "severity", Like: text},
		{Name: "area", Like: text},
		{Name: "instance", Like: text},
		{Name: "counter", Like: text},
		{Name: "title", Like: text},
		{Name: "worst", Like: real},
		{Name: "average", Like: real},
		{Name: "threshold", Like: real},
		{Name: "share", Like: real},
	}
	machineColumns = []parquet.Column{
		{Name: "host", Like: text}, {Name: "recording", Like: text}, {Name: "format", Like: text}, {Name: "start", Like: moment}, {Name: "end", Like: moment}, {Name: "inputs", Like: whole}, {Name: "bytes", Like: whole},
	}
	errorColumns = []parquet.Column{{Name: "input", Like: text}, {Name: "code", Like: text}, {Name: "offset", Like: whole}, {Name: "message", Like: text}}
)

// Run adds what is new in the inputs, files and directories of them, to the lake in dir.
// An error ends the run and leaves the lake as it was; inputs that cannot be read are rows
// of errors.
func Run(ctx context.Context, dir string, inputs []string, o Options) (Result, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Capture.Names == nil {
		o.Capture.Names = capture.NewNames()
		o.Capture.Names.SetEnglish(true)
	}
	l := &lake{dir: dir, o: o}
	err := l.run(ctx, inputs)
	return l.res, err
}

func (l *lake) run(ctx context.Context, inputs []string) error {
	if err := l.ours(); err != nil {
		return err
	}
	old, err := readManifest(l.dir)
	if err != nil {
		return err
	}
	paths, err := list(inputs, l.dir)
	if err != nil {
		return err
	}
	if err := l.sweep(old); err != nil { // what a run that was killed has left
		return err
	}
	l.now = &manifest{version: old.version + 1, inputs: map[string]*Input{}}
	if err := l.look(ctx, old, paths); err != nil {
		return err
	}
	for path, in := range old.inputs {
		if l.now.inputs[path] == nil && !slices.Contains(paths, path) {
			l.res.Gone++
			if !l.o.Prune && in.Recording != "" {
				l.now.inputs[path] = in
			}
		}
	}
	changed, err := l.cookAll(ctx, old)
	if err != nil {
		return err
	}
	if !changed && !l.fresh && len(old.inputs) == len(l.now.inputs) {
		l.now = old
		return l.sum()
	}
	if err := l.tables(); err != nil {
		return err
	}
	if err := l.now.write(l.dir); err != nil {
		return err
	}
	return errors.Join(l.sweep(l.now), l.sum())
}

// ours refuses a directory with files of others: a sweep might take them for leftovers.
func (l *lake) ours() error {
	entries, err := os.ReadDir(l.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if e.Name() == manifestDir {
			return nil
		}
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty and no lake", l.dir)
	}
	return os.MkdirAll(filepath.Join(l.dir, manifestDir), 0o777) //nolint:gosec // the umask says who may read it
}

// look finds which inputs are new, by several workers.
func (l *lake) look(ctx context.Context, old *manifest, paths []string) error {
	found := make([]*Input, len(paths))
	l.each(len(paths), func(i int) {
		if ctx.Err() == nil {
			found[i] = l.input(paths[i], old.inputs[paths[i]])
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, in := range found {
		if in == nil {
			l.res.Passed++
			continue
		}
		l.res.Inputs++
		was := old.inputs[in.Path]
		l.now.inputs[in.Path] = in
		if was == nil || was.Hash != in.Hash {
			l.res.New++
		} else {
			l.res.Unchanged++
		}
		l.fresh = l.fresh || was == nil || *in != *was
	}
	return nil
}

// input returns an input as it is now: the one that is known if it is unchanged, nil for a
// file without counter values.
func (l *lake) input(path string, known *Input) *Input {
	if info, err := os.Stat(path); known != nil && err == nil && !l.o.Verify && known.Size == info.Size() && known.MTime.Equal(info.ModTime()) {
		return known
	}
	in, err := look(path, l.o.Verify)
	if err != nil {
		in = &Input{Path: path}
		in.fail(err)
		return in
	}
	if known != nil && strings.HasPrefix(known.Hash, in.Hash) {
		if known.Full == "" || in.Full == "" || known.Full == in.Full {
			same := *known
			same.MTime, same.Full = in.MTime, cmp.Or(in.Full, known.Full)
			return &same
		}
		in.Hash += "-" + in.Full // its ends are the same
	}
	switch err := in.identify(l.o.Capture); {
	case errors.Is(err, errNoValues):
		return nil
	case err != nil:
		in.fail(err)
	}
	return in
}

// each calls do for each number below n, by several workers.
func (l *lake) each(n int, do func(int)) {
	next := make(chan int)
	var all sync.WaitGroup
	for range min(l.o.Workers, n) {
		all.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
}

// cookAll cooks the stretches that are new, and keeps the files of the others.
func (l *lake) cookAll(ctx context.Context, old *manifest) (changed bool, err error) {
	known := map[string][]*File{}
	for _, f := range old.files {
		if f.Stretch != "" {
			known[f.Stretch] = append(known[f.Stretch], f)
		}
	}
	done := map[string]bool{}
	for _, in := range old.inputs {
		done[in.Stretch] = true
	}
	var todo []*stretch
	for _, s := range stretches(l.now.inputs) {
		if done[s.id] {
			l.now.files = append(l.now.files, known[s.id]...)
			delete(known, s.id)
		} else {
			todo = append(todo, s)
		}
		for i, in := range s.inputs {
			if in.Stretch != s.id {
				copied := *in // that of the old manifest stays as it is
				copied.Stretch = s.id
				s.inputs[i], l.now.inputs[in.Path] = &copied, &copied
			}
		}
	}
	l.res.Stretches = len(todo)
	for _, path := range sortedKeys(l.now.inputs) {
		if in := l.now.inputs[path]; in.Recording == "" && in != old.inputs[path] {
			l.res.Bad = append(l.res.Bad, in)
		}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	l.each(len(todo), func(i int) {
		if ctx.Err() != nil {
			return
		}
		m := l.cook(ctx, todo[i])
		l.mu.Lock()
		defer l.mu.Unlock()
		if m.err != nil {
			stop(m.err)
			return
		}
		l.now.files = append(l.now.files, m.files...)
		for _, in := range todo[i].inputs {
			if in.Code != "" {
				l.res.Bad = append(l.res.Bad, in)
			}
		}
		l.res.Cooked++
		l.res.Rows += m.rows
		l.res.Written += len(m.files)
		if l.o.Progress != nil {
			l.o.Progress(l.res)
		}
	})
	slices.SortFunc(l.res.Bad, func(a, b *Input) int { return strings.Compare(a.Path, b.Path) })
	return len(todo)+len(known) > 0, context.Cause(ctx)
}

// tables writes the tables of machines and of errors anew.
func (l *lake) tables() error {
	type machine struct {
		first      *Input
		start, end time.Time
		n, bytes   int64
	}
	machines := map[string]*machine{}
	for _, path := range sortedKeys(l.now.inputs) {
		in := l.now.inputs[path]
		if in.Recording == "" {
			continue
		}
		m := machines[in.Recording]
		if m == nil {
			m = &machine{first: in, start: in.Start, end: in.End}
			machines[in.Recording] = m
		}
		if in.Start.Before(m.start) {
			m.start = in.Start
		}
		if in.End.After(m.end) {
			m.end = in.End
		}
		m.n, m.bytes = m.n+1, m.bytes+in.Size
	}
	write := func(table string, columns []parquet.Column, rows func(*parquet.Table) (int64, error)) error {
		of := &File{Name: fmt.Sprintf("%s/%s-%d.parquet", table, table, l.now.version), Table: table}
		l.now.files = append(l.now.files, of)
		return l.file(of, func(f *os.File) (int64, error) {
			t, err := parquet.NewTable(f, parquet.Options{Version: l.o.Version}, columns...)
			if err != nil {
				return 0, err
			}
			n, err := rows(t)
			return n, errors.Join(err, t.Close())
		})
	}
	return errors.Join(
		write("machines", machineColumns, func(t *parquet.Table) (n int64, err error) {
			for _, name := range sortedKeys(machines) {
				m := machines[name]
				err = errors.Join(err, t.Row(m.first.Host, name, m.first.Format, m.start, m.end, m.n, m.bytes))
				n++
			}
			return n, err
		}),
		write("errors", errorColumns, func(t *parquet.Table) (n int64, err error) {
			for _, path := range sortedKeys(l.now.inputs) {
				if in := l.now.inputs[path]; in.Code != "" {
					offset := any(in.Offset)
					if in.Offset < 0 {
						offset = nil
					}
					err = errors.Join(err, t.Row(strings.ToValidUTF8(in.Path, "\ufffd"), in.Code, offset, in.Error))
					n++
				}
			}
			return n, err
		}),
	)
}

// sum counts what the lake has.
func (l *lake) sum() error {
	for _, f := range l.now.files {
		if f.Table == "counters" {
			l.res.All += f.Rows
		}
		l.res.Size += f.Bytes
	}
	for _, in := range l.now.inputs {
		if in.Code != "" {
			l.res.Failed++
		}
	}
	return nil
}

// sweep removes the files of the lake that its manifest does not have.
func (l *lake) sweep(m *manifest) error {
	counts := map[string]bool{}
	for _, f := range m.files {
		counts[f.Name] = true
	}
	root, err := os.OpenRoot(l.dir) // no link leads out of it
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	tops, err := os.ReadDir(l.dir)
	if err != nil {
		return err
	}
	for _, top := range tops {
		if !strings.HasPrefix(top.Name(), "host=") && !slices.Contains([]string{"findings", "machines", "errors", manifestDir}, top.Name()) {
			continue
		}
		err := fs.WalkDir(root.FS(), top.Name(), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || counts[name] {
				return err
			}
			if strings.HasPrefix(d.Name(), temporary) || strings.HasSuffix(d.Name(), ".parquet") {
				return root.Remove(filepath.FromSlash(name))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

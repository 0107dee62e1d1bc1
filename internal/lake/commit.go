package lake

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/export/parquet"
)

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

// Commit makes what the pieces of [Lake.Take] gave part of the lake: it writes the tables
// and then the manifest, and removes the files that no longer count.
func (l *Lake) Commit(made []*Made) error {
	l.note(made)
	l.relist()
	l.bad()
	if err := l.count(made); err != nil {
		return err
	}
	same, err := l.unchanged()
	if err != nil {
		return err
	}
	if same {
		l.now = l.old
		l.sum()
		return nil
	}
	l.now.head = head{Version: l.old.Version + 1}
	if err := l.tables(); err != nil {
		return err
	}
	return l.publish()
}

// publish replaces the manifest, and removes the files that no longer count.
func (l *Lake) publish() error {
	if err := l.now.write(l.dir, manifestName); err != nil {
		return err
	}
	l.sum()
	return sweep(l.dir, l.now)
}

// note notes in the inputs what of them could not be read.
func (l *Lake) note(made []*Made) {
	of := map[string]*Made{}
	for _, m := range made {
		of[m.Piece] = m
	}
	for path, in := range l.now.inputs {
		for i := range in.Cuts {
			if m := of[in.Cuts[i].Piece]; m != nil {
				in.Cuts[i].Failure = m.Failures[path]
			}
		}
	}
}

// bad lists the inputs that could not be read, or not wholly, other than before.
func (l *Lake) bad() {
	for _, path := range sortedKeys(l.now.inputs) {
		in, was := l.now.inputs[path], l.Known(path)
		if f := in.Failed(); f != nil && (was == nil || was.Hash != in.Hash || was.Failed() == nil || *was.Failed() != *f) {
			l.res.Bad = append(l.res.Bad, in)
		}
	}
}

// relist makes each log whole whose list of items changes within it, as its pieces do not
// know the list that is in force. It reports whether there is one.
func (l *Lake) relist() (found bool) {
	for _, in := range l.now.inputs {
		i := slices.IndexFunc(in.Cuts, func(c Cut) bool { return c.Code == relisted })
		if i >= 0 {
			found = true
			in.Head, in.Cuts = 0, []Cut{{Hash: in.Hash + "-whole", Failure: in.Cuts[i].Failure}}
		}
	}
	return found
}

// count says which files count: those of the pieces that the inputs have.
func (l *Lake) count(made []*Made) error {
	keep := map[string]bool{}
	for _, in := range l.now.inputs {
		for _, c := range in.Cuts {
			keep[c.Piece] = true
		}
	}
	var files []*File
	for _, m := range made {
		if keep[m.Piece] {
			files = append(files, m.Files...)
			delete(keep, m.Piece) // what it gave before, if anything
		}
	}
	for _, f := range l.old.files {
		stale := slices.ContainsFunc(f.Shares, func(s Share) bool { return !keep[s.Piece] })
		switch {
		case len(f.Shares) == 0: // a table, which is made anew
		case !stale:
			files = append(files, f)
		default:
			rest, err := l.without(f, func(s Share) bool { return !keep[s.Piece] })
			if err != nil {
				return err
			}
			files = append(files, rest...)
		}
	}
	l.now.files = files
	return nil
}

// unchanged reports whether the manifest would say what it says.
func (l *Lake) unchanged() (bool, error) {
	as := &manifest{head: l.old.head, inputs: l.now.inputs, files: slices.Clone(l.now.files)}
	for _, f := range l.old.files {
		if len(f.Shares) == 0 {
			as.files = append(as.files, f)
		}
	}
	now, err := as.text()
	old, err2 := l.old.text()
	return bytes.Equal(now, old) && l.old.Version > 0, errors.Join(err, err2)
}

// machine is a row of the table of machines: a recording.
type machine struct {
	recording  string
	first      *Input
	start, end time.Time
	n, bytes   int64
}

// machines returns the recordings of the lake by host and start, and notes those of one host
// that overlap.
func (l *Lake) machines() []*machine {
	of := map[string]*machine{}
	for _, path := range sortedKeys(l.now.inputs) {
		in := l.now.inputs[path]
		if in.Recording == "" {
			continue
		}
		m := of[in.Recording]
		if m == nil {
			m = &machine{recording: in.Recording, first: in, start: in.Start, end: in.End}
			of[in.Recording] = m
		}
		if in.Start.Before(m.start) {
			m.start = in.Start
		}
		if in.End.After(m.end) {
			m.end = in.End
		}
		m.n, m.bytes = m.n+1, m.bytes+in.Size
	}
	all := slices.SortedFunc(maps.Values(of), func(a, b *machine) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.first.Host), strings.ToLower(b.first.Host)), a.start.Compare(b.start), strings.Compare(a.recording, b.recording))
	})
	for i, m := range all[min(1, len(all)):] {
		if strings.EqualFold(m.first.Host, all[i].first.Host) && !m.start.After(all[i].end) {
			l.res.Overlaps = append(l.res.Overlaps, m.first.Host)
		}
	}
	l.res.Overlaps = slices.Compact(l.res.Overlaps)
	return all
}

// tables writes the tables of machines and of errors anew.
func (l *Lake) tables() error {
	write := func(table string, columns []parquet.Column, rows func(*parquet.Table) (int64, error)) error {
		of := &File{Name: fmt.Sprintf("%s/%s-%d.parquet", table, table, l.now.Version), Table: table}
		l.now.files = append(l.now.files, of)
		return of.write(l.dir, func(f io.Writer) error {
			t, err := parquet.NewTable(f, parquet.Options{Version: l.o.Version}, columns...)
			if err != nil {
				return err
			}
			of.Rows, err = rows(t)
			return errors.Join(err, t.Close())
		})
	}
	return errors.Join(
		write("machines", machineColumns, func(t *parquet.Table) (n int64, err error) {
			for _, m := range l.machines() {
				err = errors.Join(err, t.Row(m.first.Host, m.recording, m.first.Format, m.start, m.end, m.n, m.bytes))
				n++
			}
			return n, err
		}),
		write("errors", errorColumns, func(t *parquet.Table) (n int64, err error) {
			for _, path := range sortedKeys(l.now.inputs) {
				if bad := l.now.inputs[path].Failed(); bad != nil {
					offset := any(bad.Offset)
					if bad.Offset < 0 {
						offset = nil
					}
					err = errors.Join(err, t.Row(strings.ToValidUTF8(path, "\ufffd"), bad.Code, offset, bad.Error))
					n++
				}
			}
			return n, err
		}),
	)
}

// sum counts what the lake has.
func (l *Lake) sum() {
	for _, f := range l.now.files {
		if f.Table == "counters" {
			l.res.All += f.Rows
			l.res.Files++
		}
		l.res.Size += f.Bytes
	}
	for _, in := range l.now.inputs {
		if in.Failed() != nil {
			l.res.Failed++
		}
	}
}

// sweep removes the files of the lake that its manifest does not have.
func sweep(dir string, m *manifest) error {
	counts := map[string]bool{}
	for _, f := range m.files {
		counts[f.Name] = true
	}
	root, err := os.OpenRoot(dir) // no link leads out of it
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	tops, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, top := range tops {
		if !strings.HasPrefix(top.Name(), "host=") && !slices.Contains([]string{"findings", "machines", "errors", manifestDir}, top.Name()) {
			continue
		}
		err := fs.WalkDir(root.FS(), top.Name(), func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || counts[name]:
				return err
			case d.IsDir() && strings.HasPrefix(d.Name(), temporary):
				if err := root.RemoveAll(filepath.FromSlash(name)); err != nil {
					return err
				}
				return fs.SkipDir
			case d.IsDir():
				return nil
			}
			if strings.HasPrefix(d.Name(), temporary) || strings.HasSuffix(d.Name(), ".parquet") || strings.HasPrefix(d.Name(), shardPrefix) {
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

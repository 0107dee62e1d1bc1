package lake

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Checked is what a check has found.
type Checked struct {
	Files, Pieces int
	Rows          int64
	Gone          []string // inputs that have vanished or changed: their rows cannot be compared
	Wrong         []string // what is not as the manifest says
}

// Check compares a lake with its manifest, all bytes of its files, and with its inputs,
// whose pieces it cooks again.
func Check(ctx context.Context, dir string, o Options) (*Checked, error) {
	l, err := existing(dir, o)
	if err != nil {
		return nil, err
	}
	c := &Checked{}
	l.each(len(l.old.files), func(i int) {
		if ctx.Err() != nil {
			return
		}
		f := l.old.files[i]
		wrong := f.check(dir)
		l.mu.Lock()
		defer l.mu.Unlock()
		c.Files++
		if f.Table == "counters" {
			c.Rows += f.Rows
		}
		if wrong != "" {
			c.Wrong = append(c.Wrong, f.Name+": "+wrong)
		}
	})
	if err := l.again(ctx, c); err != nil {
		return nil, err
	}
	slices.Sort(c.Wrong)
	return c, nil
}

// check says what is wrong with a file, "" if it is as it was written.
func (of *File) check(dir string) string {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(of.Name)))
	if err != nil {
		return "it cannot be read: " + err.Error()
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err == nil && info.Size() != of.Bytes {
		return fmt.Sprintf("it has %d bytes instead of %d", info.Size(), of.Bytes)
	}
	h := sha256.New()
	switch _, err := io.Copy(h, f); {
	case err != nil:
		return "it cannot be read: " + err.Error()
	case hashText(h) != of.Hash:
		return "its bytes have changed"
	}
	return ""
}

// again cooks the pieces again whose inputs are as they were, and compares their rows.
func (l *Lake) again(ctx context.Context, c *Checked) error {
	changed := map[string]bool{}
	for _, path := range sortedKeys(l.old.inputs) {
		was := l.old.inputs[path]
		if now := Look(path, was, l.o); now == nil || now.Hash != was.Hash || now.Full != "" && was.Full != "" && now.Full != was.Full {
			changed[path] = true
			c.Gone = append(c.Gone, path)
		}
	}
	var todo []*Piece
	for _, p := range Plan(l.old.inputs, l.o) {
		if !slices.ContainsFunc(slices.Concat(p.Before, p.Of), func(of Source) bool { return changed[of.Path] }) {
			todo = append(todo, p)
		}
	}
	temp, err := os.MkdirTemp(filepath.Join(l.dir, manifestDir), temporary)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	for _, p := range todo {
		l.res.Pieces++
		l.res.Bytes += p.Bytes
	}
	was := sharesOf(l.old.files)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	l.each(len(todo), func(i int) {
		if ctx.Err() != nil {
			return
		}
		p, dir := todo[i], filepath.Join(temp, fmt.Sprint(i))
		m, err := Cook(ctx, dir, p, l.o)
		_ = os.RemoveAll(dir)
		l.mu.Lock()
		defer l.mu.Unlock()
		if err != nil {
			stop(err)
			return
		}
		if !maps.EqualFunc(sharesOf(m.Files)[p.ID], was[p.ID], Share.equal) {
			c.Wrong = append(c.Wrong, p.Of[0].Path+": cooked again, it gives other rows, piece "+p.ID)
		}
		l.res.Done += p.Bytes
		l.res.Cooked++
		l.res.Rows += m.Rows
		if l.o.Progress != nil {
			l.o.Progress(l.res)
		}
	})
	c.Pieces = l.res.Cooked
	return context.Cause(ctx)
}

// sharesOf returns what pieces have in the folders of files.
func sharesOf(files []*File) map[string]map[string]Share {
	all := map[string]map[string]Share{}
	for _, f := range files {
		for i := range f.Shares {
			s, dir := &f.Shares[i], path.Dir(f.Name)
			if all[s.Piece] == nil {
				all[s.Piece] = map[string]Share{}
			}
			all[s.Piece][dir] = all[s.Piece][dir].plus(s)
		}
	}
	return all
}

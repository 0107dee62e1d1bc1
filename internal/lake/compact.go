package lake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export/parquet"
)

const (
	fileBytes = 128 << 20 // of a file after compaction, about
	most      = 64        // files that are joined at a time: each takes the memory of a group
)

// Compact joins small files of a recording on a day to files of about 128 MB. The rows stay
// the same.
func Compact(ctx context.Context, dir string, o Options) (Result, error) {
	l, err := existing(dir, o)
	if err != nil {
		return Result{}, err
	}
	if err := sweep(dir, l.old); err != nil {
		return Result{}, err
	}
	l.now.inputs = l.old.inputs
	var groups [][]*File
	for _, g := range l.groups() {
		if len(g) == 1 {
			l.now.files = append(l.now.files, g...)
			continue
		}
		groups = append(groups, g)
		l.res.Pieces++
		for _, f := range g {
			l.res.Bytes += f.Bytes
		}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	l.each(len(groups), func(i int) {
		if ctx.Err() != nil {
			return
		}
		f, err := l.join(groups[i], func(Share) bool { return false })
		l.mu.Lock()
		defer l.mu.Unlock()
		if err != nil {
			stop(err)
			return
		}
		l.now.files = append(l.now.files, f)
		l.res.Cooked++
		l.res.Written++
		l.res.Rows += f.Rows
		l.res.Joined += len(groups[i])
		for _, f := range groups[i] {
			l.res.Done += f.Bytes
		}
		if l.o.Progress != nil {
			l.o.Progress(l.res)
		}
	})
	if err := context.Cause(ctx); err != nil {
		return l.res, err
	}
	if len(groups) == 0 {
		l.sum()
		return l.res, nil
	}
	l.now.head = head{Version: l.old.Version + 1}
	return l.res, l.publish()
}

// ErrNone is returned for a directory that is no lake.
var ErrNone = errors.New("no lake: there is no " + manifestDir + "/" + manifestName)

// existing opens a lake that there is.
func existing(dir string, o Options) (*Lake, error) {
	if _, err := os.Stat(filepath.Join(dir, manifestDir, manifestName)); err != nil {
		return nil, ErrNone
	}
	return Open(dir, o)
}

// groups returns the files of the lake, those together that may become one: of a recording
// and a day, small, and one after the other in time.
func (l *Lake) groups() (all [][]*File) {
	recording := map[string]string{}
	for _, in := range l.old.inputs {
		for _, c := range in.Cuts {
			recording[c.Piece] = in.Recording
		}
	}
	days := map[string][]*File{}
	for _, f := range l.old.files {
		if f.Table != "counters" {
			all = append(all, []*File{f})
			continue
		}
		day := path.Dir(f.Name) + " " + recording[f.Shares[0].Piece]
		days[day] = append(days[day], f)
	}
	for _, day := range sortedKeys(days) {
		slices.SortFunc(days[day], func(a, b *File) int { return a.Shares[0].First.Compare(b.Shares[0].First) })
		var now []*File
		size := int64(0)
		for _, f := range days[day] {
			if len(now) > 0 && (size+f.Bytes > fileBytes || len(now) == most) {
				all, now, size = append(all, now), nil, 0
			}
			now, size = append(now, f), size+f.Bytes
		}
		all = append(all, now)
	}
	return all
}

// without returns what a file becomes without the shares that are stale.
func (l *Lake) without(f *File, stale func(Share) bool) ([]*File, error) {
	if !slices.ContainsFunc(f.Shares, func(s Share) bool { return !stale(s) }) {
		return nil, nil
	}
	joined, err := l.join([]*File{f}, stale)
	return []*File{joined}, err
}

// join writes the rows of files, which are one after the other in time, to one, but for the
// shares that are stale.
func (l *Lake) join(files []*File, stale func(Share) bool) (*File, error) {
	var sources []*source
	defer func() {
		for _, s := range sources {
			s.close()
		}
	}()
	to := &File{Table: "counters"}
	var names strings.Builder
	recording := ""
	for _, f := range files {
		s, err := openSource(l.dir, f, stale)
		if err != nil {
			return nil, err
		}
		sources = append(sources, s)
		recording = s.recording
		for i := range f.Shares {
			if share := &f.Shares[i]; !stale(*share) {
				to.add(share)
			}
			_, _ = fmt.Fprintln(&names, f.Name, f.Shares[i].Piece, stale(f.Shares[i]))
		}
		to.Rows += s.rows
	}
	to.Name = path.Join(path.Dir(files[0].Name), fmt.Sprintf("%s-%s-c.parquet", to.Shares[0].First.Format("20060102T150405"), short(names.String())))
	return to, to.write(l.dir, func(f io.Writer) error {
		w, err := newSeries(f, l.o, recording)
		if err != nil {
			return err
		}
		out := &capture.Series{ID: -1}
		for {
			s := slices.MinFunc(sources, (*source).compare)
			if s.run.Series == nil {
				break
			}
			if out.ID < 0 || compareSeries(out, s.run.Series) != 0 {
				named := *s.run.Series
				named.ID = out.ID + 1
				out = &named
			}
			if err := w.WriteSeries(out, s.run.Points); err != nil {
				return err
			}
			if err := s.advance(); err != nil {
				return err
			}
		}
		for _, s := range sources {
			if err := s.check(); err != nil {
				return err
			}
		}
		return w.Close()
	})
}

// add adds a share of another file.
func (of *File) add(s *Share) {
	i := slices.IndexFunc(of.Shares, func(has Share) bool { return has.Piece == s.Piece })
	if i < 0 {
		of.Shares = append(of.Shares, *s)
		return
	}
	of.Shares[i] = of.Shares[i].plus(s)
}

// source is a file that is read series by series.
type source struct {
	file      *File
	name      string
	from      *os.File
	next      func() (parquet.Run, error, bool)
	stop      func()
	run       parquet.Run // no series at the end
	shares    []Share     // as read
	stale     []bool
	rows      int64 // that are not stale
	recording string
}

func openSource(dir string, f *File, stale func(Share) bool) (*source, error) {
	s := &source{file: f, name: filepath.Join(dir, filepath.FromSlash(f.Name))}
	for _, share := range f.Shares {
		s.shares = append(s.shares, Share{Piece: share.Piece})
		s.stale = append(s.stale, stale(share))
		if !stale(share) {
			s.rows += share.Rows
		}
	}
	from, err := os.Open(s.name)
	if err != nil {
		return nil, err
	}
	r, err := parquet.OpenSeries(from, f.Bytes)
	if err != nil {
		_ = from.Close()
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	s.from, s.recording = from, r.Metadata()["recording"]
	s.next, s.stop = iter.Pull2(r.All())
	if err := s.advance(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *source) close() {
	s.stop()
	_ = s.from.Close()
}

// advance reads the next run that has rows that are not stale.
func (s *source) advance() error {
	for {
		run, err, ok := s.next()
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if s.run = run; !ok {
			return nil
		}
		s.run.Points = s.sift(run)
		if len(s.run.Points) > 0 {
			return nil
		}
	}
}

// sift counts the points of a run in their shares, and returns those that are not stale.
func (s *source) sift(run parquet.Run) (kept []parquet.Point) {
	kept = run.Points[:0]
	for from := 0; from < len(run.Points); {
		i := slices.IndexFunc(s.file.Shares, func(of Share) bool { return of.has(run.Points[from].Time) })
		if i < 0 {
			return nil // check tells
		}
		to := from + 1
		for to < len(run.Points) && s.file.Shares[i].has(run.Points[to].Time) {
			to++
		}
		s.shares[i].add(run.Series, run.Points[from:to])
		if !s.stale[i] {
			kept = append(kept, run.Points[from:to]...)
		}
		from = to
	}
	return kept
}

// check reports whether the file had the rows that the manifest says.
func (s *source) check() error {
	if !slices.EqualFunc(s.shares, s.file.Shares, Share.equal) {
		return errors.New(s.name + " does not have the rows that the manifest says: run lake --check")
	}
	return nil
}

// compare is the order in which runs are written; of one series, that of time.
func (s *source) compare(o *source) int {
	switch {
	case o.run.Series == nil:
		return -1
	case s.run.Series == nil:
		return 1
	}
	return compareSeries(s.run.Series, o.run.Series)
}

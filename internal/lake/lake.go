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
	"sync"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
)

// Options says how a lake is made.
type Options struct {
	Capture capture.Options // how inputs are read
	Workers int             // pieces at a time; 0 for one a core
	Prune   bool            // forget inputs that have vanished, and remove their rows
	Verify  bool            // compare all bytes of inputs, not size, time, first and last ones
	Shard   int             // cook only the pieces of this shard, from 1 on; 0 for all
	Shards  int             // into which the pieces are divided
	Piece   int64           // about how many bytes a piece of a long log has; 0 for 256 MiB
	Version string          // of perfdump

	Progress func(Result) // is called after each piece, from one goroutine at a time; may be nil
}

func (o Options) piece() int64 { return cmp.Or(o.Piece, 256<<20) }

// near is how many bytes are read at the ends of a log and where it is cut, or more where
// these do not have a sample.
func (o Options) near() int64 { return min(64<<10, o.piece()/8) }

// contextBytes is how many bytes are read before a piece, for the samples that its first rates
// need: some hundred samples, as a process may have been away for a while.
const contextBytes = 32 << 20

func (o Options) log() blg.Options { return blg.Options{Options: o.Capture.Options} }

// withDefaults returns the options with English names.
func (o Options) withDefaults() Options {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Capture.Names == nil {
		o.Capture.Names = capture.NewNames()
		o.Capture.Names.SetEnglish(true)
	}
	return o
}

// Result is what a run has done.
type Result struct {
	Inputs    int // that have counter values, or cannot be read
	New       int // or changed
	Unchanged int
	Gone      int // vanished since the last run
	Failed    int // that cannot be read, or not wholly
	Passed    int // files without counter values

	Pieces  int // to be cooked
	Cooked  int
	Bytes   int64 // of the pieces to be cooked, about
	Done    int64 // of those that were
	Written int   // files
	Joined  int   // files, by a compaction
	Files   int   // of values of the lake
	Rows    int64 // written
	All     int64 // rows of the lake
	Size    int64 // bytes of its files

	Bad      []*Input // that were read now, and not or not wholly
	Overlaps []string // machines with recordings that overlap, of a lake that has changed
}

// Lake is a lake that is being added to.
type Lake struct {
	dir      string
	o        Options
	old, now *manifest
	res      Result
	mu       sync.Mutex
}

// Run adds what is new in the inputs, files and directories of them, to the lake in dir.
// An error ends the run and leaves the lake as it was; inputs that cannot be read are rows
// of errors. A run of a shard only writes files, and a manifest of its own for
// [CommitShards].
func Run(ctx context.Context, dir string, inputs []string, o Options) (Result, error) {
	l, err := Open(dir, o)
	if err != nil {
		return Result{}, err
	}
	err = l.run(ctx, inputs)
	return l.res, err
}

// Open opens a lake, which is made if there is none.
func Open(dir string, o Options) (*Lake, error) {
	l := &Lake{dir: dir, o: o.withDefaults(), now: &manifest{inputs: map[string]*Input{}}}
	if err := l.ours(); err != nil {
		return nil, err
	}
	var err error
	l.old, err = readManifest(dir, manifestName)
	return l, err
}

func (l *Lake) run(ctx context.Context, inputs []string) error {
	paths, err := List(inputs, l.dir)
	if err != nil {
		return err
	}
	if l.o.Shard == 0 {
		if err := sweep(l.dir, l.old); err != nil { // what a run that was killed has left
			return err
		}
	}
	found := make([]*Input, len(paths))
	l.each(len(paths), func(i int) {
		if ctx.Err() == nil {
			found[i] = Look(paths[i], l.Known(paths[i]), l.o)
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	todo := l.Take(paths, found)
	if l.o.Shard > 0 {
		todo = l.share(todo)
	}
	made, err := l.cook(ctx, todo)
	if err != nil {
		return err
	}
	if l.o.Shard > 0 {
		return l.writeShard(made)
	}
	if l.note(made); l.relist() {
		todo := slices.DeleteFunc(l.plan(), func(p *Piece) bool {
			return slices.ContainsFunc(made, func(m *Made) bool { return m.Piece == p.ID })
		})
		again, err := l.cook(ctx, todo)
		if err != nil {
			return err
		}
		made = append(made, again...)
	}
	return l.Commit(made)
}

// ours refuses a directory with files of others: a sweep might take them for leftovers.
func (l *Lake) ours() error {
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

// Known returns an input as it was when it was read before, or nil.
func (l *Lake) Known(path string) *Input { return l.old.inputs[path] }

// Inputs returns the inputs that the lake had when it was opened, by their paths.
func (l *Lake) Inputs() map[string]*Input { return l.old.inputs }

// Files returns the files that count since [Lake.Commit].
func (l *Lake) Files() []*File { return l.now.files }

// Take takes the files that there are and what [Look] has found in them, and returns the
// pieces that are not in the lake yet.
func (l *Lake) Take(paths []string, found []*Input) []*Piece {
	here := map[string]bool{}
	for i, in := range found {
		here[paths[i]] = true
		if in == nil {
			l.res.Passed++
			continue
		}
		l.res.Inputs++
		if was := l.Known(in.Path); was == nil || was.Hash != in.Hash {
			l.res.New++
		} else {
			l.res.Unchanged++
		}
		l.now.inputs[in.Path] = in.clone()
	}
	for path, in := range l.old.inputs {
		if !here[path] {
			l.res.Gone++
			if !l.o.Prune && in.Recording != "" {
				l.now.inputs[path] = in.clone()
			}
		}
	}
	return l.plan()
}

// plan gives the inputs their pieces, and returns those that are new.
func (l *Lake) plan() (todo []*Piece) {
	done, again := map[string]bool{}, map[string]bool{}
	for _, in := range l.old.inputs {
		for _, c := range in.Cuts {
			done[c.Piece] = true
			if c.Code == codeIO { // it may be readable now
				again[c.Piece] = true
			}
		}
	}
	l.now.Plan = ""
	for _, p := range Plan(l.now.inputs, l.o) {
		if !done[p.ID] || again[p.ID] {
			todo = append(todo, p)
			l.now.Plan = short(l.now.Plan + p.ID)
		}
		for _, of := range p.Of {
			if c := &l.now.inputs[of.Path].Cuts[p.cut]; c.Piece != p.ID {
				c.Piece, c.Failure = p.ID, Failure{}
			}
		}
	}
	return todo
}

// each calls do for each number below n, by several workers.
func (l *Lake) each(n int, do func(int)) {
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

// cook cooks pieces, by several workers.
func (l *Lake) cook(ctx context.Context, todo []*Piece) (all []*Made, err error) {
	slices.SortFunc(todo, largest)
	for _, p := range todo {
		l.res.Pieces++
		l.res.Bytes += p.Bytes
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	l.each(len(todo), func(i int) {
		if ctx.Err() != nil {
			return
		}
		m, err := Cook(ctx, l.dir, todo[i], l.o)
		l.mu.Lock()
		defer l.mu.Unlock()
		if err != nil {
			stop(err)
			return
		}
		all = append(all, m)
		l.res.Cooked++
		l.res.Done += todo[i].Bytes
		l.res.Rows += m.Rows
		l.res.Written += len(m.Files)
		if l.o.Progress != nil {
			l.o.Progress(l.res)
		}
	})
	return all, context.Cause(ctx)
}

// Result returns what was done.
func (l *Lake) Result() Result { return l.res }

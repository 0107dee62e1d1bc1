package lake

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Shards are runs at the same time over the same inputs, each of which cooks its share of
// the pieces. The manifest of a shard has all inputs, and the files of its share.

const shardPrefix = "shard-"

func shardName(shard, shards int) string {
	return fmt.Sprintf("%s%d-of-%d.jsonl", shardPrefix, shard, shards)
}

// share returns the pieces of the shard: the largest ones are dealt out first, each to the
// shard that has least.
func (l *Lake) share(todo []*Piece) (mine []*Piece) {
	slices.SortFunc(todo, largest)
	load := make([]int64, l.o.Shards)
	for _, p := range todo {
		least := slices.Index(load, slices.Min(load))
		load[least] += p.Bytes
		if least == l.o.Shard-1 {
			mine = append(mine, p)
		}
	}
	return mine
}

// largest is the order in which pieces are dealt out, so that no long one is left for the end.
func largest(a, b *Piece) int {
	return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.ID, b.ID))
}

// writeShard writes the manifest of the shard. Those of a run of another number of shards
// do not count any more.
func (l *Lake) writeShard(made []*Made) error {
	names, err := shardNames(l.dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !strings.HasSuffix(name, fmt.Sprintf("-of-%d.jsonl", l.o.Shards)) {
			err = errors.Join(err, os.Remove(filepath.Join(l.dir, manifestDir, name)))
		}
	}
	if err != nil {
		return err
	}
	l.note(made)
	l.bad()
	for _, m := range made {
		l.now.files = append(l.now.files, m.Files...)
	}
	l.now.Version, l.now.Shard, l.now.Shards = l.old.Version, l.o.Shard, l.o.Shards
	for _, m := range made {
		l.now.Made = append(l.now.Made, m.Piece)
	}
	l.sum()
	return l.now.write(l.dir, shardName(l.o.Shard, l.o.Shards))
}

// ErrShards is returned if shards have not ended, or do not fit together.
var ErrShards = errors.New("run the shards again")

// CommitShards makes what all shards of a run have written part of the lake.
func CommitShards(dir string, o Options) (Result, error) {
	names, err := shardNames(dir)
	if err != nil || len(names) == 0 {
		return Result{}, fmt.Errorf("%w: no shard has been run", ErrShards)
	}
	l, err := Open(dir, o)
	if err != nil {
		return Result{}, err
	}
	first, err := readManifest(dir, names[0])
	if err != nil {
		return Result{}, err
	}
	made := map[string]*Made{}
	for i := range first.Shards {
		m, err := readManifest(dir, shardName(i+1, first.Shards))
		switch {
		case err != nil:
			return Result{}, fmt.Errorf("%w: shard %d of %d has not ended", ErrShards, i+1, first.Shards)
		case m.Version != l.old.Version:
			return Result{}, fmt.Errorf("%w: the lake has changed since shard %d of %d", ErrShards, i+1, first.Shards)
		case m.Plan != first.Plan:
			return Result{}, fmt.Errorf("%w: %d and %d of %d had different inputs", ErrShards, first.Shard, i+1, first.Shards)
		}
		l.merge(m, made)
	}
	l.res.Inputs = len(l.now.inputs)
	for path, in := range l.now.inputs {
		if was := l.Known(path); was == nil || was.Hash != in.Hash {
			l.res.New++
		}
	}
	l.res.Unchanged = l.res.Inputs - l.res.New
	var all []*Made
	for _, id := range sortedKeys(made) {
		all = append(all, made[id])
	}
	err = l.Commit(all)
	return l.res, err
}

// shardNames returns the names of the manifests of shards.
func shardNames(dir string) (names []string, err error) {
	entries, err := os.ReadDir(filepath.Join(dir, manifestDir))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), shardPrefix) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// merge adds the inputs and the files of a shard.
func (l *Lake) merge(m *manifest, made map[string]*Made) {
	for _, id := range m.Made {
		made[id] = &Made{Piece: id, Failures: map[string]Failure{}}
	}
	for _, f := range m.files {
		if of := made[f.Shares[0].Piece]; of != nil {
			of.Files = append(of.Files, f)
			l.res.Written++
			if f.Table == "counters" {
				l.res.Rows += f.Rows
			}
		}
	}
	for path, in := range m.inputs {
		if l.now.inputs[path] == nil {
			l.now.inputs[path] = in
		}
		for _, c := range in.Cuts {
			if of := made[c.Piece]; of != nil && c.Code != "" {
				of.Failures[path] = c.Failure
			}
		}
	}
}

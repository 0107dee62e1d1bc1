package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/perfdump/perfdump/internal/lake"
)

const manifestName = "_lake/manifest.jsonl" // below a lake

// streamed reports whether a path is one of a store, which gives and takes whole objects.
// Other paths are those of the worker's system, mounted ones included.
func streamed(path string) bool { return strings.Contains(path, "://") }

// join returns the name of a file below a directory.
func join(dir, name string) string {
	if streamed(dir) {
		return strings.TrimSuffix(dir, "/") + "/" + name
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// list returns what a glob matches.
func list(ctx context.Context, glob string) ([]string, error) {
	store, err := filesystem.New(ctx, glob)
	if err != nil {
		return nil, err
	}
	defer func() { _ = store.Close() }()
	return store.List(ctx, glob)
}

// stat returns size and time of an object, as far as the store tells them.
func stat(ctx context.Context, path string) (size int64, at time.Time) {
	store, err := filesystem.New(ctx, path)
	if err != nil {
		return 0, at
	}
	defer func() { _ = store.Close() }()
	if times, ok := store.(filesystem.LastModifiedGetter); ok {
		at, _ = times.LastModified(ctx, path)
	}
	size, _ = store.Size(ctx, path)
	return size, at.UTC()
}

// fetch copies an object into a directory. One that has vanished keeps its path, where no
// file is: what reads it says so.
func fetch(ctx context.Context, path, dir string) (name string, err error) {
	if name, err = copied(ctx, path, dir); err != nil {
		if found, err := list(ctx, path); err == nil && len(found) == 0 {
			return path, nil
		}
	}
	return name, err
}

func copied(ctx context.Context, path, dir string) (name string, err error) {
	store, err := filesystem.New(ctx, path)
	if err != nil {
		return "", err
	}
	defer func() { _ = store.Close() }()
	from, err := store.OpenRead(ctx, path)
	if err != nil {
		return "", err
	}
	defer func() { _ = from.Close() }()
	to, err := os.CreateTemp(dir, "perfdump-*")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Close()); err != nil {
		_ = os.Remove(to.Name())
	}
	return to.Name(), err
}

// publish writes a file as an object, whole or not at all.
func publish(ctx context.Context, name, path string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	store, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	from, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	to, err := store.OpenWrite(ctx, path)
	if err != nil {
		return err
	}
	if _, err := io.Copy(to, from); err != nil {
		cancel() // or closing would make an object of a part
		_ = to.Close()
		return err
	}
	return to.Close()
}

// manifest returns a directory with the manifest of a lake: that of the lake, or one with a
// copy, until done is called.
func manifest(ctx context.Context, dir string) (local string, done func(), err error) {
	if !streamed(dir) {
		return dir, func() {}, nil
	}
	if local, err = os.MkdirTemp("", "perfdump-*"); err != nil {
		return "", nil, err
	}
	done = func() { _ = os.RemoveAll(local) }
	defer func() {
		if err != nil {
			done()
		}
	}()
	path := join(dir, manifestName)
	found, err := list(ctx, path)
	if err != nil {
		return "", nil, err
	}
	if len(found) == 0 {
		others, err := list(ctx, join(dir, "*"))
		if err == nil && len(others) > 0 {
			err = fmt.Errorf("%s is not empty and no lake", dir)
		}
		return local, done, err
	}
	name, err := fetch(ctx, path, local)
	if err != nil {
		return "", nil, err
	}
	to := join(local, manifestName)
	return local, done, errors.Join(os.Mkdir(filepath.Dir(to), 0o700), os.Rename(name, to))
}

// replace makes a lake on a store what a local copy of its manifest and tables says: the
// tables, then the manifest. Then it removes the objects that no longer count.
func replace(ctx context.Context, l *lake.Lake, local, dir string) error {
	counts := map[string]bool{}
	for _, file := range l.Files() {
		counts[join(dir, file.Name)] = true
		name := join(local, file.Name)
		if _, err := os.Stat(name); err == nil {
			if err := publish(ctx, name, join(dir, file.Name)); err != nil {
				return err
			}
		}
	}
	if err := publish(ctx, join(local, manifestName), join(dir, manifestName)); err != nil {
		return err
	}
	store, err := filesystem.New(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	remover, ok := store.(filesystem.Remover)
	if !ok {
		return nil
	}
	for _, glob := range []string{"host=*/date=*/*.parquet", "findings/*.parquet", "machines/*.parquet", "errors/*.parquet"} {
		found, err := store.List(ctx, join(dir, glob))
		if err != nil {
			return err
		}
		for _, path := range found {
			if !counts[path] {
				if err := remover.Remove(ctx, path); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

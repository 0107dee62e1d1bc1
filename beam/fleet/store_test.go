package fleet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/perfdump/perfdump/internal/lake"
	"github.com/stretchr/testify/require"
)

// objects is a store of whole objects, in a directory: an object is there when its writer
// is closed, unless its context was canceled before.
type objects struct{}

const scheme = "objects://"

var (
	reads  atomic.Int64
	deadly = os.Getenv("DEADLY") // ends of names of objects that end the process
)

func (objects) Close() error { return nil }

func (objects) List(_ context.Context, glob string) ([]string, error) {
	found, err := filepath.Glob(strings.TrimPrefix(glob, scheme))
	found = slices.DeleteFunc(found, func(name string) bool {
		info, err := os.Stat(name)
		return err != nil || info.IsDir()
	})
	for i := range found {
		found[i] = scheme + found[i]
	}
	return found, err
}

func (objects) OpenRead(_ context.Context, name string) (io.ReadCloser, error) {
	reads.Add(1)
	f, err := os.Open(strings.TrimPrefix(name, scheme))
	return struct{ io.ReadCloser }{f}, err
}

func (objects) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	if deadly != "" && strings.HasSuffix(name, deadly) {
		os.Exit(3)
	}
	return &object{ctx: ctx, name: strings.TrimPrefix(name, scheme)}, nil
}

func (objects) Size(_ context.Context, name string) (int64, error) {
	info, err := os.Stat(strings.TrimPrefix(name, scheme))
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (objects) LastModified(_ context.Context, name string) (time.Time, error) {
	info, err := os.Stat(strings.TrimPrefix(name, scheme))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

func (objects) Remove(_ context.Context, name string) error {
	return os.Remove(strings.TrimPrefix(name, scheme))
}

type object struct {
	bytes.Buffer
	ctx  context.Context
	name string
}

func (o *object) Close() error {
	return errors.Join(o.ctx.Err(), os.MkdirAll(filepath.Dir(o.name), 0o755), os.WriteFile(o.name, o.Bytes(), 0o600))
}

// TestLakeOnStore holds that a lake on a store is the same as one in a directory.
func TestLakeOnStore(t *testing.T) {
	in, want, got := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "lake"), filepath.Join(t.TempDir(), "lake")
	for _, to := range []int{20, 20, 40} {
		folder(t, in, logs(t, to))
		_, err := lake.Run(t.Context(), want, []string{in}, lake.Options{})
		require.NoError(t, err)
		_, err = run(t, Options{Dir: scheme + got}, nil, in)
		require.NoError(t, err)
		same(t, files(t, want), files(t, got))
	}
	require.NoError(t, os.WriteFile(filepath.Join(got, "findings", "left.parquet"), nil, 0o600))
	require.NoError(t, os.Remove(filepath.Join(in, "web01", "20.blg")))
	_, err := lake.Run(t.Context(), want, []string{in}, lake.Options{Prune: true})
	require.NoError(t, err)
	_, err = run(t, Options{Dir: scheme + got, Prune: true}, nil, in)
	require.NoError(t, err)
	same(t, files(t, want), files(t, got))

	_, err = run(t, Options{Dir: scheme + filepath.Join(in, "web02")}, nil, in)
	require.ErrorContains(t, err, "is not empty and no lake")
}

// TestInputsOnStore holds that inputs on a store give the same rows as files, and are not
// read again. Their names are others, and so are those of the files of the lake. One that has
// vanished was before another one.
func TestInputsOnStore(t *testing.T) {
	in, want, got := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "lake"), filepath.Join(t.TempDir(), "lake")
	for _, to := range []int{20, 40, 50} {
		all := logs(t, to)
		if to == 50 {
			delete(all, "web01/30.blg")
			require.NoError(t, os.Remove(filepath.Join(in, "web01", "30.blg")))
		}
		folder(t, in, all)
		_, err := lake.Run(t.Context(), want, []string{in}, lake.Options{})
		require.NoError(t, err)
		_, err = run(t, Options{Dir: got}, nil, scheme+in+"/*/*")
		require.NoError(t, err)
		require.Equal(t, anonymous(files(t, want)), anonymous(files(t, got)))
	}
	before := reads.Swap(0)
	n, err := run(t, Options{Dir: got}, nil, scheme+in+"/*/*")
	require.NoError(t, err)
	require.Positive(t, before)
	require.EqualValues(t, 1, reads.Load(), "only what is passed over")
	require.Zero(t, n["pieces_cooked"])
}

// anonymous are the files of a lake but those that name inputs, without the hashes in their
// names.
func anonymous(lake map[string][]byte) (all []string) {
	hash := regexp.MustCompile(`-[0-9a-f]{16}`)
	for name, b := range lake {
		if !strings.HasPrefix(name, "_lake/") && !strings.HasPrefix(name, "errors/") {
			all = append(all, fmt.Sprintf("%s %x", hash.ReplaceAllString(name, ""), sha256.Sum256(b)))
		}
	}
	slices.Sort(all)
	return all
}

// TestDies ends a process when it is about to write the manifest, as a worker may:
// the next run leaves what one run leaves.
func TestDies(t *testing.T) {
	if deadly != "" {
		_, _ = run(t, Options{Dir: os.Getenv("LAKE_OUT")}, nil, os.Getenv("LAKE_IN"))
		return
	}
	in, want, got := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "lake"), filepath.Join(t.TempDir(), "lake")
	self, err := os.Executable()
	require.NoError(t, err)
	for _, to := range []int{20, 40} {
		folder(t, in, logs(t, to))
		before := files(t, got)
		cmd := exec.Command(self, "-test.run", "^TestDies$")
		cmd.Env = append(os.Environ(), "DEADLY=_lake/manifest.jsonl", "LAKE_IN="+in, "LAKE_OUT="+scheme+got, "TMPDIR="+t.TempDir())
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, string(out))
		require.Equal(t, 3, exit.ExitCode(), string(out))
		left := files(t, got)
		require.Equal(t, before["_lake/manifest.jsonl"], left["_lake/manifest.jsonl"])
		require.Subset(t, slices.Collect(maps.Keys(left)), slices.Collect(maps.Keys(before)))
		require.Greater(t, len(left), len(before)+5)

		_, err = lake.Run(t.Context(), want, []string{in}, lake.Options{})
		require.NoError(t, err)
		_, err = run(t, Options{Dir: scheme + got}, nil, in)
		require.NoError(t, err)
		same(t, files(t, want), files(t, got))
	}
}

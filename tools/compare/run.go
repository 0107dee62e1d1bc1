package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

const (
	head    = 64 << 10 // bytes kept of each stream
	most    = 64 << 20 // where the difference is after them
	timeout = 60 * time.Second
	form    = "1" // of the cache; another one where what is kept changes
)

// streams are what a run writes: standard output, and of standard error the
// errors as JSON and what else there is.
var streams = [3]string{"standard output", "errors", "notes"}

// result is what a run wrote, less what may differ.
type result struct {
	Code  int // of the exit; -1 where it was ended
	Sums  [3]string
	Heads [3][]byte
}

// build is a build of perfdump and the directory that it runs in.
type build struct{ path, work string }

func (b *build) command(ctx context.Context, args []string, stdin string) (*exec.Cmd, func(), error) {
	cmd := exec.CommandContext(ctx, b.path, append([]string{"--errors", "json"}, args...)...)
	cmd.Dir = b.work
	cmd.Env = []string{"HOME=" + filepath.Join(b.work, "home"), "PATH=" + os.Getenv("PATH"), "TZ=UTC", "NO_COLOR=1", "COLUMNS=100"}
	if stdin == "" {
		return cmd, func() {}, nil
	}
	f, err := os.Open(stdin)
	if err != nil {
		return nil, nil, err
	}
	cmd.Stdin = f
	return cmd, func() { f.Close() }, nil
}

func (b *build) run(j *job, keep int) (*result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd, done, err := b.command(ctx, j.args, j.stdin)
	if err != nil {
		return nil, err
	}
	defer done()
	var sinks [3]*sink
	for i := range sinks {
		sinks[i] = newSink(keep)
	}
	cmd.Stdout = sinks[0]
	if j.json() {
		cmd.Stdout = &quiet{to: sinks[0]}
	}
	cmd.Stderr = &lines{errors: &quiet{to: sinks[1]}, notes: sinks[2]}
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	r := &result{Code: cmd.ProcessState.ExitCode()}
	for i, s := range sinks {
		r.Sums[i], r.Heads[i] = s.sum(), s.head
	}
	if ctx.Err() != nil { // where it stopped is arbitrary
		r = &result{Code: -1}
	}
	return r, nil
}

// cached is a build whose results are kept.
type cached struct {
	build
	dir string
	ran atomic.Int64
}

func newCached(path, work, dir string) (*cached, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return &cached{build: build{path, work}, dir: filepath.Join(dir, hex.EncodeToString(h.Sum(nil)[:8]))}, nil
}

// file returns where something about a job is kept.
func (c *cached) file(j *job, what string) string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{form, what, j.sum}, j.args...), "\x00")))
	key := hex.EncodeToString(sum[:16])
	return filepath.Join(c.dir, key[:2], key[2:])
}

func (c *cached) result(j *job) (*result, error) {
	name := c.file(j, "result")
	r := &result{}
	if b, err := os.ReadFile(name); err == nil {
		if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil && gob.NewDecoder(z).Decode(r) == nil {
			return r, nil
		}
	}
	c.ran.Add(1)
	r, err := c.run(j, head)
	if err != nil {
		return nil, err
	}
	return r, replace(name, func(w io.Writer) error {
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		return errors.Join(gob.NewEncoder(z).Encode(r), z.Close())
	})
}

// document makes what dump -o json says of a job's input its standard input,
// and reports whether there is such a thing.
func (c *cached) document(j *job) bool {
	j.stdin = c.file(j, "document")
	info, err := os.Stat(j.stdin)
	if err != nil {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		err = replace(j.stdin, func(w io.Writer) error {
			cmd, done, err := c.command(ctx, append([]string{"dump", "-o", "json"}, j.in.words()...), j.in.stdin)
			if err != nil {
				return err
			}
			defer done()
			cmd.Stdout = w
			_ = cmd.Run() // what there is of a damaged file is tried as well
			return nil
		})
		if err != nil {
			return false
		}
		info, err = os.Stat(j.stdin)
	}
	return err == nil && info.Size() > 0
}

// replace writes a file whole or not at all.
func replace(name string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "new-")
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), name)
}

// difference shows where a stream of two results differs. Where that is after
// what is kept, both builds run again.
func (r *report) difference(j *job, i int, a, b *result) string {
	if bytes.Equal(a.Heads[i], b.Heads[i]) {
		var errs [2]error
		a, errs[0] = r.older.run(j, most)
		b, errs[1] = r.newer.run(j, most)
		if err := errors.Join(errs[:]...); err != nil {
			return fmt.Sprintf("  %v\n", err)
		}
	}
	n := 3
	if j.class(i) == 1 {
		n = 100
	}
	return differing(a.Heads[i], b.Heads[i], n)
}

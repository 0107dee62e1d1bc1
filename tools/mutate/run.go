package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// verdict is what became of a break.
type verdict string

const (
	caught         verdict = "caught"
	timedOut       verdict = "timed out"
	survived       verdict = "SURVIVED"
	doesNotCompile verdict = "does not compile"
)

// slow are the tests that take the most time in each package. The others go
// first: most breaks do not get by them.
const slow = "Memory|Mutation|Truncation|Hostile|Limit|Alloc|Guard|Oracle"

// runner tries the breaks of one package.
type runner struct {
	options
	target
	tmp    string
	stages []stage
}

// stage is a run of tests that are all in one binary.
type stage struct {
	pkg     string   // from the root
	files   []string // of the package; none are all
	args    []string
	timeout time.Duration
}

// newRunner sees the tests pass as they are, and how long that takes.
func newRunner(o options, t target) (*runner, error) {
	tmp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	r := &runner{options: o, target: t, tmp: tmp, stages: []stage{
		{pkg: t.dir, args: []string{"-test.skip=" + slow}},
		{pkg: t.dir, args: []string{"-test.run=" + slow}},
		{pkg: "fuzz", files: t.in, args: []string{"-test.run=" + t.fuzz}},
	}}
	for i := range r.stages {
		if err := r.measure(i); err != nil {
			r.close()
			return nil, err
		}
	}
	return r, nil
}

// measure gives a stage four times as long as its tests take, and some.
func (r *runner) measure(i int) error {
	if said, ok := r.build(i, ""); !ok {
		return errors.New(said)
	}
	s := &r.stages[i]
	s.timeout = 10 * time.Minute
	began := time.Now()
	v, by, err := r.test(*s)
	if err == nil && v != survived {
		err = fmt.Errorf("the tests do not pass as they are: %s by %s", v, by)
	}
	s.timeout = 30*time.Second + 4*time.Since(began)
	return err
}

func (r *runner) close() { os.RemoveAll(r.tmp) } //nolint:errcheck,gosec // the system clears its folder too

// try says what becomes of a break, and by which test.
func (r *runner) try(m mutant) (verdict, string, error) {
	broken, overlay := filepath.Join(r.tmp, "broken.go"), filepath.Join(r.tmp, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(r.root, filepath.FromSlash(m.file)): broken},
	})
	if err != nil {
		return "", "", err
	}
	if err := os.WriteFile(broken, m.code(), 0o600); err != nil {
		return "", "", err
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return "", "", err
	}
	for i, s := range r.stages {
		if _, ok := r.build(i, overlay); !ok {
			return doesNotCompile, "", nil
		}
		if v, by, err := r.test(s); v != survived || err != nil {
			return v, by, err
		}
	}
	return survived, "", nil
}

// build makes the binary of a stage, unless it is that of the stage before, and
// gives what the compiler said.
func (r *runner) build(i int, overlay string) (string, bool) {
	s := r.stages[i]
	if i > 0 && r.stages[i-1].pkg == s.pkg {
		return "", true
	}
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-p=1", "-overlay=" + overlay, "-o", r.binary()}
	for _, file := range s.files {
		args = append(args, "./"+s.pkg+"/"+file)
	}
	if len(s.files) == 0 {
		args = append(args, "./"+s.pkg)
	}
	build := exec.Command("go", args...) //nolint:gosec // the plan names what is built
	build.Dir = r.root
	said, err := build.CombinedOutput()
	return string(said), err == nil
}

func (r *runner) binary() string { return filepath.Join(r.tmp, "broken.test") }

// test runs the tests of a stage. The verdict survived says that they passed.
func (r *runner) test(s stage) (verdict, string, error) {
	// The tests end by their own clock. The other is for those that do not.
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout+30*time.Second)
	defer cancel()
	args := append(append([]string{}, r.wrap...), r.binary(), "-test.short", "-test.failfast", "-test.timeout="+s.timeout.String())
	args = append(args, s.args...)
	test := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // the command line gives it
	test.Dir = filepath.Join(r.root, filepath.FromSlash(s.pkg))
	said, err := test.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived, "", nil
	case !errors.As(err, &exit):
		return "", "", err
	case ctx.Err() != nil || bytes.Contains(said, []byte("panic: test timed out")):
		return timedOut, firstFailed(said), nil
	}
	return caught, firstFailed(said), nil
}

var (
	failed  = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)
	running = regexp.MustCompile(`(?m)^running tests:\n\t(\S+)`)
	fatal   = regexp.MustCompile(`(?m)^(?:panic|fatal error): (.*)`)
)

// firstFailed finds the test that failed, or what ended the process.
func firstFailed(said []byte) string {
	for _, pattern := range []*regexp.Regexp{failed, running, fatal} {
		if found := pattern.FindSubmatch(said); found != nil {
			return strings.TrimSpace(string(found[1]))
		}
	}
	return "the end of the process"
}

package main

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A record is what one seed did, as the hook writes it.
type record struct {
	Name     string
	Input    []byte
	Counters []byte
	Took     time.Duration
	Failed   bool
}

// A pkg is a package as go list tells it.
type pkg struct {
	ImportPath   string
	Dir          string
	Module       struct{ Path string }
	TestGoFiles  []string
	XTestGoFiles []string
}

// list gives the packages that patterns name.
func list(root string, patterns []string) ([]*pkg, error) {
	out, err := run(root, nil, "go", append([]string{"list", "-json=ImportPath,Dir,Module,TestGoFiles,XTestGoFiles"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var all []*pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(pkg)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// overlay writes the package's test files with the hook into dir, and which
// file replaces which; it gives the targets.
func (p *pkg) overlay(dir string) ([]target, error) {
	var targets []target
	replace := map[string]string{}
	put := func(name, text string) error {
		from, to := filepath.Join(p.Dir, name), filepath.Join(dir, name)
		replace[from] = to
		return os.WriteFile(to, []byte(text), 0o600)
	}
	for _, name := range append(p.TestGoFiles, p.XTestGoFiles...) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		s, err := instrument(name, text)
		if err != nil {
			return nil, err
		}
		if len(s.Targets) == 0 {
			continue
		}
		targets = append(targets, s.Targets...)
		if err := put(name, string(s.Text)); err != nil {
			return nil, err
		}
		if err := put("fuzzmin_"+s.Package+"_hook_test.go", hookFor(s.Package)); err != nil {
			return nil, err
		}
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	return targets, os.WriteFile(filepath.Join(dir, "overlay.json"), b, 0o600)
}

// build makes the test binary in dir, where overlay was written.
func (p *pkg) build(dir string) (string, error) {
	bin := filepath.Join(dir, "test.exe")
	_, err := run(p.Dir, nil, "go", "test", "-c", "-o", bin, "-overlay", filepath.Join(dir, "overlay.json"),
		"-covermode=atomic", "-coverpkg="+p.Module.Path+"/...", "-tags=fuzzmin", "-ldflags=-checklinkname=0", ".")
	return bin, err
}

// measure runs a target once over all inputs, and gives those that the target
// adds itself besides. The folder holds the records and coverage's meta-data.
func (p *pkg) measure(bin, dir string, t target, in []*input) ([]*input, error) {
	seeds := corpusDir(dir, t.Name)
	if err := os.MkdirAll(seeds, 0o750); err != nil {
		return nil, err
	}
	byName, byContent := map[string]*input{}, map[string]*input{}
	for n, i := range in {
		byContent[contentName(i.data)] = i
		name := fmt.Sprintf("%06d", n)
		byName[t.Name+"/"+name] = i
		if err := os.WriteFile(filepath.Join(seeds, name), i.data, 0o600); err != nil {
			return nil, err
		}
	}
	records := filepath.Join(dir, "records")
	env := []string{"FUZZMIN_SEEDS=" + dir, "FUZZMIN_RECORDS=" + records}
	_, failed := run(p.Dir, env, bin, "-test.run=^"+t.Name+"$", "-test.timeout=30m")
	f, err := os.Open(records)
	if err != nil {
		return nil, errors.Join(failed, err)
	}
	defer func() { _ = f.Close() }()
	numbers := map[block]int{}
	for d := gob.NewDecoder(f); ; {
		var r record
		if err := d.Decode(&r); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, errors.Join(failed, err)
		}
		i := byName[r.Name]
		if i == nil {
			// One of the target's own, which may stand in the tree too; what
			// only the first to come reaches counts for both.
			name := contentName(r.Input)
			if i = byContent[name]; i == nil {
				i = &input{name: name, data: r.Input}
				byContent[name] = i
				in = append(in, i)
			}
		}
		if r.Failed {
			return nil, fmt.Errorf("%s: the input %s fails: %w", t.Name, i.name, failed)
		}
		blocks, err := reached(r.Counters)
		if err != nil {
			return nil, err
		}
		i.took, i.counters = r.Took, append(i.counters, r.Counters)
		for _, b := range blocks {
			n, ok := numbers[b]
			if !ok {
				n = len(numbers)
				numbers[b] = n
			}
			i.reach = i.reach.with(n)
		}
	}
	return in, failed
}

// statements gives how many statements the inputs reach together, as go tool
// covdata counts them.
func statements(dir string, in []*input) (n int, err error) {
	tmp, err := os.MkdirTemp(dir, "cover")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	files := 0
	for _, i := range in {
		for _, c := range i.counters {
			files++
			name := fmt.Sprintf("covcounters.%x.1.%d", c[8:24], files)
			if err := os.WriteFile(filepath.Join(tmp, name), c, 0o600); err != nil {
				return 0, err
			}
		}
	}
	profile := filepath.Join(tmp, "profile")
	if _, err := run(dir, nil, "go", "tool", "covdata", "textfmt", "-i="+tmp+","+filepath.Join(dir, "meta"), "-o="+profile); err != nil {
		return 0, err
	}
	b, err := os.ReadFile(profile)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 && f[2] != "0" {
			of, err := strconv.Atoi(f[1])
			if err != nil {
				return 0, err
			}
			n += of
		}
	}
	return n, nil
}

// run gives the standard output of a command; an error has what it printed.
func run(dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...) //nolint:gosec // G204: go, and what it built
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		said := out[max(0, len(out)-2000):]
		err = fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, said, errs.Bytes())
	}
	return out, err
}

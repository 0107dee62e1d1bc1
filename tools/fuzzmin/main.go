// Fuzzmin keeps seeds for fuzz targets. It measures which code of the module
// the inputs reach that go test -fuzz left in Go's cache, and writes few of
// them into testdata/fuzz that reach, with the seeds that are there, what all
// of them reach.
//
//	go -C tools run ./fuzzmin                          # the targets of all packages
//	go -C tools run ./fuzzmin -run '^FuzzBLG$' ./fuzz  # one target
//
// Each package's tests are built once with coverage and, by an overlay, with
// a hook around each seed; a target then runs once over all its inputs. The
// table that is printed tells of each target how many inputs there were, what
// was added, the files and bytes that stand in the tree now, and how many
// statements the seeds reached before, reach now, and all inputs reach.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

type options struct {
	root   string
	cache  string
	match  *regexp.Regexp
	sample int
	limits limits
	out    io.Writer
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("fuzzmin: ")
	o := options{out: os.Stdout}
	flag.StringVar(&o.root, "root", "..", "the module's folder")
	flag.StringVar(&o.cache, "cache", "", "where the fuzzer keeps inputs (default GOCACHE/fuzz)")
	match := flag.String("run", "", "targets to look at, a regular expression")
	flag.IntVar(&o.sample, "sample", 4000, "inputs of the cache to measure, a target")
	flag.IntVar(&o.limits.count, "count", 64, "files to keep, a target, with those that are there")
	flag.IntVar(&o.limits.size, "size", 16<<10, "bytes of a file; a larger one is kept only if no other reaches so far")
	flag.IntVar(&o.limits.bytes, "bytes", 64<<10, "bytes to add, a target")
	flag.DurationVar(&o.limits.took, "took", 50*time.Millisecond, "processor time that an input may take")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	var err error
	if o.match, err = regexp.Compile(*match); err != nil {
		log.Fatal(err)
	}
	packages, err := list(o.root, patterns)
	if err != nil {
		log.Fatal(err)
	}
	if err := o.minimise(packages); err != nil {
		log.Fatal(err)
	}
}

// minimise does each target of the packages; one that fails does not stop the
// others.
func (o *options) minimise(packages []*pkg) error {
	if o.cache == "" {
		b, err := run(o.root, nil, "go", "env", "GOCACHE")
		if err != nil {
			return err
		}
		o.cache = filepath.Join(strings.TrimSpace(string(b)), "fuzz")
	}
	var errs []error
	_, err := fmt.Fprintf(o.out, "%-40s %7s %6s %6s %8s %7s %7s %7s\n", "target", "inputs", "added", "files", "bytes", "before", "now", "all")
	errs = append(errs, err)
	for _, p := range packages {
		errs = append(errs, o.minimisePackage(p))
	}
	return errors.Join(errs...)
}

func (o *options) minimisePackage(p *pkg) (err error) {
	dir, err := os.MkdirTemp("", "fuzzmin")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	targets, err := p.overlay(dir)
	if err != nil {
		return err
	}
	bin := ""
	var errs []error
	for _, t := range targets {
		if !o.match.MatchString(t.Name) {
			continue
		}
		if bin == "" {
			if bin, err = p.build(dir); err != nil {
				return err
			}
		}
		if err := o.minimiseTarget(p, bin, dir, t); err != nil {
			errs = append(errs, fmt.Errorf("%s %s: %w", p.ImportPath, t.Name, err))
		}
	}
	return errors.Join(errs...)
}

func (o *options) minimiseTarget(p *pkg, bin, dir string, t target) error {
	tree := corpusDir(p.Dir, t.Name)
	seeds, err := readInputs(tree, t, true)
	if err != nil {
		return err
	}
	found, err := readInputs(filepath.Join(o.cache, p.ImportPath, t.Name), t, false)
	if err != nil {
		return err
	}
	work := filepath.Join(dir, t.Name)
	all, err := p.measure(bin, work, t, candidates(seeds, found, o.sample))
	if err != nil {
		return err
	}
	added := choose(all, o.limits)
	now := append(seeds, added...)
	size := 0
	for _, i := range now {
		size += len(i.data)
	}
	var reach [3]int
	for n, of := range [][]*input{seeds, now, all} {
		if reach[n], err = statements(work, of); err != nil {
			return err
		}
	}
	if err := keep(tree, added); err != nil {
		return err
	}
	name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/") + " " + t.Name
	_, err = fmt.Fprintf(o.out, "%-40s %7d %6d %6d %8d %7d %7d %7d\n",
		name, len(all), len(added), len(now), size, reach[0], reach[1], reach[2])
	return errors.Join(err, os.RemoveAll(work))
}

// Mutate measures what the tests of the decode paths catch. It breaks one
// thing of a package at a time, such as a bound, an offset or a comparison,
// runs the package's tests and the seeds of its fuzz targets over the broken
// code, and tells which breaks no test saw.
//
//	go -C tools run ./mutate                          # the plan: 100 breaks
//	go -C tools run ./mutate -seed 2 titles=6 blg=12  # of these packages
//	go -C tools run ./mutate -list titles             # what would be broken
//	go -C tools run ./mutate -only 'table.go:88:' titles
//
// The breaks of a package depend on the seed and its source alone. The tree is
// never touched: the compiler reads the broken file through an overlay.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1:], log.New(os.Stdout, "", 0)); err != nil {
		log.Fatal("mutate: ", err)
	}
}

// options are those of the command line.
type options struct {
	root string // of the module whose code is broken
	seed uint64
	only *regexp.Regexp
	list bool
	wrap []string // what runs the tests, in front of their binary
}

func run(args []string, out *log.Logger) error {
	var o options
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.StringVar(&o.root, "root", "..", "the `folder` of the module")
	flags.Uint64Var(&o.seed, "seed", 1, "the `number` that the breaks are drawn by")
	flags.BoolVar(&o.list, "list", false, "print the breaks and run nothing")
	only := flags.String("only", "", "run only breaks whose line matches the `pattern`")
	wrap := flags.String("wrap", "", "a `command` that the tests run under, such as \"prlimit --as=8000000000\"")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if o.root, err = filepath.Abs(o.root); err != nil {
		return err
	}
	if o.only, err = regexp.Compile(*only); err != nil {
		return err
	}
	o.wrap = strings.Fields(*wrap)
	targets, err := targetsOf(flags.Args())
	if err != nil {
		return err
	}
	return runTargets(o, targets, out)
}

// targetsOf reads arguments such as perfdata=30; none are the whole plan.
func targetsOf(args []string) ([]target, error) {
	if len(args) == 0 {
		return plan, nil
	}
	var list []target
	for _, arg := range args {
		name, number, given := strings.Cut(arg, "=")
		t, known := find(name)
		if !known {
			return nil, fmt.Errorf("no package %s in the plan", name)
		}
		if given {
			n, err := strconv.Atoi(number)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("%s: want a package or package=number", arg)
			}
			t.breaks = n
		}
		list = append(list, t)
	}
	return list, nil
}

// tally counts verdicts.
type tally struct{ caught, timedOut, survived, discarded int }

func (t *tally) add(v verdict) {
	switch v {
	case caught:
		t.caught++
	case timedOut:
		t.timedOut++
	case survived:
		t.survived++
	case doesNotCompile:
		t.discarded++
	}
}

func (t *tally) String() string {
	return fmt.Sprintf("%d breaks: %d caught, %d of them by time; %d survived; %d more did not compile",
		t.caught+t.timedOut+t.survived, t.caught+t.timedOut, t.timedOut, t.survived, t.discarded)
}

func runTargets(o options, targets []target, out *log.Logger) error {
	began := time.Now()
	var all tally
	for _, t := range targets {
		breaks, err := drawn(o, t)
		if err != nil {
			return err
		}
		if o.list {
			for _, m := range breaks[:min(t.breaks, len(breaks))] {
				out.Print(m)
			}
			continue
		}
		of, err := runTarget(o, t, breaks, out)
		if err != nil {
			return fmt.Errorf("%s: %w", t.dir, err)
		}
		out.Printf("= %s: %s", t.dir, &of)
		all.caught += of.caught
		all.timedOut += of.timedOut
		all.survived += of.survived
		all.discarded += of.discarded
	}
	if !o.list {
		out.Printf("= seed %d: %s (%s)", o.seed, &all, time.Since(began).Round(time.Second))
	}
	return nil
}

// drawn gives all breaks of a package in the order of the seed. The first that
// compile are run, as many as the plan says.
func drawn(o options, t target) ([]mutant, error) {
	sites, err := sitesOf(o.root, t)
	if err != nil {
		return nil, err
	}
	breaks := draw(sites, o.seed, t.dir)
	kept := breaks[:0]
	for _, m := range breaks {
		if o.only.MatchString(m.String()) {
			kept = append(kept, m)
		}
	}
	return kept, nil
}

func runTarget(o options, t target, breaks []mutant, out *log.Logger) (tally, error) {
	var of tally
	r, err := newRunner(o, t)
	if err != nil {
		return of, err
	}
	defer r.close()
	for _, m := range breaks {
		if of.caught+of.timedOut+of.survived == t.breaks {
			break
		}
		began := time.Now()
		v, by, err := r.try(m)
		if err != nil {
			return of, err
		}
		of.add(v)
		if by != "" {
			by = " by " + by
		}
		out.Printf("%s: %s%s (%s)", m, v, by, time.Since(began).Round(time.Second))
	}
	return of, nil
}

// Command compare runs two builds of perfdump over all inputs and command lines
// and shows where they differ. In data, which are the outputs of -o, the exit
// codes and the errors of --errors json, nothing may differ but what is
// under the key "message"; what is for people is counted apart.
//
//	compare -old BIN -new BIN [-fast] [-verb REGEX] [-file REGEX]
//
// What the old build says is kept in a cache, by the content of the build and
// of the inputs. The exit code is 1 where data differ, 2 where it cannot run.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

type options struct {
	oldBin, newBin, cache, root, shared string
	verb, file                          *regexp.Regexp
	fast, text                          bool
	workers, diffs                      int
}

func main() {
	var o options
	flag.StringVar(&o.oldBin, "old", "", "`path` of the build to compare with")
	flag.StringVar(&o.newBin, "new", "", "`path` of the build to check")
	flag.StringVar(&o.cache, "cache", "", "directory for results of the old build (default perfdump-compare in the user's cache)")
	flag.StringVar(&o.root, "root", "", "the checkout (default: the one that contains the working directory)")
	flag.StringVar(&o.shared, "shared", "", "directory with corpus, captures and vectors (default: shared, next to the checkout)")
	flag.BoolVar(&o.fast, "fast", false, "run one of six inputs, and at least three of each format")
	flag.BoolVar(&o.text, "text", false, "also show differences in text for people")
	flag.IntVar(&o.workers, "j", 2, "how many to run at a time")
	flag.IntVar(&o.diffs, "diffs", 20, "how many differences to show; repeated ones are not counted")
	verb := flag.String("verb", "", "only command lines that match `regex`")
	file := flag.String("file", "", "only inputs whose names match `regex`")
	flag.Parse()
	if o.oldBin == "" || o.newBin == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	o.verb, o.file = regexp.MustCompile(*verb), regexp.MustCompile(*file)
	differ, err := compare(&o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
	if differ {
		os.Exit(1)
	}
}

// places fills in the paths that are not given and makes all absolute.
func (o *options) places() error {
	if o.root == "" {
		for o.root = "."; ; o.root = filepath.Join(o.root, "..") {
			if _, err := os.Stat(filepath.Join(o.root, "testdata", "captures")); err == nil {
				break
			}
			if abs, err := filepath.Abs(o.root); err != nil || filepath.Dir(abs) == abs {
				return fmt.Errorf("no checkout is around the working directory: give -root")
			}
		}
	}
	if o.shared == "" {
		root, err := filepath.Abs(o.root)
		if err != nil {
			return err
		}
		o.shared = filepath.Join(root, "..", "shared")
	}
	if o.cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		o.cache = filepath.Join(dir, "perfdump-compare")
	}
	for _, p := range []*string{&o.oldBin, &o.newBin, &o.cache, &o.root, &o.shared} {
		abs, err := filepath.Abs(*p)
		if err != nil {
			return err
		}
		*p = abs
	}
	return nil
}

func compare(o *options) (differ bool, err error) {
	start := time.Now()
	if err := o.places(); err != nil {
		return false, err
	}
	work, err := os.MkdirTemp("", "perfdump-compare-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	older, err := newCached(o.oldBin, work, o.cache)
	if err != nil {
		return false, err
	}
	in, err := findInputs(o, work, older)
	if err != nil {
		return false, err
	}
	jobs := slices.DeleteFunc(in.jobs(older), func(j *job) bool { return !o.verb.MatchString(j.String()) })
	r := &report{options: o, older: older, newer: &build{o.newBin, work}, counts: [2]map[string]int{{}, {}}, seen: map[string]bool{}}
	each(o.workers, jobs, r.try)
	fmt.Printf("%d inputs, %d command lines, %d of the old build not in the cache, %v\n",
		len(in.chosen), r.runs, older.ran.Load(), time.Since(start).Round(time.Second))
	for i, class := range classes {
		total := 0
		for _, n := range r.counts[i] {
			total += n
		}
		fmt.Printf("%s: %d differences\n", class, total)
		for _, line := range slices.Sorted(maps.Keys(r.counts[i])) {
			fmt.Printf("%8d  %s\n", r.counts[i][line], line)
		}
	}
	return len(r.counts[0]) > 0, r.err
}

// each calls f with all of list, by some at a time.
func each[T any](workers int, list []T, f func(T)) {
	next := make(chan T)
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() {
			for v := range next {
				f(v)
			}
		})
	}
	for _, v := range list {
		next <- v
	}
	close(next)
	wg.Wait()
}

var classes = [2]string{"data", "text"}

// report is what has been found.
type report struct {
	*options
	older *cached
	newer *build

	mu     sync.Mutex
	runs   int
	counts [2]map[string]int // by class, of lines as they are in the list
	shown  [2]int
	seen   map[string]bool
	err    error
}

// try runs both builds.
func (r *report) try(j *job) {
	if j.document && !r.older.document(j) {
		return
	}
	a, err := r.older.result(j)
	if err == nil {
		var b *result
		if b, err = r.newer.run(j, head); err == nil {
			r.compare(j, a, b)
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = fmt.Errorf("%s: %w", j, err)
}

func (r *report) compare(j *job, a, b *result) {
	differ := [2]bool{a.Code != b.Code, false}
	for i := range a.Sums {
		if a.Sums[i] != b.Sums[i] {
			differ[j.class(i)] = true
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs++
	for class, yes := range differ {
		if !yes {
			continue
		}
		r.counts[class][j.line]++
		if r.shown[class] >= r.diffs || class == 1 && !r.text {
			continue
		}
		var s strings.Builder
		if a.Code != b.Code && class == 0 {
			fmt.Fprintf(&s, "  exit code %d, was %d\n", b.Code, a.Code)
		}
		for i, name := range streams {
			if a.Sums[i] != b.Sums[i] && j.class(i) == class {
				fmt.Fprintf(&s, "  %s:\n%s", name, r.difference(j, i, a, b))
			}
		}
		if !r.seen[s.String()] {
			r.seen[s.String()] = true
			r.shown[class]++
			fmt.Printf("%s differs: perfdump %s\n%s\n", classes[class], j, s.String())
		}
	}
}

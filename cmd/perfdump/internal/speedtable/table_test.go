// Package speedtable makes the table of docs/benchmarks.md: each task beside its
// rivals, which have their turns in the same run.
package speedtable

import (
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/doctest"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

var table = flag.Bool("table", false, "measure and print the table of speed; -update writes it to docs/benchmarks.md")

const page = "../../../../docs/benchmarks.md"

// rounds is how many turns each way has.
const rounds = 11

// task is something to be done, and the ways to do it.
type task struct {
	name string
	of   string // the input, in words
	make func(s size) work
}

// size is that of the inputs: full for the table, tiny for the test.
type size bool

const (
	full size = true
	tiny size = false
)

func (s size) of(full, tiny int) int {
	if s {
		return full
	}
	return tiny
}

// work is a task with its input made. The first way is that which others are
// compared with.
type work struct {
	bytes int // of the input
	ways  []way
}

// way is one to do a task. run returns how much it found or wrote, or 0 where
// it does less than the task.
type way struct {
	name string // those of the tree's own packages begin with a star
	is   string
	run  func() int
}

// own reports whether a way is one of the tree's own packages.
func (w *way) own() bool { return strings.HasPrefix(w.name, "*") }

var tasks = []task{
	decodeTask, smallTask, cookTask, fieldsTask, rowsTask, blgTask, rangeTask, dumpTask, logTask, csvTask, jsonlTask,
	outputTask("sql", "SQL for SQLite"), outputTask("influx", "line protocol"), outputTask("openmetrics", "OpenMetrics, sorted in memory"),
	parquetTask, pdhcsvTask, memoryTask, carveTask, titlesTask, regTask,
}

// measured is a row of the table.
type measured struct {
	task   *task
	way    way
	bytes  int
	took   perftest.Took
	ratio  float64 // of its time to that of the first way
	allocs uint64
	peak   int64 // bytes, -1 unknown
}

func TestMain(m *testing.M) {
	if what := os.Getenv(peakOfWay); what != "" {
		if err := child(what); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestSpeedTable measures on request.
func TestSpeedTable(t *testing.T) {
	if !*table && !*golden.Update {
		t.Skip("the table is made with -table")
	}
	if perftest.Race {
		t.Fatal("speed means nothing under the race detector")
	}
	var all []measured
	for i := range tasks {
		all = append(all, measure(t, &tasks[i])...)
		debug.FreeOSMemory()
	}
	text := machine() + "\n" + markdown(all)
	_, _ = os.Stdout.WriteString(text)
	if *golden.Update {
		p := doctest.Open(t, page)
		p.Set("Speed", text)
		p.Close()
	}
}

func measure(t *testing.T, task *task) []measured {
	w := task.make(full)
	var fs []func()
	for i := range w.ways {
		fs = append(fs, func() { w.ways[i].run() })
	}
	took := perftest.Turns(rounds, fs...)
	var all []measured
	for i, way := range w.ways {
		all = append(all, measured{
			task: task, way: way, bytes: w.bytes, took: took[i],
			ratio: took[i].Median.Seconds() / took[0].Median.Seconds(), allocs: allocs(fs[i]), peak: -1,
		})
	}
	runtime.GC()
	for i := range w.ways {
		all[i].peak = peak(t, task, i, full)
		t.Logf("%s, %s: %v", task.name, w.ways[i].name, all[i].took)
	}
	return all
}

// allocs is what a call of f allocates that is not the first one: the least of
// some, since the runtime allocates now and then, too.
func allocs(f func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	return least
}

// BenchmarkTasks does each task in each way, to be profiled.
func BenchmarkTasks(b *testing.B) {
	for i := range tasks {
		b.Run(tasks[i].name, func(b *testing.B) {
			w := tasks[i].make(full)
			for _, way := range w.ways {
				b.Run(way.name, func(b *testing.B) {
					b.SetBytes(int64(w.bytes))
					b.ReportAllocs()
					for b.Loop() {
						way.run()
					}
				})
			}
		})
	}
}

// TestTasks does each task in each way on little input, and wants those that do
// all of it to find the same.
func TestTasks(t *testing.T) {
	for i := range tasks {
		task := &tasks[i]
		t.Run(task.name, func(t *testing.T) {
			w := task.make(tiny)
			require.Positive(t, w.bytes)
			require.True(t, w.ways[0].own(), "the first way is ours")
			want := w.ways[0].run()
			require.Positive(t, want)
			for _, way := range w.ways {
				assert.NotEmpty(t, way.is, way.name)
				for range 2 { // what is used again gives the same
					if got := way.run(); got != 0 {
						assert.Equal(t, want, got, way.name)
					}
				}
			}
		})
	}
}

// TestPageHasTheTable wants the page to have a row for each way of each task.
func TestPageHasTheTable(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), "<!-- begin Speed -->\n")
	section, _, found := strings.Cut(rest, "<!-- end Speed -->")
	require.True(t, found)
	var want []measured
	for i := range tasks {
		for _, way := range tasks[i].make(tiny).ways {
			want = append(want, measured{task: &tasks[i], way: way})
		}
	}
	for _, m := range want {
		require.Contains(t, section, "| "+m.task.name+" | "+m.name()+" | ", "run the command of the page")
	}
	require.Equal(t, len(want), strings.Count(section, "\n| ")-1, "rows")
	require.Contains(t, section, list(want), "run the command of the page")
}

package bounds_test

import (
	"context"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/root"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// worst is an input that is made to cost more than it should.
type worst struct {
	name  string // the format, a slash, and what is wrong with it
	flags string // such as --format memory
	make  func(n int) []byte
}

// worsts are the worst inputs of all formats: those whose counts multiply, that
// chain, overlap or repeat, that have something odd everywhere, the longest
// names, one huge thing or many tiny ones, and little that unpacks to much.
func worsts() []worst {
	var all []worst
	for _, some := range [][]worst{worstBlocks(), worstTexts(), worstRows(), worstLogs(), worstHives(), worstDumps(), worstSets(), worstDocuments(), worstPacked()} {
		all = append(all, some...)
	}
	return all
}

// ways are what verbs do with an input. %s stands for it. Those that do not
// take its format end at once.
var ways = []string{
	"info -o json %s", "dump -o json %s", "dump -o jsonl %s", "dump -o sql %s", "cook -o csv %s", "cook --summary %s", "report %s",
	"check -o json %s", "hexdump %s", "diff -o json %s %s", "encode %s", "titles --stats %s", "titles --repair -o multisz %s", "doctor -o json %s",
	"cook %s", "cook -o pdh-csv %s", "cook -o pdh-tsv --output-code-page 1200 %s", "cook -o jsonl %s", "cook -o parquet %s", "cook -o sql %s",
	"cook -o openmetrics %s", "cook -o influx %s", "dump %s", "dump -o csv %s", "dump -o parquet %s", "dump -o openmetrics %s", "dump -o influx %s",
	"dump -o checkmk %s", "plot %s", "info %s",
}

// each runs the ways on all worst inputs of n bytes: all ways with
// PERFDUMP_LONG=1, else a tenth of them, others for each input.
func each(t *testing.T, n int, f func(t *testing.T, w *worst, way string, input []byte)) {
	if perftest.Race {
		t.Skip("the race detector is slow, and its memory its own")
	}
	t.Chdir(t.TempDir())
	for i, w := range worsts() {
		t.Run(w.name, func(t *testing.T) {
			input := w.make(n)
			require.NoError(t, os.WriteFile("input", input, 0o600))
			for j, way := range ways {
				if os.Getenv("PERFDUMP_LONG") == "" && (i+j)%10 != 0 {
					continue
				}
				f(t, &w, strings.ReplaceAll(way, "%s", "input")+" "+w.flags, input)
			}
		})
	}
}

// TestWorstInputsStayWithinMemory runs the verbs on the worst inputs, of a
// megabyte with PERFDUMP_LONG=1 and of less otherwise.
func TestWorstInputsStayWithinMemory(t *testing.T) {
	size := 128 << 10
	if os.Getenv("PERFDUMP_LONG") != "" {
		size = 1 << 20
	}
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	each(t, size, bounded)
}

// bounded checks that a command line takes no more memory than the class of its
// input is promised.
func bounded(t *testing.T, w *worst, line string, input []byte) {
	t.Helper()
	within(t, line, input, promise(w, input))
}

// promise returns 64 MiB and four times the unpacked input, or 24 times where
// it is text that people write or export.
func promise(w *worst, input []byte) uint64 {
	times := 4
	format, name, _ := strings.Cut(w.name, "/")
	switch format {
	case "inifile", "symbolh", "reg", "perfstrings", "titles", "manifest", "document":
		times = 24
	case "gzip", "zstd":
		if strings.HasSuffix(name, "ini") {
			times = 24
		}
	}
	return uint64(64<<20 + times*unpacked(input))
}

// within checks that a command line takes no more memory than limit. What is made
// while a collection goes on counts as alive, and on a busy machine one goes on
// for long: if it seems too much, the min of four runs counts.
func within(t *testing.T, line string, input []byte, limit uint64) {
	t.Helper()
	used, code := watched(t, line)
	for try := 0; try < 3 && used > limit; try++ {
		again, _ := watched(t, line)
		used = min(used, again)
	}
	assert.LessOrEqual(t, used, limit, "%s: %d MiB of memory for %d bytes", line, used>>20, len(input))
	assert.LessOrEqual(t, code, cmdutil.ExitUsage, line)
}

// TestGuardWorstInputsAreLinear wants four times the input to take about four
// times as long, not sixteen.
func TestGuardWorstInputsAreLinear(t *testing.T) {
	if os.Getenv("PERFDUMP_GUARDS") == "" {
		t.Skip("a guard of speed runs with PERFDUMP_GUARDS=1")
	}
	const size = 1 << 20
	each(t, size, func(t *testing.T, w *worst, line string, _ []byte) {
		if !strings.Contains(line, "-o pdh-") { // whose rows have a cell for each series: --max-output bounds them
			linear(t, w, line, size)
		}
	})
}

// larger are those whose time and memory a megabyte does not tell: what comes of
// the number of inputs in one, of languages, of ranges, of blocks.
var larger = map[string][]string{
	"carve/headers":                     {"doctor -o json %s"},
	"reg/languages":                     {"titles -o reg %s"},
	"perfstrings/languages":             {"titles -o perfstrings %s", "diff %s %s"},
	"pdhcsv/long names":                 {"cook -o csv %s"},
	"perfstrings/one provider":          {"doctor -o json %s"},
	"perfdata/blocks":                   {"dump -o json %s"},
	"perfdata/blocks of other machines": {"cook --summary %s"},
	"document/gaps":                     {"encode %s"},
	"titles/list":                       {"titles -o reg %s"},
	"minidump/memory, all of it":        {"hexdump %s"},
}

// TestGuardLargerInputsAreLinear is [TestGuardWorstInputsAreLinear] for 4 MB.
func TestGuardLargerInputsAreLinear(t *testing.T) {
	perftest.GuardSpeed(t)
	eachLarger(t, func(t *testing.T, w *worst, line string, input []byte) { linear(t, w, line, len(input)) })
}

// TestLargerInputsStayWithinMemory is [TestWorstInputsStayWithinMemory] for 4 MB.
func TestLargerInputsStayWithinMemory(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector is slow, and its memory its own")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	eachLarger(t, bounded)
}

// largest are those of which 16 MB and more show what smaller ones do not.
var largest = map[string][]string{
	"blg/catalogue":                            {"hexdump %s"},
	"blg/catalogue of objects":                 {"hexdump %s"},
	"blg/registrations":                        {"info -o json %s"},
	"blg/sets of instances":                    {"cook --summary %s", "dump -o csv %s", "check -o json %s"},
	"blg/sets of instances without names":      {"cook --summary %s", "dump -o csv %s", "hexdump %s"},
	"blg/sets of other instances":              {"cook --summary %s"},
	"blg/sets in many items":                   {"dump -o csv %s", "cook --summary %s"},
	"blg/sets that nothing registers":          {"dump -o csv %s", "cook --summary %s"},
	"document/instances":                       {"encode %s"},
	"document/empty instances":                 {"encode %s"},
	"document/instances before their counters": {"encode %s"},
	"document/values before their counters":    {"encode %s"},
	"hive/values":                              {"diff -o json %s %s"},
	"perfdata/objects":                         {"cook --summary %s"},
	"perfdata/each object with another parent": {"cook --summary %s"},
	"perfdata/blocks of other machines":        {"cook --summary %s", "report %s"},
	"perfdata/faults in salvage":               {"dump -o json %s"},
}

// TestLargestInputsStayWithinMemory is [TestWorstInputsStayWithinMemory] for 32 MB,
// for 64 MB of faults, and for items that are the same, which take nine tenths of
// that at most.
func TestLargestInputsStayWithinMemory(t *testing.T) {
	if perftest.Race || os.Getenv("PERFDUMP_LONG") == "" {
		t.Skip("it takes much memory: PERFDUMP_LONG=1 runs it")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	eachOf(t, largest, 32<<20, bounded)
	eachOf(t, map[string][]string{"perfdata/faults in salvage": {"hexdump %s", "check -o json %s", "info %s", "info -o json %s"}}, 64<<20, bounded)
	for _, size := range []int{16 << 20, 24 << 20, 48 << 20} {
		eachOf(t, map[string][]string{"blg/equal items": {"cook --summary %s", "plot %s", "report %s"}}, size, func(t *testing.T, w *worst, line string, input []byte) {
			within(t, line, input, promise(w, input)*9/10)
		})
	}
}

func eachLarger(t *testing.T, f func(t *testing.T, w *worst, line string, input []byte)) {
	t.Helper()
	eachOf(t, larger, 4<<20, f)
}

// eachOf runs ways on some worst inputs of n bytes.
func eachOf(t *testing.T, some map[string][]string, n int, f func(t *testing.T, w *worst, line string, input []byte)) {
	t.Helper()
	t.Chdir(t.TempDir())
	found := 0
	for _, w := range worsts() {
		for _, way := range some[w.name] {
			t.Run(w.name+" "+way, func(t *testing.T) {
				input := w.make(n)
				require.NoError(t, os.WriteFile("input", input, 0o600))
				f(t, &w, strings.ReplaceAll(way, "%s", "input")+" "+w.flags, input)
			})
			found++
		}
	}
	assert.GreaterOrEqual(t, found, len(some), "a name that is no worst input")
}

// linear wants a quarter of the input to take a quarter of the time.
func linear(t *testing.T, w *worst, line string, size int) {
	t.Helper()
	large := took(t, line)
	if large < 40*time.Millisecond {
		return // a square would be far above it
	}
	require.NoError(t, os.WriteFile("small", w.make(size/4), 0o600))
	small := took(t, strings.ReplaceAll(line, "input", "small"))
	for try := 0; try < 20 && large > 6*small; try++ { // the fastest of several: the machine's speed comes and goes
		small, large = min(small, took(t, strings.ReplaceAll(line, "input", "small"))), min(large, took(t, line))
	}
	assert.LessOrEqual(t, large, 6*small+20*time.Millisecond, "%s: %v, and %v for a quarter", line, large, small)
}

// took measures a command line. One that was broken off has no time.
func took(t *testing.T, line string) time.Duration {
	t.Helper()
	start := time.Now()
	code := runDiscarding(t, line)
	require.LessOrEqual(t, code, cmdutil.ExitUsage, line)
	return time.Since(start)
}

// runDiscarding runs a command line. One that hangs is broken off, which its
// exit code says.
func runDiscarding(t *testing.T, line string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ios, _, _, _ := iostreams.Test()
	ios.Out, ios.ErrOut = io.Discard, io.Discard
	return root.Run(ctx, ios, strings.Fields(line))
}

// watched runs a command line and returns by how much the live heap grew at
// most: what is dead and not collected yet is the collector's choice.
func watched(t *testing.T, line string) (used uint64, code int) {
	t.Helper()
	runtime.GC()
	before := live()
	done, peak := make(chan struct{}), make(chan uint64)
	go func() {
		most := uint64(0)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				peak <- max(most, live())
				return
			case <-tick.C:
				most = max(most, live())
			}
		}
	}()
	code = runDiscarding(t, line)
	close(done)
	most := <-peak
	return most - min(most, before), code
}

// live returns the bytes that the last collection found in use.
func live() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// runWith runs a command line over bytes of standard input.
func runWith(t *testing.T, stdin []byte, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ios, in, out, errOut := iostreams.Test()
	in.Write(stdin)
	code = root.Run(t.Context(), ios, args)
	return code, out.String(), errOut.String()
}

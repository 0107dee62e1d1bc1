package lake_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/lake"
	"github.com/perfdump/perfdump/internal/testkit/doctest"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest/serverlog"
)

// figures are what TestScale measures.
type figures struct {
	Machine   string
	Logs      int
	MB        float64 // of the logs
	LargestMB float64 // of the largest one
	Rows      float64
	Files     int       // of values
	LakeMB    float64   // of the lake
	Manifest  float64   // bytes of it
	Seconds   []float64 // with one and with two cores
	CPU       []float64 // seconds of the cores
	MemoryMB  []float64
	Again     float64 // seconds of a run over nothing new
	Look      float64 // seconds of CPU of a shard that has next to nothing to cook
}

const scaleFile = "testdata/scale.json"

// TestScale measures runs over 1,000 logs of so many megabytes in all, half of them in one
// log; with -update the figures go to docs/fleet.md. Two cores are at least 1.7 times as
// fast as one, and a run over nothing new takes less than 1 % of the first.
func TestScale(t *testing.T) {
	megabytes, err := strconv.Atoi(os.Getenv("PERFDUMP_SCALE"))
	if err != nil || megabytes < 50 {
		t.Skip("PERFDUMP_SCALE says how many megabytes of logs are written, 50 or more; .ci/run fleet has 8,000")
	}
	if in := os.Getenv("LAKE_IN"); in != "" {
		scaleRun(t, in)
		return
	}
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	f := figures{Machine: fmt.Sprintf("%d cores, %s, %s/%s", runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH), Seconds: []float64{0, 0}, CPU: []float64{0, 0}, MemoryMB: []float64{0, 0}}
	writeLogs(t, &f, in, megabytes)
	for turn := range 2 {
		for i := range 2 {
			if turn > 0 {
				require.NoError(t, os.RemoveAll(filepath.Join(dir, fmt.Sprint(i+1))))
			}
			r := scaleChild(t, in, filepath.Join(dir, fmt.Sprint(i+1)), i+1, 0)
			if turn == 0 {
				f.Seconds[i], f.CPU[i] = r.Seconds, r.CPU
			}
			f.Seconds[i], f.CPU[i] = min(f.Seconds[i], r.Seconds), min(f.CPU[i], r.CPU)
			f.MemoryMB[i] = max(f.MemoryMB[i], r.MemoryMB)
			f.Rows, f.LakeMB = float64(r.All), float64(r.Size)/1e6
			t.Logf("%d cores: %.1f s, %.1f s of CPU, %.0f MB of memory", i+1, r.Seconds, r.CPU, r.MemoryMB)
		}
	}
	out := filepath.Join(dir, "2")
	f.Files = len(counted(t, out))
	info, err := os.Stat(filepath.Join(out, "_lake", "manifest.jsonl"))
	require.NoError(t, err)
	f.Manifest = float64(info.Size())
	f.Again = scaleChild(t, in, out, 2, 0).Seconds
	f.Look = scaleChild(t, in, filepath.Join(dir, "shards"), 1, 100_000).CPU
	measured, paper := f.tables()
	t.Logf("\n%s\n%s", measured, paper)
	if *golden.Update {
		b, err := json.MarshalIndent(f, "", "  ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(scaleFile, append(b, '\n'), 0o600))
	}
	require.GreaterOrEqual(t, f.Seconds[0]/f.Seconds[1], 1.7)
	require.Less(t, f.Again, f.Seconds[1]/100)
}

// writeLogs writes a long log, and those that 200 machines wrote one after the other.
func writeLogs(t *testing.T, f *figures, dir string, megabytes int) {
	const (
		logs     = 1000
		perValue = 30 // bytes, about
	)
	half := megabytes * 1_000_000 / 2
	require.NoError(t, os.Mkdir(dir, 0o750))
	write := func(name string, of *serverlog.Server, size int) {
		to, err := os.Create(filepath.Join(dir, name))
		require.NoError(t, err)
		records, n, head := size/(perValue*2*of.Counters*of.Instances), 0, 0
		for n < size {
			b := of.Log(max(2, min(100, records)))
			_, err := to.Write(b[head:])
			require.NoError(t, err)
			n += len(b) - head
			head = serverlog.Head << 16 // the rounds after the first one have none
		}
		require.NoError(t, to.Close())
		f.Logs++
		f.MB += float64(n) / 1e6
		f.LargestMB = max(f.LargestMB, float64(n)/1e6)
	}
	write("long.blg", &serverlog.Server{Machine: "SRV-LONG", Counters: 10, Instances: 150}, half)
	var s *serverlog.Server
	for i := range logs - 1 {
		if m := i / 5; i%5 == 0 {
			s = &serverlog.Server{Machine: fmt.Sprintf("SRV-%03d", m), Logger: fmt.Sprintf("%08d-0000-0000-0000-000000000000", m+1), Counters: 10, Instances: 5 << (m % 5)}
		}
		write(fmt.Sprintf("%s-%d.blg", s.Machine, i%5), s, half/(logs-1)*[]int{1, 2, 4, 5, 8}[i%5]/4)
	}
}

// scaled is what a run did.
type scaled struct {
	lake.Result

	Seconds, CPU, MemoryMB float64
}

// scaleChild runs in a process of its own, by so many cores; as the last shard if there are some.
func scaleChild(t *testing.T, in, out string, cores, shards int) (r scaled) {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run", "^TestScale$")
	answer := out + ".json"
	cmd.Env = append(os.Environ(), "LAKE_IN="+in, "LAKE_OUT="+out, "LAKE_ANSWER="+answer, fmt.Sprint("LAKE_SHARDS=", shards), fmt.Sprint("GOMAXPROCS=", cores))
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
	b, err := os.ReadFile(answer)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &r))
	r.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return r
}

func scaleRun(t *testing.T, in string) {
	shards, err := strconv.Atoi(os.Getenv("LAKE_SHARDS"))
	require.NoError(t, err)
	begin := time.Now()
	res, err := lake.Run(t.Context(), os.Getenv("LAKE_OUT"), []string{in}, lake.Options{Shard: shards, Shards: shards})
	require.NoError(t, err)
	require.Zero(t, res.Failed)
	r := scaled{Result: res, Seconds: time.Since(begin).Seconds()}
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		_, peak, _ := strings.Cut(string(status), "VmHWM:")
		_, err = fmt.Sscan(peak, &r.MemoryMB)
		require.NoError(t, err)
		r.MemoryMB *= 1024.0 / 1e6
	}
	b, err := json.Marshal(r)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(os.Getenv("LAKE_ANSWER"), b, 0o600))
}

// TestScaleTables computes the tables of docs/fleet.md from the figures.
func TestScaleTables(t *testing.T) {
	b, err := os.ReadFile(scaleFile)
	require.NoError(t, err)
	var f figures
	require.NoError(t, json.Unmarshal(b, &f))
	page := doctest.Open(t, filepath.FromSlash("../../docs/fleet.md"))
	measured, paper := f.tables()
	page.Set("Measured", measured)
	page.Set("Paper", paper)
	page.Close()
}

// tables are what was measured, and what follows for a large fleet.
func (f *figures) tables() (measured, paper string) {
	bytes, rows, logs, lakeBytes := f.MB*1e6, f.Rows, float64(f.Logs), f.LakeMB*1e6
	measured = fmt.Sprintf("%s: %d logs of %.2f GB, one of them of %.2f GB.\n\n| | one core | two cores |\n|---|---|---|\n", f.Machine, f.Logs, f.MB/1e3, f.LargestMB/1e3)
	both := func(name, form string, of func(i int) float64) {
		measured += fmt.Sprintf("| %s | "+form+" | "+form+" |\n", name, of(0), of(1))
	}
	both("seconds", "%.1f", func(i int) float64 { return f.Seconds[i] })
	both("seconds of CPU", "%.1f", func(i int) float64 { return f.CPU[i] })
	both("times as fast", "%.2f", func(i int) float64 { return f.Seconds[0] / f.Seconds[i] })
	both("MB of logs a second", "%.0f", func(i int) float64 { return f.MB / f.Seconds[i] })
	both("million rows a second", "%.2f", func(i int) float64 { return rows / 1e6 / f.Seconds[i] })
	both("MB of memory", "%.0f", func(i int) float64 { return f.MemoryMB[i] })
	measured += fmt.Sprintf("\n%.0f million rows in %d files and %.2f GB: %.1f bytes a row, %.0f %% of the logs. A run over nothing new took %.2f s, %.2f %% of the first; a shard with next to nothing to cook %.2f s of CPU, as it looks at all logs. The manifest has %.0f bytes a log.\n",
		rows/1e6, f.Files, f.LakeMB/1e3, lakeBytes/rows, 100*lakeBytes/bytes, f.Again, 100*f.Again/f.Seconds[1], f.Look, f.Manifest/logs)

	const (
		daily     = 1e5  // logs
		yearly    = 1e15 // bytes
		coreHour  = 0.04 // dollars
		monthOfGB = 0.023
	)
	day := yearly / 365
	speed := bytes / f.CPU[1]     // of a core
	look := f.Look / logs * daily // seconds
	paper = "| | 16 cores of a machine | 200 workers of a core |\n|---|---|---|\n"
	line := func(name, form string, of func(cores, look float64) float64) {
		paper += fmt.Sprintf("| %s | "+form+" | "+form+" |\n", name, of(16, look/16), of(200, look)) // each worker looks at all
	}
	coreHours := func(cores, look float64) float64 { return (day/speed + cores*look) / 3600 }
	line("minutes to look at the logs of a day", "%.1f", func(_, look float64) float64 { return look / 60 })
	line("minutes to cook them", "%.1f", func(cores, _ float64) float64 { return day / speed / cores / 60 })
	line("GB of logs a second", "%.1f", func(cores, _ float64) float64 { return cores * speed / 1e9 })
	line("core-hours a day", "%.1f", coreHours)
	line("dollars a year for them", "%.0f", func(cores, look float64) float64 { return 365 * coreHour * coreHours(cores, look) })
	ratio := lakeBytes / bytes
	paper += fmt.Sprintf("\nA day has %.2f TB of logs, %.0f billion rows and %.0f GB of Parquet; a year %.0f TB of it, which cost %.0f dollars a month. The manifest has %.0f MB for the logs of a day and %.1f GB for those of a year; a run over nothing new among the logs of a month takes %.1f minutes on two cores.\n",
		day/1e12, rows/bytes*day/1e9, ratio*day/1e9, ratio*yearly/1e12, ratio*yearly/1e9*monthOfGB, f.Manifest/logs*daily/1e6, f.Manifest/logs*daily*365/1e9, f.Again/logs*daily*30/60)
	return measured, paper
}

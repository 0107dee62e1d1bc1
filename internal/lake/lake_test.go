package lake_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/lake"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
)

// evening is 2020-03-18 23:55 in UTC, five minutes before another date, as a FILETIME.
const evening, minute = 132_290_493_000_000_000, 600_000_000

// rolled writes a log of a machine: minutes from up to to of its recording, with processes
// that come and go.
func rolled(t testing.TB, name, machine, logger string, from, to int) {
	t.Helper()
	w := blgwriter.New(blgwriter.Options{LoggerName: logger})
	at := func(object, instance, counter string, typ countertypes.Type) blgwriter.Item {
		return blgwriter.Item{Path: pdhpath.Path{Machine: machine, Object: object, Instance: instance, HasInstance: instance != "", Counter: counter}, Type: typ, TimeBase: 10_000_000}
	}
	w.Items(evening+int64(from)*minute-10,
		at("Process", "*", "% Processor Time", countertypes.PERF_100NSEC_TIMER), at("Process", "*", "Handle Count", countertypes.PERF_COUNTER_RAWCOUNT), at("Memory", "", "Available Bytes", countertypes.PERF_COUNTER_LARGE_RAWCOUNT))
	for i := from; i < to; i++ {
		when := evening + int64(i)*minute
		cpu, handles := blgwriter.Series{Kind: blg.Instances, Local: when}, blgwriter.Series{Kind: blg.Instances, Local: when}
		for k, process := range []string{"_Total", "sqlservr", "backup"} {
			if k < 2 || i%3 > 0 {
				cpu.Values = append(cpu.Values, blgwriter.Value{Name: process, Multi: 1, First: uint64(i * i * 1_000_000 * (k + 1)), Second: uint64(when)})
				handles.Values = append(handles.Values, blgwriter.Value{Name: process, Multi: 1, First: uint64(100*k + i)})
			}
		}
		memory := blgwriter.Series{Kind: blg.Single, Local: when, Values: []blgwriter.Value{{Multi: 1, First: uint64(4<<30) - uint64(i)}}}
		w.Sample(when, cpu, handles, memory)
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, b, 0o600))
}

const loggers = "00000000-0000-0000-0000-00000000000"

// fleet writes the logs of three machines, of two minutes each, up to a minute.
func fleet(t testing.TB, dir string, to int) {
	t.Helper()
	for m, machine := range []string{"web01", "web02", "sql:01"} {
		for from := 0; from < to; from += 2 {
			name := filepath.Join(dir, fmt.Sprint("m", m), fmt.Sprintf("%02d.blg", from))
			if _, err := os.Stat(name); err != nil {
				rolled(t, name, machine, loggers+fmt.Sprint(m), from, from+2)
			}
		}
	}
}

// cooked are the rows that all logs below a folder give, machine by machine.
func cooked(t testing.TB, dir string) (all []string) {
	t.Helper()
	machines, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, m := range machines {
		r := capture.NewRecording(capture.Options{}, capture.CookOptions{})
		names, err := filepath.Glob(filepath.Join(dir, m.Name(), "*.blg"))
		require.NoError(t, err)
		for _, name := range names {
			in, err := capture.Open(name)
			require.NoError(t, err)
			require.NoError(t, r.Add(in))
		}
		for f, err := range r.Frames() {
			require.NoError(t, err)
			for i := range f.Cells {
				c := &f.Cells[i]
				value := "null"
				if v, ok := c.Number(); ok {
					value = fmt.Sprint(v)
				}
				all = append(all, fmt.Sprint(f.Time.UnixMicro(), " ", c.Series.Path(), " ", value, " ", c.EffectiveStatus()))
			}
		}
		require.NoError(t, r.Close())
	}
	slices.Sort(all)
	return all
}

type row struct {
	Time     int64    `parquet:"time"`
	Object   string   `parquet:"object"`
	Instance *string  `parquet:"instance,optional"`
	Counter  string   `parquet:"counter"`
	Path     string   `parquet:"path"`
	Value    *float64 `parquet:"value,optional"`
	Status   string   `parquet:"status"`
}

// compare is the order of the rows of a file.
func (r row) compare(o row) int {
	name := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	return cmp.Or(strings.Compare(r.Object, o.Object), strings.Compare(r.Counter, o.Counter), strings.Compare(name(r.Instance), name(o.Instance)), cmp.Compare(r.Time, o.Time))
}

// rows are those of a lake, by its files.
func rows(t testing.TB, dir string) []string {
	t.Helper()
	return rowsOf(t, dir, files(t, dir, "host="))
}

// counted are the files of counters that the manifest of a lake has.
func counted(t testing.TB, dir string) (all []string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "_lake", "manifest.jsonl"))
	require.NoError(t, err)
	for l := range strings.Lines(string(b)) {
		var file struct{ Path, Table string }
		require.NoError(t, json.Unmarshal([]byte(l), &file))
		if file.Table == "counters" {
			all = append(all, file.Path)
		}
	}
	return all
}

func rowsOf(t testing.TB, dir string, names []string) (all []string) {
	t.Helper()
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		read, err := parquet.Read[row](bytes.NewReader(b), int64(len(b)))
		require.NoError(t, err)
		for i, r := range read {
			value := "null"
			if r.Value != nil {
				value = fmt.Sprint(*r.Value)
			}
			if i > 0 {
				require.Negative(t, read[i-1].compare(r), name)
			}
			all = append(all, fmt.Sprint(r.Time, " ", r.Path, " ", value, " ", r.Status))
		}
	}
	slices.Sort(all)
	return all
}

// files are those below a lake that begin with a text.
func files(t testing.TB, dir, begin string) (all []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		below, _ := filepath.Rel(dir, name)
		if err == nil && !d.IsDir() && strings.HasPrefix(below, begin) {
			all = append(all, below)
		}
		return err
	}))
	return all
}

// table are the rows of the only file of a table.
func table[T any](t testing.TB, dir, name string) []T {
	t.Helper()
	all := files(t, dir, name)
	require.Len(t, all, 1)
	b, err := os.ReadFile(filepath.Join(dir, all[0]))
	require.NoError(t, err)
	read, err := parquet.Read[T](bytes.NewReader(b), int64(len(b)))
	require.NoError(t, err)
	return read
}

func run(t testing.TB, dir, from string, o lake.Options) lake.Result {
	t.Helper()
	res, err := lake.Run(t.Context(), dir, []string{from}, o)
	require.NoError(t, err)
	return res
}

// TestRows holds that a lake has the rows of cooking the logs of each machine together, by
// host and UTC date, whatever the number of workers.
func TestRows(t *testing.T) {
	in, out := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "out")
	fleet(t, in, 10)
	require.NoError(t, os.WriteFile(filepath.Join(in, "m0", "notes.txt"), []byte("hello"), 0o600))
	res := run(t, out, in, lake.Options{Workers: 1})
	require.Equal(t, 15, res.New)
	require.Equal(t, 1, res.Passed)
	require.Zero(t, res.Failed)
	require.Equal(t, cooked(t, in), rows(t, out))
	require.Len(t, cooked(t, in), int(res.All))
	dates, err := filepath.Glob(filepath.Join(out, "host=*", "date=*"))
	require.NoError(t, err)
	for i := range dates {
		dates[i], _ = filepath.Rel(out, dates[i])
	}
	require.Equal(t, []string{
		"host=sql%3A01/date=2020-03-18", "host=sql%3A01/date=2020-03-19", "host=web01/date=2020-03-18", "host=web01/date=2020-03-19",
		"host=web02/date=2020-03-18", "host=web02/date=2020-03-19",
	}, dates)

	other := filepath.Join(t.TempDir(), "other")
	run(t, other, in, lake.Options{Workers: 4})
	require.Equal(t, files(t, out, ""), files(t, other, ""))
	for _, name := range files(t, out, "") {
		a, err := os.ReadFile(filepath.Join(out, name))
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(other, name))
		require.NoError(t, err)
		require.True(t, bytes.Equal(a, b), name)
	}
}

// TestEveryNight adds to a lake what is new, and only that.
func TestEveryNight(t *testing.T) {
	in, out := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "out")
	for _, to := range []int{4, 4, 8, 10} {
		fleet(t, in, to)
		res := run(t, out, in, lake.Options{})
		require.Equal(t, cooked(t, in), rows(t, out), to)
		require.Equal(t, res.New, res.Cooked, "the logs before are not read again")
	}
	manifest := func() string {
		b, err := os.ReadFile(filepath.Join(out, "_lake", "manifest.jsonl"))
		require.NoError(t, err)
		return string(b)
	}
	rolled(t, filepath.Join(in, "m3", "f\xfcr.blg"), "web04", loggers+"4", 0, 2) // not UTF-8
	require.Equal(t, 1, run(t, out, in, lake.Options{}).New)
	before := manifest()
	res := run(t, out, in, lake.Options{})
	require.Zero(t, res.New+res.Cooked+res.Written)
	require.Equal(t, 16, res.Unchanged)
	require.Equal(t, before, manifest())

	// One that is touched is the same, and one of other bytes another one, in the middle
	// too if all are compared.
	touched := filepath.Join(in, "m1", "02.blg")
	require.NoError(t, os.Chtimes(touched, time.Now(), time.Now()))
	require.Zero(t, run(t, out, in, lake.Options{}).New)
	for range 2 {
		require.Zero(t, run(t, out, in, lake.Options{Verify: true}).New)
	}
	rolled(t, touched, "web02", loggers+"1", 2, 3)
	require.Equal(t, 1, run(t, out, in, lake.Options{}).New)
	require.Equal(t, cooked(t, in), rows(t, out))

	// What has vanished stays, unless it is to be forgotten.
	all := rows(t, out)
	require.NoError(t, os.Remove(filepath.Join(in, "m2", "08.blg")))
	require.Equal(t, 1, run(t, out, in, lake.Options{}).Gone)
	require.Equal(t, all, rows(t, out))
	require.Equal(t, 1, run(t, out, in, lake.Options{Prune: true}).Gone)
	require.Equal(t, cooked(t, in), rows(t, out))
}

// TestVerify changes a log in its middle: only a comparison of all bytes sees it.
func TestVerify(t *testing.T) {
	in, out := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "out")
	name := filepath.Join(in, "m0", "long.blg")
	rolled(t, name, "web01", loggers+"1", 0, 2000)
	run(t, out, in, lake.Options{Verify: true})
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	at := bytes.Index(b[len(b)/2:], []byte("s\x00q\x00l\x00s\x00")) + len(b)/2
	require.Greater(t, at, 64<<10)
	require.Less(t, at, len(b)-64<<10)
	b[at] = 'S'
	info, err := os.Stat(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, b, 0o600))
	require.NoError(t, os.Chtimes(name, info.ModTime(), info.ModTime()))
	require.Zero(t, run(t, out, in, lake.Options{}).New)
	require.NotEqual(t, cooked(t, in), rows(t, out))
	require.Equal(t, 1, run(t, out, in, lake.Options{Verify: true}).New)
	require.Equal(t, cooked(t, in), rows(t, out))
	require.Zero(t, run(t, out, in, lake.Options{Verify: true}).New)
}

// TestBadInputs has a log that is cut, one that is no log any more, and two machines of one
// name.
func TestBadInputs(t *testing.T) {
	in, out := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "out")
	rolled(t, filepath.Join(in, "a", "1.blg"), "web01", loggers+"1", 0, 4)
	rolled(t, filepath.Join(in, "b", "1.blg"), "web01", loggers+"2", 0, 4)
	rolled(t, filepath.Join(in, "c", "1.blg"), "web03", loggers+"3", 0, 4)
	rolled(t, filepath.Join(in, "e", "1.blg"), `../../../..\..\out`, loggers+"4", 0, 4)
	require.NoError(t, os.WriteFile(filepath.Join(in, "d.blg.gz"), []byte{0x1f, 0x8b, 8, 0, 0, 0}, 0o600))
	cut := filepath.Join(in, "c", "1.blg")
	b, err := os.ReadFile(cut)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(cut, b[:bytes.LastIndex(b, []byte("s\x00q\x00l\x00s\x00e\x00r\x00v\x00r\x00"))], 0o600))
	res := run(t, out, in, lake.Options{})
	require.Equal(t, 5, res.Inputs)
	require.Equal(t, 2, res.Failed)
	require.Len(t, files(t, filepath.Join(out, ".."), ""), len(files(t, out, "")), "nothing is outside of the lake")
	require.NoError(t, os.Rename(filepath.Join(in, "d.blg.gz"), filepath.Join(in, "..", "d")))
	require.Equal(t, cooked(t, in), rows(t, out))

	type failure struct {
		Input string `parquet:"input,optional"`
		Code  string `parquet:"code,optional"`
	}
	require.Equal(t, []failure{{cut, "lost"}, {filepath.Join(in, "d.blg.gz"), "truncated"}}, table[failure](t, out, "errors"))
	type machine struct {
		Host      string `parquet:"host,optional"`
		Recording string `parquet:"recording,optional"`
	}
	machines := table[machine](t, out, "machines")
	require.Len(t, machines, 4)
	require.Equal(t, machines[1].Host, machines[2].Host)
	require.Equal(t, []string{"web01"}, res.Overlaps)
	require.NotEqual(t, machines[1].Recording, machines[2].Recording)

	_, err = lake.Run(t.Context(), in, []string{out}, lake.Options{})
	require.ErrorContains(t, err, "is not empty and no lake")
}

// TestKilledRuns kills runs at random moments: the next one leaves what one run gives.
func TestKilledRuns(t *testing.T) {
	if in := os.Getenv("LAKE_IN"); in != "" {
		_, err := lake.Run(context.Background(), os.Getenv("LAKE_OUT"), []string{in}, lake.Options{})
		require.NoError(t, err)
		return
	}
	in, out := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "out")
	fleet(t, in, 6)
	run(t, out, in, lake.Options{})
	before := cooked(t, in)
	fleet(t, in, 60)
	after := cooked(t, in)
	kills := 6
	if os.Getenv("PERFDUMP_LONG") != "" {
		kills = 50
	}
	self, err := os.Executable()
	require.NoError(t, err)
	first := filepath.Join(t.TempDir(), "first")
	require.NoError(t, os.CopyFS(first, os.DirFS(out)))
	start := func() *exec.Cmd {
		cmd := exec.Command(self, "-test.run", "^TestKilledRuns$")
		cmd.Env = append(os.Environ(), "LAKE_IN="+in, "LAKE_OUT="+out)
		cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
		require.NoError(t, cmd.Start())
		return cmd
	}
	begin := time.Now()
	require.NoError(t, start().Wait())
	took, ended := time.Since(begin), 0
	for i := 0; i < kills; {
		if got := rowsOf(t, out, counted(t, out)); len(got) == len(before) {
			require.Equal(t, before, got)
		} else { // once more, from the beginning
			require.Equal(t, after, got)
			require.NoError(t, os.RemoveAll(out))
			require.NoError(t, os.CopyFS(out, os.DirFS(first)))
		}
		cmd := start()
		time.Sleep(rand.N(took))
		_ = cmd.Process.Kill()
		if cmd.Wait() == nil {
			ended++
		} else {
			i++
		}
	}
	t.Logf("%d runs killed, %d ended before", kills, ended)
	run(t, out, in, lake.Options{})
	require.Equal(t, after, rows(t, out))
	for _, name := range files(t, out, "") {
		require.NotContains(t, name, ".tmp-")
	}
}

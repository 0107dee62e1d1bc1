package fleet

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/lake"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	flag.Parse()
	Register()
	filesystem.Register("objects", func(context.Context) filesystem.Interface { return objects{} })
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler)) // an error of a run says the same
	os.Exit(m.Run())
}

// evening is 2020-03-18 23:55 in UTC, five minutes before another date, as a FILETIME.
const evening, minute = 132_290_493_000_000_000, 600_000_000

// rolled is a log of a machine: minutes from up to to of its recording, with processors that
// have much to do.
func rolled(t testing.TB, machine string, from, to, processors int) []byte {
	t.Helper()
	w := blgwriter.New(blgwriter.Options{LoggerName: "00000000-0000-0000-0000-0000000000" + machine[len(machine)-2:]})
	at := func(object, instance, counter string, typ countertypes.Type) blgwriter.Item {
		return blgwriter.Item{Path: pdhpath.Path{Machine: machine, Object: object, Instance: instance, HasInstance: instance != "", Counter: counter}, Type: typ, TimeBase: 10_000_000}
	}
	w.Items(evening+int64(from)*minute-10, at("Processor", "*", "% Processor Time", countertypes.PERF_100NSEC_TIMER_INV), at("Memory", "", "Available Bytes", countertypes.PERF_COUNTER_LARGE_RAWCOUNT))
	for i := from; i < to; i++ {
		when := evening + int64(i)*minute
		cpu := blgwriter.Series{Kind: blg.Instances, Local: when}
		for k := range processors {
			name := fmt.Sprint("0,", k)
			if k == 0 {
				name = "_Total"
			}
			cpu.Values = append(cpu.Values, blgwriter.Value{Name: name, Multi: 1, First: uint64(i * 1_000_000 * (k + 1)), Second: uint64(when)})
		}
		w.Sample(when, cpu, blgwriter.Series{Kind: blg.Single, Local: when, Values: []blgwriter.Value{{Multi: 1, First: uint64(4<<30 - i)}}})
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	return b
}

// logs are those of three machines up to a minute, by their names, with one that is cut, one
// that cannot be read, and one that is none.
func logs(t testing.TB, to int) map[string][]byte {
	t.Helper()
	all := map[string][]byte{"web01/notes.txt": []byte("hello"), "web01/bad.blg.gz": {0x1f, 0x8b, 8, 0, 0, 0}}
	for _, machine := range []string{"web01", "web02", "sql:03"} {
		for from := 0; from < to; from += 10 {
			all[strings.ReplaceAll(machine, ":", "")+fmt.Sprintf("/%02d.blg", from)] = rolled(t, machine, from, from+10, 3)
		}
	}
	b := rolled(t, "cut04", 0, 10, 3)
	all["cut04/00.blg"] = b[:bytes.LastIndex(b, []byte("0\x00,\x002\x00"))]
	return all
}

// folder writes logs into one.
func folder(t testing.TB, dir string, logs map[string][]byte) {
	t.Helper()
	for name, b := range logs {
		name = filepath.Join(dir, name)
		if _, err := os.Stat(name); err != nil {
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
			require.NoError(t, os.WriteFile(name, b, 0o600))
		}
	}
}

// run runs a pipeline and returns its counters.
func run(t testing.TB, o Options, check func(beam.Scope, Collections), globs ...string) (map[string]int64, error) {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	c := Build(s, globs, o)
	if check != nil {
		check(s, c)
	}
	r, err := beam.Run(context.Background(), "prism", p)
	if err != nil {
		return nil, err
	}
	got := map[string]int64{}
	for _, m := range r.Metrics().Query(func(metrics.SingleResult) bool { return true }).Counters() {
		got[m.Name()] += m.Result()
	}
	return got, nil
}

// files are those below a directory, with their bytes.
func files(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	if _, err := os.Stat(dir); err != nil {
		return all
	}
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, _ := filepath.Rel(dir, name)
		all[filepath.ToSlash(below)], err = os.ReadFile(name)
		return err
	}))
	return all
}

// same holds that a lake has the files of another one, byte by byte.
func same(t testing.TB, want, got map[string][]byte) {
	t.Helper()
	for name, b := range want {
		require.True(t, bytes.Equal(b, got[name]), "%s\n%s\n%s", name, text(name, b), text(name, got[name]))
	}
	require.Len(t, got, len(want))
}

func text(name string, b []byte) string {
	if strings.HasSuffix(name, ".jsonl") {
		return string(b)
	}
	return fmt.Sprint(len(b), " bytes")
}

// TestSame holds that a pipeline leaves the same lake as a run without one, in the first
// night, in the next ones, and when inputs have vanished.
func TestSame(t *testing.T) {
	in, want, got := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "lake"), filepath.Join(t.TempDir(), "lake")
	for night, to := range []int{20, 20, 40} {
		folder(t, in, logs(t, to))
		res, err := lake.Run(t.Context(), want, []string{in}, lake.Options{})
		require.NoError(t, err)
		n, err := run(t, Options{Dir: got}, nil, in+"/*/*")
		require.NoError(t, err)
		same(t, files(t, want), files(t, got))
		require.EqualValues(t, res.Inputs, n["inputs"], night)
		require.EqualValues(t, res.Cooked, n["pieces_cooked"], night)
		require.EqualValues(t, res.Rows, n["rows"], night)
		require.EqualValues(t, res.Failed, n[Bad], night)
		require.EqualValues(t, res.Passed, n["inputs_passed_over"], night)
	}
	require.NoError(t, os.Remove(filepath.Join(in, "web01", "20.blg")))
	for _, prune := range []bool{false, true} {
		_, err := lake.Run(t.Context(), want, []string{in}, lake.Options{Prune: prune})
		require.NoError(t, err)
		_, err = run(t, Options{Dir: got, Prune: prune}, nil, in)
		require.NoError(t, err)
		same(t, files(t, want), files(t, got))
	}
}

// TestCut cuts a log in a directory, and not the same one on a store. Beside it is one whose
// name is no UTF-8.
func TestCut(t *testing.T) {
	in, want, got := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "lake"), filepath.Join(t.TempDir(), "lake")
	folder(t, in, map[string][]byte{"long.blg": rolled(t, "web01", 0, 400, 100), "not UTF-8 \xff.blg": rolled(t, "web02", 0, 10, 3)})
	const piece = 256 << 10
	res, err := lake.Run(t.Context(), want, []string{in}, lake.Options{Piece: piece})
	require.NoError(t, err)
	require.Greater(t, res.Cooked, 3)
	n, err := run(t, Options{Dir: got, Piece: piece}, nil, in)
	require.NoError(t, err)
	require.EqualValues(t, res.Cooked, n["pieces_cooked"])
	same(t, files(t, want), files(t, got))
	n, err = run(t, Options{Dir: filepath.Join(t.TempDir(), "lake"), Piece: piece}, nil, scheme+in+"/*")
	require.NoError(t, err)
	require.EqualValues(t, 2, n["pieces_cooked"])
	require.EqualValues(t, res.Rows, n["rows"])

	_, err = run(t, Options{Dir: got, Prune: true}, nil, in+"/typo")
	require.ErrorContains(t, err, "typo")
}

// TestCollections looks at what a pipeline gives beside the files.
func TestCollections(t *testing.T) {
	in, out := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "lake")
	folder(t, in, logs(t, 20))
	_, err := run(t, Options{Dir: out}, func(s beam.Scope, c Collections) {
		passert.Count(s, c.Bad, "inputs", 2)
		passert.Count(s, c.Machines, "machines", 4)
		passert.Count(s, c.Findings, "findings", 7)
		passert.Count(s, c.Result, "result", 1)
	}, in)
	require.NoError(t, err)
}

// TestTwice gives every element of every step twice to the next one.
func TestTwice(t *testing.T) {
	in, want, got := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "lake"), filepath.Join(t.TempDir(), "lake")
	for _, to := range []int{20, 40} {
		folder(t, in, logs(t, to))
		res, err := lake.Run(t.Context(), want, []string{in}, lake.Options{})
		require.NoError(t, err)
		n, err := run(t, Options{Dir: got, each: func(s beam.Scope, c beam.PCollection) beam.PCollection { return beam.Flatten(s, c, c) }}, nil, in)
		require.NoError(t, err)
		require.EqualValues(t, 2*res.Cooked, n["pieces_cooked"])
		same(t, files(t, want), files(t, got))
	}
}

// TestFails has a run that writes files and fails at the tables.
func TestFails(t *testing.T) {
	in, want, got := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "lake"), filepath.Join(t.TempDir(), "lake")
	folder(t, in, logs(t, 20))
	_, err := lake.Run(t.Context(), want, []string{in}, lake.Options{})
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(got, "_lake"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(got, "machines"), nil, 0o600))
	_, err = run(t, Options{Dir: got}, nil, in)
	require.Error(t, err)
	left := files(t, got)
	require.NotContains(t, left, "_lake/manifest.jsonl")
	require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(left)), func(name string) bool { return strings.HasPrefix(name, "host=") }))
	require.NoError(t, os.Remove(filepath.Join(got, "machines")))
	_, err = run(t, Options{Dir: got}, nil, in)
	require.NoError(t, err)
	same(t, files(t, want), files(t, got))
}

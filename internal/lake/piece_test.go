package lake_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/lake"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
)

// long is a log of a machine with processes that come and go, a sample a buffer.
type long struct {
	from, to int
	late     bool // its lists are behind the samples, as Windows Server 2019 writes them
	again    int  // the sample before which another list of items is, 0 for none
}

const bufferSize = 0x800

func (l long) bytes(t testing.TB) []byte {
	t.Helper()
	w := blgwriter.New(blgwriter.Options{LoggerName: loggers + "7", BufferSize: bufferSize})
	at := func(object, instance, counter string, typ countertypes.Type) blgwriter.Item {
		return blgwriter.Item{Path: pdhpath.Path{Machine: "web07", Object: object, Instance: instance, HasInstance: instance != "", Counter: counter}, Type: typ, TimeBase: 10_000_000}
	}
	lists := func(i int) {
		w.Items(evening+int64(i)*minute-10,
			at("Process", "*", "% Processor Time", countertypes.PERF_100NSEC_TIMER), at("Process", "*", "ID Process", countertypes.PERF_COUNTER_RAWCOUNT), at("Memory", "", "Available Bytes", countertypes.PERF_COUNTER_LARGE_RAWCOUNT))
	}
	if !l.late {
		lists(l.from)
	}
	for i := l.from; i < l.to; i++ {
		w.NextBuffer()
		if i == l.again && i > 0 {
			w.Items(evening+int64(i)*minute-10,
				at("Process", "*", "% User Time", countertypes.PERF_100NSEC_TIMER), at("Memory", "", "Available Bytes", countertypes.PERF_COUNTER_LARGE_RAWCOUNT))
		}
		when := evening + int64(i)*minute
		cpu, pid := blgwriter.Series{Kind: blg.Instances, Local: when}, blgwriter.Series{Kind: blg.Instances, Local: when}
		for k, process := range []string{"_Total", "sqlservr", "backup", "often", "web"} {
			if k == 2 && i%3 == 0 || k == 3 && i%7 > 1 {
				continue
			}
			id := uint64(10 * k)
			if k == 4 {
				id += uint64(i / 9) // another one of this name
			}
			cpu.Values = append(cpu.Values, blgwriter.Value{Name: process, Multi: 1, First: uint64(i * i * 1_000_000 * (k + 1)), Second: uint64(when)})
			pid.Values = append(pid.Values, blgwriter.Value{Name: process, Multi: 1, First: id})
		}
		memory := blgwriter.Series{Kind: blg.Single, Local: when, Values: []blgwriter.Value{{Multi: 1, First: uint64(4<<30) - uint64(i)}}}
		if l.again > 0 && i >= l.again {
			w.Sample(when, cpu, memory)
		} else {
			w.Sample(when, cpu, pid, memory)
		}
	}
	if l.late {
		w.NextBuffer()
		lists(l.to)
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	return b
}

func (l long) write(t testing.TB, name string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, l.bytes(t), 0o600))
}

// TestPieces cuts logs at every sample, and less often: the rows are those of one log.
func TestPieces(t *testing.T) {
	const samples = 40
	whole := filepath.Join(t.TempDir(), "in")
	long{to: samples}.write(t, filepath.Join(whole, "m", "1.blg"))
	want := cooked(t, whole)
	for _, late := range []bool{false, true} {
		for _, logs := range []int{1, 3} {
			in := filepath.Join(t.TempDir(), "in")
			for i := range logs {
				long{from: i * samples / logs, to: (i + 1) * samples / logs, late: late}.write(t, filepath.Join(in, "m", fmt.Sprint(i, ".blg")))
			}
			for _, size := range []int64{1, 3} {
				name := fmt.Sprintf("late %t, %d logs, %d samples a piece", late, logs, size)
				out := filepath.Join(t.TempDir(), "out")
				res := run(t, out, in, lake.Options{Piece: size * bufferSize})
				require.Zero(t, res.Failed, name)
				require.Equal(t, want, rows(t, out), name)
				require.GreaterOrEqual(t, res.Cooked, samples/int(size)-2*logs, name)
				require.Zero(t, run(t, out, in, lake.Options{Piece: size * bufferSize}).Cooked)
			}
		}
	}
}

// TestGrown lets a log grow, by whole buffers and cut off within one: what was read before
// stays as it is, and the rows are those of the log.
func TestGrown(t *testing.T) {
	for _, size := range []int64{4, 20} {
		in, out := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "out")
		name := filepath.Join(in, "m", "1.blg")
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		all := long{to: 60}.bytes(t)
		var before []string
		for i, n := range []int{20 * bufferSize, 21 * bufferSize, 35*bufferSize + 400, 40 * bufferSize, len(all)} {
			b := slices.Clone(all[:n])
			b[0x48+0x20+0x10] = byte(i) // the header changes as the log grows
			require.NoError(t, os.WriteFile(name, b, 0o600))
			res := run(t, out, in, lake.Options{Piece: size * bufferSize})
			require.Equal(t, cooked(t, in), rows(t, out))
			now := counted(t, out)
			cut := n%bufferSize > 0
			require.Equal(t, cut, res.Failed == 1)
			if i > 0 {
				require.Less(t, int(res.Rows), len(rows(t, out)), "not all was read again")
			}
			if i > 0 && i != 3 { // there the last piece is read again, as it was cut off
				require.Subset(t, now, before)
			}
			before = now
		}
	}
}

// TestRelisted has a log whose list of items changes within it: its pieces do not know that,
// so it is read as a whole.
func TestRelisted(t *testing.T) {
	in, out := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "out")
	long{to: 60, again: 30}.write(t, filepath.Join(in, "m", "1.blg"))
	res := run(t, out, in, lake.Options{Piece: 5 * bufferSize})
	require.Zero(t, res.Failed)
	require.Equal(t, cooked(t, in), rows(t, out))
	require.Equal(t, rows(t, out), rowsOf(t, out, counted(t, out)))
	require.Zero(t, run(t, out, in, lake.Options{Piece: 5 * bufferSize}).Cooked)

	shards := filepath.Join(t.TempDir(), "out")
	for i := range 2 {
		run(t, shards, in, lake.Options{Piece: 5 * bufferSize, Shard: i + 1, Shards: 2})
	}
	res, err := lake.CommitShards(shards, lake.Options{Piece: 5 * bufferSize})
	require.NoError(t, err)
	require.Equal(t, 1, res.Failed)
	require.Empty(t, counted(t, shards))
	run(t, shards, in, lake.Options{Piece: 5 * bufferSize})
	require.Equal(t, rows(t, out), rows(t, shards))
}

// TestShards cooks the logs of three machines by four shards at a time, again after one was
// killed: the lake is that of one run.
func TestShards(t *testing.T) {
	in, one, out := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "out")
	fleet(t, in, 8)
	long{to: 60}.write(t, filepath.Join(in, "m7", "1.blg"))
	require.NoError(t, os.WriteFile(filepath.Join(in, "d.blg.gz"), []byte{0x1f, 0x8b, 8, 0, 0, 0}, 0o600))
	o := lake.Options{Piece: 5 * bufferSize}
	run(t, one, in, o)
	_, err := lake.CommitShards(out, o)
	require.ErrorContains(t, err, "no shard has been run")
	shard := func(i int) {
		o := o
		o.Shard, o.Shards = i, 4
		_, err := lake.Run(t.Context(), out, []string{in}, o)
		require.NoError(t, err)
	}
	shard(1)
	_, err = lake.CommitShards(out, o)
	require.ErrorContains(t, err, "shard 2 of 4 has not ended")
	done := make(chan bool)
	for i := range 4 {
		go func() {
			defer func() { done <- true }()
			shard(i + 1)
		}()
	}
	for range 4 {
		<-done
	}
	res, err := lake.CommitShards(out, o)
	require.NoError(t, err)
	require.Equal(t, 1, res.Failed)
	require.Equal(t, files(t, one, ""), files(t, out, ""))
	for _, name := range files(t, one, "") {
		a, err := os.ReadFile(filepath.Join(one, name))
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(out, name))
		require.NoError(t, err)
		require.Equal(t, string(a), string(b), name)
	}
	shard(1)
	fleet(t, in, 10)
	for i := range 3 {
		shard(i + 2)
	}
	_, err = lake.CommitShards(out, o)
	require.ErrorContains(t, err, "had different inputs")
	shard(1)
	_, err = lake.CommitShards(out, o)
	require.NoError(t, err)
	run(t, one, in, o)
	require.Equal(t, rows(t, one), rows(t, out))
	require.Zero(t, run(t, out, in, o).Cooked)
}

// TestVanishes goes the way of engines that share out work, with pieces and what they gave as
// JSON: one piece is made twice, and a log vanishes before it is read.
func TestVanishes(t *testing.T) {
	in, one, out := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "out")
	fleet(t, in, 6)
	gone := filepath.Join(in, "m1", "04.blg")
	run(t, one, in, lake.Options{})
	night := func() (*lake.Lake, []*lake.Made) {
		l, err := lake.Open(out, lake.Options{})
		require.NoError(t, err)
		paths, err := filepath.Glob(filepath.Join(in, "*", "*.blg"))
		require.NoError(t, err)
		var found []*lake.Input
		for _, path := range paths {
			found = append(found, asJSON(t, lake.Look(path, l.Known(path), lake.Options{})))
		}
		var made []*lake.Made
		for _, p := range l.Take(paths, found) {
			if len(made) == 0 {
				require.NoError(t, os.Rename(gone, gone+".away"))
			}
			for range 2 {
				m, err := lake.Cook(t.Context(), out, asJSON(t, p), lake.Options{})
				require.NoError(t, err)
				made = append(made, asJSON(t, m))
			}
			made = made[:len(made)-1]
		}
		require.NoError(t, l.Commit(made))
		return l, made
	}
	l, made := night()
	require.Len(t, made, 9)
	require.Equal(t, 1, l.Result().Failed)
	require.Less(t, len(rows(t, out)), len(rows(t, one)))
	require.Subset(t, rows(t, one), rows(t, out))
	type failure struct {
		Input string `parquet:"input,optional"`
		Code  string `parquet:"code,optional"`
	}
	require.Equal(t, []failure{{gone, "io"}}, table[failure](t, out, "errors"))

	require.NoError(t, os.Rename(gone+".away", gone))
	gone += ".none"
	require.NoError(t, os.WriteFile(gone, nil, 0o600))
	_, made = night()
	require.Len(t, made, 1, "what could not be read is tried again")
	require.Equal(t, rows(t, one), rows(t, out))
}

func asJSON[T any](t testing.TB, v T) (again T) {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &again))
	return again
}

package parquet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/export/parquet"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

var at = time.Date(2020, 3, 18, 19, 5, 41, 123_456_000, time.UTC)

func frames() []capture.Frame {
	a := &capture.Series{
		ID:     0,
		Owner:  &capture.Owner{Host: "web01", Object: "Processor", Instance: "_Total", HasInstance: true, ObjectIndex: 238},
		Metric: &capture.Metric{Counter: "% Processor Time", CounterIndex: 6},
	}
	b := &capture.Series{
		ID:     2,
		Owner:  &capture.Owner{Object: "日本\xff", Parent: "p", HasParent: true, Instance: "x", HasInstance: true, InstanceIndex: 3},
		Metric: &capture.Metric{Counter: "C"},
	}
	c := &capture.Series{ID: 1, Owner: &capture.Owner{Host: "web01", Object: "Memory"}, Metric: &capture.Metric{Counter: "Pages/sec"}}
	return []capture.Frame{
		{Time: at, Offset: capture.Offset{East: time.Hour, Known: true}, Source: "x.blg", Cells: []capture.Cell{{Series: a, Status: countertypes.StatusNeedsSecondSample}, {Series: c, Value: 0.1}}, Tuples: []capture.Tuple{{PID: 4242}, {PID: 1 << 63}}},
		{Record: 1, Source: "x.blg", Cells: []capture.Cell{{Series: a, Value: -1e300}, {Series: b, Value: 5, PDH: 0xC0000BBA}, {Series: c, Status: countertypes.StatusText}}, Texts: map[*capture.Series]string{c: "日\xff"}},
	}
}

func cooked(t testing.TB, o parquet.Options, frames ...capture.Frame) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := parquet.NewCooked(&b, o)
	require.NoError(t, err)
	for i := range frames {
		require.NoError(t, w.WriteFrame(&frames[i]))
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// read returns the rows of a file as text, null as "null".
func read(t testing.TB, b []byte) (schema string, rows [][]string) {
	t.Helper()
	f, err := pq.OpenFile(bytes.NewReader(b), int64(len(b)))
	require.NoError(t, err)
	for _, g := range f.RowGroups() {
		r := g.Rows()
		buf := make([]pq.Row, 16)
		for {
			n, err := r.ReadRows(buf)
			for _, row := range buf[:n] {
				var texts []string
				for i, v := range row {
					l := f.Schema().Fields()[i].Type().LogicalType()
					unsigned := false
					if l != nil {
						integer, ok := l.Value.(*format.IntType)
						unsigned = ok && !integer.IsSigned
					}
					switch {
					case v.IsNull():
						texts = append(texts, "null")
					case unsigned && v.Kind() == pq.Int32:
						texts = append(texts, strconv.FormatUint(uint64(v.Uint32()), 10))
					case unsigned:
						texts = append(texts, strconv.FormatUint(v.Uint64(), 10))
					default:
						texts = append(texts, v.String())
					}
				}
				rows = append(rows, texts)
			}
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
		}
		require.NoError(t, r.Close())
	}
	return f.Schema().String(), rows
}

func TestCooked(t *testing.T) {
	for _, c := range parquet.Compressions() {
		b := cooked(t, parquet.Options{Compression: c, Columns: export.CookedColumns(), Metadata: map[string]string{"source": "x.blg"}}, frames()...)
		schema, rows := read(t, b)
		assert.Contains(t, schema, "optional int64 time (TIMESTAMP(isAdjustedToUTC=true,unit=MICROS))")
		assert.Contains(t, schema, "required binary path (STRING)")
		assert.Contains(t, schema, "optional int64 pid (INT(64,true))")
		assert.Contains(t, schema, "optional int64 time_local (TIMESTAMP(isAdjustedToUTC=false,unit=MICROS))")
		us, local := strconv.FormatInt(at.UnixMicro(), 10), strconv.FormatInt(at.Add(time.Hour).UnixMicro(), 10)
		assert.Equal(t, [][]string{
			{us, "web01", "Processor", "null", "_Total", "0", "% Processor Time", `\\web01\Processor(_Total)\% Processor Time`, "null", "needs-second-sample", "null", "null", local, "-60", "0", "238", "6", "x.blg", "4242"},
			{us, "web01", "Memory", "null", "null", "0", "Pages/sec", `\\web01\Memory\Pages/sec`, "0.1", "ok", "null", "0", local, "-60", "0", "null", "null", "x.blg", "null"},
			{"null", "web01", "Processor", "null", "_Total", "0", "% Processor Time", `\\web01\Processor(_Total)\% Processor Time`, "-1e+300", "ok", "null", "0", "null", "null", "1", "238", "6", "x.blg", "null"},
			{"null", "", "日本\ufffd", "p", "x", "3", "C", "\\日本\ufffd(p/x#3)\\C", "null", "invalid-data", "null", "3221228474", "null", "null", "1", "null", "null", "x.blg", "null"},
			{"null", "web01", "Memory", "null", "null", "0", "Pages/sec", `\\web01\Memory\Pages/sec`, "null", "text", "日\ufffd", "null", "null", "null", "1", "null", "null", "x.blg", "null"},
		}, rows)
		f, err := pq.OpenFile(bytes.NewReader(b), int64(len(b)))
		require.NoError(t, err)
		v, ok := f.Lookup("source")
		assert.True(t, ok)
		assert.Equal(t, "x.blg", v)
	}
}

func TestRefusals(t *testing.T) {
	_, err := parquet.NewCooked(io.Discard, parquet.Options{Compression: "lzo"})
	assert.ErrorContains(t, err, "zstd, snappy, none")
	_, err = parquet.NewRaw(io.Discard, parquet.Options{Columns: []string{"path"}})
	assert.ErrorContains(t, err, "path")
}

func TestPartition(t *testing.T) {
	assert.Equal(t, "host=web01/date=2020-03-18", parquet.Partition("web01", at))
	assert.Equal(t, "host=..%2F..%2Fetc/date=__HIVE_DEFAULT_PARTITION__", parquet.Partition("../../etc", time.Time{}))
	assert.Equal(t, "host=%5Bfe80%3A%3A1%5D%3A9%3D%3Cx%3E/date=2020-03-18", parquet.Partition("[fe80::1]:9=<x>", at))
	assert.Equal(t, "host=__HIVE_DEFAULT_PARTITION__/date=2020-03-18", parquet.Partition("", at))

	// A folder's name has 255 bytes at most.
	for _, long := range []string{strings.Repeat("h", 300), strings.Repeat("ä", 300), strings.Repeat("%", 90) + "\xff"} {
		a, b := parquet.Partition(long+"1", at), parquet.Partition(long+"2", at)
		assert.NotEqual(t, a, b)
		name, _, _ := strings.Cut(a, "/")
		assert.LessOrEqual(t, len(name), 255)
		back, err := url.PathUnescape(strings.TrimPrefix(name, "host="))
		require.NoError(t, err)
		head, _, _ := strings.Cut(back, "~")
		assert.True(t, strings.HasPrefix(long, head) && len(head) > 20, back)
	}

	// Each host has a folder of its own, which no system changes or refuses, and
	// which says the host's name.
	folders := map[string]bool{parquet.Partition("", at): true}
	for _, host := range []string{
		".", "..", "...", "a", "a.", "a..", "a.b", "a%2E", " a", "a ", "CON", "con", "NUL.txt", "COM1", "__HIVE_DEFAULT_PARTITION__",
		"_", `a\b`, "a/b", "a:b", "a=b", "a*?\"<>|b", "a\x00\n", "ä", "50%", "host=a",
	} {
		folder := parquet.Partition(host, at)
		assert.False(t, folders[folder], host)
		folders[folder] = true
		name, date, _ := strings.Cut(folder, "/")
		assert.Equal(t, "date=2020-03-18", date)
		assert.NotRegexp(t, "[\\x00-\\x20<>:\"/\\\\|?*\\x7f-\\x{10ffff}]|[. ]$", name)
		assert.NotRegexp(t, `(?i)^(CON|PRN|AUX|NUL|COM\d|LPT\d)(\.|$)`, name)
		back, err := url.PathUnescape(strings.TrimPrefix(name, "host="))
		require.NoError(t, err)
		assert.Equal(t, host, back)
	}
}

// TestRowGroups holds that all rows arrive in their order, however many there
// are, in groups of the size that the package gives.
func TestRowGroups(t *testing.T) {
	series := frames()[0].Cells[1].Series
	for n, want := range map[int][]int64{0: nil, 1: {1}, 63: {63}, 64: {64}, 65: {65}, 200: {200}, 300_000: {128 << 10, 128 << 10, 300_000 - 256<<10}} {
		f := capture.Frame{}
		for i := range n {
			f.Cells = append(f.Cells, capture.Cell{Series: series, Value: float64(i)})
		}
		b := cooked(t, parquet.Options{}, f)
		file, err := pq.OpenFile(bytes.NewReader(b), int64(len(b)))
		require.NoError(t, err)
		var sizes []int64
		for _, g := range file.RowGroups() {
			sizes = append(sizes, g.NumRows())
		}
		assert.Equal(t, want, sizes)
		if n < 1000 {
			_, rows := read(t, b)
			for i := range rows {
				require.Equal(t, strconv.Itoa(i), rows[i][8])
			}
		}
	}
}

// TestManySeries holds that each row has its own names, also where there are more
// of them than are kept.
func TestManySeries(t *testing.T) {
	metric := &capture.Metric{Counter: "C"}
	var cells []capture.Cell
	for i := range 20_000 {
		owner := &capture.Owner{Host: "h", Object: "O", Instance: fmt.Sprint("i", i), HasInstance: true, InstanceIndex: i}
		cells = append(cells, capture.Cell{Series: &capture.Series{ID: i, Owner: owner, Metric: metric}, Value: float64(i)})
	}
	_, rows := read(t, cooked(t, parquet.Options{}, capture.Frame{Cells: cells}, capture.Frame{Cells: cells}))
	require.Len(t, rows, 2*len(cells))
	for i, row := range rows {
		s, n := cells[i%len(cells)].Series, strconv.Itoa(i%len(cells))
		require.Equal(t, []string{"null", "h", "O", "null", "i" + n, n, "C", s.Path(), n, "ok"}, row)
	}
}

// TestMemoryOfNames wants rows of very many instances, and of few with very long
// names, to leave little behind.
func TestMemoryOfNames(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	inUse := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	metric := &capture.Metric{Counter: "C"}
	for _, x := range []struct{ owners, each, name int }{
		{200_000, 1, 1}, // more instances than are kept
		{1, 300_000, 1}, // more paths
		{1_000, 1, 32 << 10},
	} {
		owners, object := make([]capture.Owner, x.owners), strings.Repeat("o", x.name)
		before := inUse()
		w, err := parquet.NewCooked(io.Discard, parquet.Options{})
		require.NoError(t, err)
		s := &capture.Series{Metric: metric}
		f := &capture.Frame{Cells: []capture.Cell{{Series: s}}}
		for i := range owners {
			owners[i] = capture.Owner{Object: object}
			s.Owner = &owners[i]
			for range x.each {
				require.NoError(t, w.WriteFrame(f))
				s.ID += 4
			}
		}
		require.NoError(t, w.Close())
		after := inUse()
		require.Less(t, after-min(after, before), uint64(38<<20), x) // buffers have 25 MB of them
		runtime.KeepAlive(w)
		runtime.KeepAlive(owners)
	}
}

// TestAllocOfKnownNames wants names to be made once where there is room for them.
func TestAllocOfKnownNames(t *testing.T) {
	if perftest.Race {
		t.Skip("counts of allocations mean nothing under the race detector")
	}
	metric := &capture.Metric{Counter: "C"}
	f := &capture.Frame{}
	for i := range 1000 {
		owner := &capture.Owner{Object: "O", Instance: fmt.Sprint("i", i), HasInstance: true}
		f.Cells = append(f.Cells, capture.Cell{Series: &capture.Series{ID: i, Owner: owner, Metric: metric}})
	}
	w, err := parquet.NewCooked(io.Discard, parquet.Options{})
	require.NoError(t, err)
	require.Less(t, testing.AllocsPerRun(10, func() { require.NoError(t, w.WriteFrame(f)) }), float64(len(f.Cells)))
}

type failing struct{ after int }

func (f *failing) Write(b []byte) (int, error) {
	if f.after -= len(b); f.after < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

// TestErrorsOfTheOutput holds that an error of the output ends the writing,
// whenever it comes.
func TestErrorsOfTheOutput(t *testing.T) {
	f := frames()[0]
	for len(f.Cells) < 140_000 { // more than a group
		f.Cells = append(f.Cells, f.Cells[1])
	}
	for _, after := range []int{0, 3, 100, 1000, 2000, 4000} {
		w, err := parquet.NewCooked(&failing{after}, parquet.Options{Compression: "none"})
		require.NoError(t, err)
		require.ErrorIs(t, errors.Join(w.WriteFrame(&f), w.Close()), io.ErrShortWrite)
	}
}

// TestForeignReader reads files by a library that has nothing in common with
// the writer's.
func TestForeignReader(t *testing.T) {
	tools, err := filepath.Abs("../../tools")
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "parquetcat")
	build := exec.Command("go", "build", "-C", tools, "-o", program, "./parquetcat")
	build.Env = append(os.Environ(), "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("tools/parquetcat cannot be built, which wants modules of its own: %v: %s", err, out)
	}
	for i, c := range slices.Concat(parquet.Compressions(), []string{"", "none"}) {
		file := filepath.Join(t.TempDir(), "x.parquet")
		all := frames()
		if i >= len(parquet.Compressions()) {
			all = random(uint64(i))
		}
		b := cooked(t, parquet.Options{Compression: c}, all...)
		require.NoError(t, os.WriteFile(file, b, 0o600))
		out, err := exec.Command(program, file).Output()
		require.NoError(t, err)
		var want strings.Builder
		_, rows := read(t, b)
		for _, row := range rows {
			for i, name := range []string{"time", "host", "object", "parent", "instance", "instance_index", "counter", "path", "value", "status"} {
				if row[i] != "null" {
					fmt.Fprintf(&want, "%s = %s\n", name, row[i])
				}
			}
			want.WriteByte('\n')
		}
		assert.Equal(t, want.String(), string(out))
	}
}

// random returns frames of random series, values and gaps, some in long runs.
func random(seed uint64) []capture.Frame {
	r := rand.New(rand.NewPCG(seed, 1))
	var all []*capture.Series
	for i := range 1 + r.IntN(300) {
		o := &capture.Owner{Host: fmt.Sprint("h", r.IntN(3)), Object: fmt.Sprint("O", r.IntN(9)), HasInstance: r.IntN(2) == 0, InstanceIndex: r.IntN(4)}
		if o.HasInstance {
			o.Instance, o.HasParent = strings.Repeat("x", r.IntN(200)), r.IntN(3) == 0
		}
		all = append(all, &capture.Series{ID: i, Owner: o, Metric: &capture.Metric{Counter: fmt.Sprint("C", i)}})
	}
	frames := make([]capture.Frame, r.IntN(60))
	for n := range frames {
		f := &frames[n]
		if f.Source = "x"; r.IntN(9) > 0 {
			f.Time = at.Add(time.Duration(n) * time.Second)
		}
		sparse := r.IntN(4)
		for _, s := range all {
			c := capture.Cell{Series: s, Value: []float64{0, math.Copysign(0, -1), r.NormFloat64(), math.MaxFloat64, float64(r.IntN(3))}[r.IntN(5)]}
			if r.IntN(4) < sparse {
				c.Status = countertypes.Status(r.IntN(6))
			}
			f.Cells = append(f.Cells, c)
		}
	}
	return frames
}

// TestRandomTables holds that each value and each gap comes back, whatever the runs.
func TestRandomTables(t *testing.T) {
	for seed := range uint64(30) {
		frames := random(seed)
		var want [][]string
		for i := range frames {
			at := "null"
			if f := &frames[i]; !f.Time.IsZero() {
				at = strconv.FormatInt(f.Time.UnixMicro(), 10)
			}
			for _, c := range frames[i].Cells {
				s, value := c.Series, "null"
				if v, ok := c.Number(); ok {
					value = strconv.FormatFloat(v, 'g', -1, 64)
				}
				parent, instance := "null", "null"
				if s.HasParent {
					parent = s.Parent
				}
				if s.HasInstance {
					instance = s.Instance
				}
				want = append(want, []string{at, s.Host, s.Object, parent, instance, strconv.Itoa(s.InstanceIndex), s.Counter, s.Path(), value, c.EffectiveStatus().String()})
			}
		}
		_, got := read(t, cooked(t, parquet.Options{}, frames...))
		require.Equal(t, want, got, seed)
	}
}

// TestEdges holds that a group says which values it has, so that readers skip it.
func TestEdges(t *testing.T) {
	b := cooked(t, parquet.Options{Version: "(1.2)"}, frames()...)
	f, err := pq.OpenFile(bytes.NewReader(b), int64(len(b)))
	require.NoError(t, err)
	assert.Equal(t, "perfdump version 1.2", f.Metadata().CreatedBy)
	edges := map[string][2]string{}
	nulls := map[string]int64{}
	for _, c := range f.Metadata().RowGroups[0].Columns {
		m := c.MetaData
		edges[m.PathInSchema[0]] = [2]string{string(m.Statistics.MinValue), string(m.Statistics.MaxValue)}
		nulls[m.PathInSchema[0]] = m.Statistics.NullCount
	}
	assert.Equal(t, [2]string{"", "web01"}, edges["host"])
	assert.Equal(t, [2]string{"Memory", "日本\ufffd"}, edges["object"])
	assert.Equal(t, [2]string{"% Processor Time", "Pages/sec"}, edges["counter"])
	low, high := math.Float64frombits(binary.LittleEndian.Uint64([]byte(edges["value"][0]))), math.Float64frombits(binary.LittleEndian.Uint64([]byte(edges["value"][1])))
	assert.Equal(t, [2]float64{-1e300, 0.1}, [2]float64{low, high})
	assert.Equal(t, int64(3), nulls["value"])
	assert.Equal(t, int64(3), nulls["time"])
}

// TestRaw holds what raw rows have, on request too.
func TestRaw(t *testing.T) {
	rows := []capture.Row{
		{Time: at, Offset: capture.Offset{East: -8 * time.Hour, Known: true}, Counter: "C", Type: 0x80000000, First: math.MaxUint64, Second: 7, Multi: 3, TimeBase: 10},
		{Time: at, NoType: true, NoFirst: true, NoSecond: true, NoMulti: true, PDH: 0x800007D5},
		{NoFirst: true},
	}
	var b bytes.Buffer
	w, err := parquet.NewRaw(&b, parquet.Options{Columns: []string{"pdh_status", "time_local", "utc_offset_min"}})
	require.NoError(t, err)
	require.NoError(t, w.WriteRows(func(yield func(*capture.Row) bool) {
		_ = yield(&rows[0]) && yield(&rows[1]) && yield(&rows[2])
	}))
	require.NoError(t, w.Flush())
	require.NoError(t, w.Close())
	schema, got := read(t, b.Bytes())
	assert.Contains(t, schema, "optional int64 first (INT(64,false))")
	assert.Contains(t, schema, "optional int64 time_local (TIMESTAMP(isAdjustedToUTC=false,unit=MICROS))")
	local := func(east time.Duration) string { return strconv.FormatInt(at.Add(east).UnixMicro(), 10) }
	require.Len(t, got, len(rows))
	assert.Equal(t, []string{"C", "2147483648", "18446744073709551615", "7", "3", "10", "0", local(-8 * time.Hour), "480"}, got[0][6:])
	assert.Equal(t, []string{"", "null", "null", "null", "null", "0", "2147485653", local(0), "null"}, got[1][6:])
	assert.Equal(t, []string{"null", "null", "null"}, got[2][12:])
}

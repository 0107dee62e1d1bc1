package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/export/parquet"
	"github.com/perfdump/perfdump/internal/perftest"
)

var (
	_ export.FrameWriter = (*parquet.Cooked)(nil)
	_ export.Writer      = (*parquet.Raw)(nil)
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

func cooked(t testing.TB, o parquet.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := parquet.NewCooked(&b, o)
	require.NoError(t, err)
	for _, f := range frames() {
		require.NoError(t, w.WriteFrame(&f))
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
		b := cooked(t, parquet.Options{Compression: c, Columns: export.CookedOnRequest(), Metadata: map[string]string{"source": "x.blg"}})
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

// TestColumnsAreThoseOfCSV holds that the three long forms have the same names.
func TestColumnsAreThoseOfCSV(t *testing.T) {
	var b, c bytes.Buffer
	w, err := parquet.NewRaw(&b, parquet.Options{Columns: export.OnRequest()})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	f, err := pq.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	require.NoError(t, err)
	rows, err := export.NewRows(&c, "csv", export.OnRequest()...)
	require.NoError(t, err)
	require.NoError(t, rows.Flush())
	var names []string
	for _, field := range f.Schema().Fields() {
		names = append(names, field.Name())
	}
	assert.Equal(t, strings.TrimSpace(c.String()), strings.Join(names, ","))

	b2 := cooked(t, parquet.Options{Columns: export.CookedOnRequest()})
	f, err = pq.OpenFile(bytes.NewReader(b2), int64(len(b2)))
	require.NoError(t, err)
	c.Reset()
	cooked, err := export.NewCooked(&c, "csv", export.CookedOptions{Columns: export.CookedOnRequest()})
	require.NoError(t, err)
	require.NoError(t, cooked.Close())
	names = nil
	for _, field := range f.Schema().Fields() {
		names = append(names, field.Name())
	}
	assert.Equal(t, strings.TrimSpace(c.String()), strings.Join(names, ","))
}

func TestRaw(t *testing.T) {
	in, err := detect.Open("../../testdata/captures/basic-x86_64-1.bin", detect.Options{})
	require.NoError(t, err)
	for s, err := range capture.Read(in, capture.Options{}) {
		require.NoError(t, err)
		var b bytes.Buffer
		w, err := parquet.NewRaw(&b, parquet.Options{Columns: []string{"text"}})
		require.NoError(t, err)
		require.NoError(t, w.Write(s))
		require.NoError(t, w.Flush())
		require.NoError(t, w.Close())
		schema, rows := read(t, b.Bytes())
		assert.Contains(t, schema, "optional int64 first (INT(64,false))")
		n := 0
		for r := range s.Rows() {
			row := rows[n]
			n++
			assert.Equal(t, r.Counter, row[6])
			assert.Equal(t, strconv.FormatUint(uint64(r.Type), 10), row[7])
			if r.NoFirst {
				assert.Equal(t, "null", row[8])
			} else {
				assert.Equal(t, strconv.FormatUint(r.First, 10), row[8])
			}
			if r.NoSecond {
				assert.Equal(t, "null", row[9])
			}
		}
		assert.Len(t, rows, n)
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

// TestRowGroups holds that a file has groups of the size that is told.
func TestRowGroups(t *testing.T) {
	var b bytes.Buffer
	w, err := parquet.NewCooked(&b, parquet.Options{})
	require.NoError(t, err)
	f := frames()[0]
	for len(f.Cells) < 1000 {
		f.Cells = append(f.Cells, f.Cells[1])
	}
	for range 300 {
		require.NoError(t, w.WriteFrame(&f))
	}
	require.NoError(t, w.Close())
	file, err := pq.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	require.NoError(t, err)
	var sizes []int64
	for _, g := range file.RowGroups() {
		sizes = append(sizes, g.NumRows())
	}
	assert.Equal(t, []int64{128 << 10, 128 << 10, 300_000 - 256<<10}, sizes)
}

// TestBatches holds that all rows arrive in their order, however many there are.
func TestBatches(t *testing.T) {
	series := frames()[0].Cells[1].Series
	for _, n := range []int{0, 1, 63, 64, 65, 128, 200} {
		var b bytes.Buffer
		w, err := parquet.NewCooked(&b, parquet.Options{})
		require.NoError(t, err)
		for i := range n {
			require.NoError(t, w.WriteFrame(&capture.Frame{Cells: []capture.Cell{{Series: series, Value: float64(i)}}}))
		}
		require.NoError(t, w.Close())
		_, rows := read(t, b.Bytes())
		require.Len(t, rows, n)
		for i := range rows {
			require.Equal(t, strconv.Itoa(i), rows[i][8])
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
	var b bytes.Buffer
	w, err := parquet.NewCooked(&b, parquet.Options{})
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, w.WriteFrame(&capture.Frame{Cells: cells}))
	}
	require.NoError(t, w.Close())
	_, rows := read(t, b.Bytes())
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
		t.Logf("%+v: %d KiB", x, (after-min(after, before))>>10)
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
	for len(f.Cells) < 1000 {
		f.Cells = append(f.Cells, f.Cells[1])
	}
	for after := 0; after < 8<<10; after += 100 {
		w, err := parquet.NewCooked(&failing{after}, parquet.Options{Compression: "none"})
		require.NoError(t, err)
		for range 300 {
			if err = w.WriteFrame(&f); err != nil {
				break
			}
		}
		require.ErrorIs(t, errors.Join(err, w.Close()), io.ErrShortWrite)
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
	for _, c := range []string{"none", "snappy", "zstd", ""} {
		file := filepath.Join(t.TempDir(), "x.parquet")
		require.NoError(t, os.WriteFile(file, cooked(t, parquet.Options{Compression: c}), 0o600))
		out, err := exec.Command(program, file).Output()
		require.NoError(t, err)
		var want strings.Builder
		for _, f := range frames() {
			for _, x := range f.Cells {
				s := x.Series
				line := func(name string, value any, is bool) {
					if is {
						fmt.Fprintf(&want, "%s = %v\n", name, value)
					}
				}
				ok := x.Status == countertypes.StatusOK && x.PDH == 0
				status := x.Status
				if x.PDH != 0 {
					status = countertypes.StatusInvalidData
				}
				line("time", f.Time.UnixMicro(), !f.Time.IsZero())
				line("host", s.Host, true)
				line("object", strings.ToValidUTF8(s.Object, "\ufffd"), true)
				line("parent", s.Parent, s.HasParent)
				line("instance", s.Instance, s.HasInstance)
				line("instance_index", s.InstanceIndex, true)
				line("counter", s.Counter, true)
				line("path", strings.ToValidUTF8(s.Path(), "\ufffd"), true)
				line("value", x.Value, ok)
				line("status", status, true)
				want.WriteByte('\n')
			}
		}
		assert.Equal(t, want.String(), string(out))
	}
}

// TestRawOnRequest holds what raw rows say of the recorder, as cooked ones do.
func TestRawOnRequest(t *testing.T) {
	var b bytes.Buffer
	w, err := parquet.NewRaw(&b, parquet.Options{Columns: []string{"pdh_status", "time_local", "utc_offset_min"}})
	require.NoError(t, err)
	rows := []capture.Row{
		{Time: at, Offset: capture.Offset{East: -8 * time.Hour, Known: true}},
		{Time: at, NoFirst: true, PDH: 0x800007D5},
		{NoFirst: true},
	}
	require.NoError(t, w.WriteRows(func(yield func(*capture.Row) bool) {
		for i := range rows {
			if !yield(&rows[i]) {
				return
			}
		}
	}))
	require.NoError(t, w.Close())
	schema, got := read(t, b.Bytes())
	assert.Contains(t, schema, "optional int64 time_local (TIMESTAMP(isAdjustedToUTC=false,unit=MICROS))")
	local := func(east time.Duration) string { return strconv.FormatInt(at.Add(east).UnixMicro(), 10) }
	assert.Equal(t, []string{"0", local(-8 * time.Hour), "480"}, got[0][12:])
	assert.Equal(t, []string{"2147485653", local(0), "null"}, got[1][12:])
	assert.Equal(t, []string{"null", "null", "null"}, got[2][12:])
}

package parquet_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	pq "github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export/parquet"
	"github.com/perfdump/perfdump/internal/lake"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// written are runs as a file.
func written(t testing.TB, o parquet.Options, runs ...parquet.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := parquet.NewSeries(&b, o)
	require.NoError(t, err)
	for _, run := range runs {
		require.NoError(t, w.WriteSeries(run.Series, run.Points))
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// runs are those of a file, whose points stay.
func runs(t testing.TB, b []byte) (r *parquet.SeriesReader, all []parquet.Run) {
	t.Helper()
	r, err := parquet.OpenSeries(bytes.NewReader(b), int64(len(b)))
	require.NoError(t, err)
	for run, err := range r.All() {
		require.NoError(t, err)
		all = append(all, parquet.Run{Series: run.Series, Points: slices.Clone(run.Points)})
	}
	return r, all
}

// texts are rows as read has them.
func texts(all []parquet.Run) (rows [][]string, values []uint64) {
	for _, run := range all {
		s, parent, instance := run.Series, "null", "null"
		if s.HasParent {
			parent = s.Parent
		}
		if s.HasInstance {
			instance = s.Instance
		}
		for _, p := range run.Points {
			at, value := "null", "null"
			if p.Time != (time.Time{}).UnixMicro() {
				at = strconv.FormatInt(p.Time, 10)
			}
			if p.Has {
				value = strconv.FormatFloat(p.Value, 'g', -1, 64)
				values = append(values, math.Float64bits(p.Value))
			}
			rows = append(rows, []string{at, s.Host, s.Object, parent, instance, strconv.Itoa(s.InstanceIndex), s.Counter, s.Path(), value, p.Status.String()})
		}
	}
	return rows, values
}

// randomRuns are runs of random series, some of which come again.
func randomRuns(seed uint64) (all []parquet.Run, values []uint64) {
	r := rand.New(rand.NewPCG(seed, 2))
	names := []string{"", "a", "O(1)", `\\/#`, "日本", "x:42", strings.Repeat("l", 300)}
	name := func() string { return names[r.IntN(len(names))] }
	numbers := []float64{0, math.Copysign(0, -1), math.NaN(), math.Float64frombits(0xfff8_dead_beef_0001), math.Inf(-1), math.MaxFloat64, 5e-324, 1}
	all = make([]parquet.Run, r.IntN(40))
	for i := range all {
		run := &all[i]
		o := &capture.Owner{Host: name(), Object: name(), HasInstance: r.IntN(3) > 0, InstanceIndex: r.IntN(3)}
		if o.HasInstance {
			if o.Instance = name(); r.IntN(2) == 0 {
				o.Parent, o.HasParent = name(), true
			}
		}
		run.Series = &capture.Series{ID: i, Owner: o, Metric: &capture.Metric{Counter: name()}}
		if i > 0 && r.IntN(5) == 0 {
			run.Series = all[r.IntN(i)].Series
		}
		sparse, constant := r.IntN(4), r.IntN(2) == 0
		for k := range r.IntN(80) {
			p := parquet.Point{Time: at.UnixMicro() + int64(k), Has: r.IntN(4) >= sparse, Status: countertypes.Status(r.IntN(1 + sparse))}
			switch r.IntN(9) {
			case 0:
				p.Time = time.Time{}.UnixMicro()
			case 1:
				p.Time = []int64{math.MinInt64, -1, math.MaxInt64}[r.IntN(3)]
			}
			if p.Has {
				if p.Value = numbers[r.IntN(len(numbers))]; constant {
					p.Value = 7
				}
				values = append(values, math.Float64bits(p.Value))
			}
			run.Points = append(run.Points, p)
		}
	}
	return all, values
}

// TestReadSeries holds that what is read is what was written and what another reader reads,
// bit by bit, and that it gives the same file again.
func TestReadSeries(t *testing.T) {
	for seed := range uint64(40) {
		o := parquet.Options{Compression: parquet.Compressions()[seed%3], GroupRows: []int{0, 1, 7, 64}[seed%4], Version: "1.2"}
		if seed%5 > 0 {
			o.Metadata = map[string]string{"recording": "r\xff", "": "x"}
		}
		all, values := randomRuns(seed)
		b := written(t, o, all...)
		r, again := runs(t, b)
		require.True(t, bytes.Equal(b, written(t, o, again...)), seed)

		want, _ := texts(all)
		got, bits := texts(again)
		require.Equal(t, want, got)
		require.Equal(t, values, bits, seed)
		require.Equal(t, int64(len(want)), r.Rows())
		require.Len(t, r.Metadata(), len(o.Metadata))
		require.Equal(t, o.Metadata["recording"], r.Metadata()["recording"])
		_, theirs := read(t, b)
		for i, row := range theirs {
			require.True(t, slices.Equal(row, got[i]), "%d: %v, not %v", seed, got[i], row)
		}
		require.Len(t, got, len(theirs))
	}
}

// TestReadLargeGroups has the groups that files have without a request, which series cross,
// and groups that names end.
func TestReadLargeGroups(t *testing.T) {
	var all []parquet.Run
	for i := range 12 {
		o := &capture.Owner{Host: "h", Object: "O", Instance: strings.Repeat(fmt.Sprint(i), 300_000), HasInstance: true}
		run := parquet.Run{Series: &capture.Series{ID: i, Owner: o, Metric: &capture.Metric{Counter: "C"}}}
		for k := range 40_000 {
			run.Points = append(run.Points, parquet.Point{Time: int64(k), Value: float64(k), Has: true})
		}
		all = append(all, run)
	}
	b := written(t, parquet.Options{}, all...)
	r, again := runs(t, b)
	require.EqualValues(t, 480_000, r.Rows())
	require.True(t, bytes.Equal(b, written(t, parquet.Options{}, again...)))
	require.Greater(t, len(again), len(all))
	for i, run := range again[1:] {
		require.Equal(t, run.Series.Instance == again[i].Series.Instance, run.Series == again[i].Series)
	}
	for run, err := range r.All() { // begins anew, and ends where it is left
		require.NoError(t, err)
		require.Equal(t, all[0].Series.Instance, run.Series.Instance)
		break
	}
}

// TestOwnGroups holds that groups of some rows end where a counter does, and that they give
// the same file again.
func TestOwnGroups(t *testing.T) {
	var all []parquet.Run
	for i, n := range []int{5000, 5000, 9000, 1, 20_000} {
		s := &capture.Series{ID: i, Owner: &capture.Owner{Host: "h", Object: "O"}, Metric: &capture.Metric{Counter: fmt.Sprint(i)}}
		all = append(all, parquet.Run{Series: s, Points: make([]parquet.Point, n)})
	}
	b := written(t, parquet.Options{}, all...)
	_, again := runs(t, b)
	require.True(t, bytes.Equal(b, written(t, parquet.Options{}, again...)))
	f, err := pq.OpenFile(bytes.NewReader(b), int64(len(b)))
	require.NoError(t, err)
	var rows []int64
	for _, g := range f.RowGroups() {
		rows = append(rows, g.NumRows())
	}
	require.Equal(t, []int64{10_000, 9000, 20_001}, rows)
}

// TestReadLake reads the files of a lake.
func TestReadLake(t *testing.T) {
	dir, from := t.TempDir(), "../../testdata/story"
	if perftest.Race {
		from = "../../testdata/blg"
	}
	_, err := lake.Run(t.Context(), dir, []string{from}, lake.Options{Version: "1.2"})
	require.NoError(t, err)
	rows := 0
	require.NoError(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		if d.IsDir() || filepath.Ext(name) != ".parquet" {
			return nil
		}
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		if !strings.Contains(name, "host=") {
			_, err := parquet.OpenSeries(bytes.NewReader(b), int64(len(b)))
			require.ErrorContains(t, err, "columns")
			return nil
		}
		r, all := runs(t, b)
		require.NotEmpty(t, r.Metadata()["recording"])
		require.True(t, bytes.Equal(b, written(t, parquet.Options{Version: "1.2", GroupRows: 64 << 10, Metadata: r.Metadata()}, all...)))
		got, _ := texts(all)
		_, theirs := read(t, b)
		require.Len(t, got, len(theirs))
		for i, row := range theirs {
			require.True(t, slices.Equal(row, got[i]), "%v, not %v", got[i], row)
		}
		rows += len(got)
		return nil
	}))
	require.Positive(t, rows)
}

// TestReadRefusals has files that others have written, and damaged ones: what is read of them
// is at most what the reader holds, and errors say where they are.
func TestReadRefusals(t *testing.T) {
	series := &capture.Series{Owner: &capture.Owner{Object: "O"}, Metric: &capture.Metric{Counter: "C"}}
	follows := &capture.Series{Owner: &capture.Owner{Object: "O", Instance: "x", HasInstance: true, PID: 7}, Metric: series.Metric}
	points := []parquet.Point{{Value: 1, Has: true}, {Time: 1}}
	many := make([]parquet.Point, 200_000)
	long := &capture.Series{Owner: &capture.Owner{Host: strings.Repeat("h", 9<<20)}, Metric: series.Metric}
	eight := parquet.Run{Series: series, Points: many[:8]}
	other := parquet.Run{Series: &capture.Series{ID: 1, Owner: &capture.Owner{Host: "h", Object: "O"}, Metric: series.Metric}, Points: many[:8]}
	two := written(t, parquet.Options{Compression: "none"}, eight, other)
	hosts := []byte("\x01\x10\x00\x10\x01") // of each row
	good := written(t, parquet.Options{Compression: "none"}, parquet.Run{Series: series, Points: points})
	for want, b := range map[string][]byte{
		"no Parquet":             good[:11],
		"does not begin and end": append(bytes.Clone(good), 0),
		"a footer of":            append(bytes.Clone(good[:len(good)-5]), "\x7fPAR1"...),
		"columns":                written(t, parquet.Options{Columns: []string{"record"}}, parquet.Run{Series: series, Points: points}),
		"has 200000 rows":        written(t, parquet.Options{GroupRows: 1 << 20}, parquet.Run{Series: series, Points: many}),
		"rows 0 and 7 are of one path and have not the same host": bytes.Replace(two, hosts, []byte("\x01\x0e\x00\x12\x01"), 1),
		"path of row 8":                    bytes.Replace(two, hosts, []byte("\x01\x12\x00\x0e\x01"), 1),
		"group[0].path: a page unpacks to": written(t, parquet.Options{}, parquet.Run{Series: long, Points: points}),
		"path of row 0":                    written(t, parquet.Options{}, parquet.Run{Series: follows, Points: points}),
		"unknown status":                   written(t, parquet.Options{}, parquet.Run{Series: series, Points: []parquet.Point{{Status: 200}}}),
	} {
		err := readAll(b)
		require.ErrorContains(t, err, want)
		var fe *perfdump.FormatError
		require.ErrorAs(t, err, &fe)
		assert.NotEmpty(t, fe.Code)
	}
	for _, o := range parquet.Compressions() {
		b := written(t, parquet.Options{Compression: o}, parquet.Run{Series: series, Points: points})
		for n := range b {
			require.Error(t, readAll(b[:n]))
			for _, x := range []byte{0, 1, 0x7f, 0xff} {
				damaged := bytes.Clone(b)
				damaged[n] ^= x
				_ = readAll(damaged)
			}
		}
	}
	_, err := parquet.OpenSeries(bytes.NewReader(good[:20]), int64(len(good)))
	require.ErrorIs(t, err, io.EOF)
}

// TestMemoryOfSeries has as many series as groups can have.
func TestMemoryOfSeries(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	var b bytes.Buffer
	w, err := parquet.NewSeries(&b, parquet.Options{})
	require.NoError(t, err)
	s := &capture.Series{Owner: &capture.Owner{}, Metric: &capture.Metric{}}
	for range 500_000 {
		require.NoError(t, w.WriteSeries(s, make([]parquet.Point, 1)))
		s.ID++
	}
	require.NoError(t, w.Close())
	w = nil
	inUse := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, n := inUse(), 0
	r, err := parquet.OpenSeries(bytes.NewReader(b.Bytes()), int64(b.Len()))
	require.NoError(t, err)
	for _, err := range r.All() {
		require.NoError(t, err)
		if n++; n%100_000 == 0 {
			require.Less(t, inUse(), before+64<<20, n)
		}
	}
	require.Equal(t, 500_000, n)
}

func readAll(b []byte) error {
	r, err := parquet.OpenSeries(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	for _, err := range r.All() {
		if err != nil {
			return err
		}
	}
	return nil
}

package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/golden"
	"github.com/perfdump/perfdump/pdhcsv"
)

// series makes a series of what is told of it, with title indexes that are not
// of Windows.
func series(id int, host, object, parent, instance string, index int, counter string) *capture.Series {
	return &capture.Series{
		ID:     id,
		Owner:  &capture.Owner{Host: host, Object: object, Parent: parent, HasParent: parent != "", Instance: instance, HasInstance: instance != "", InstanceIndex: index, ObjectIndex: 5238},
		Metric: &capture.Metric{Counter: counter, Type: countertypes.PERF_COUNTER_COUNTER, HasType: true, TimeBase: 10_000_000, CounterIndex: uint32(5240 + 2*id)},
	}
}

// log is a small capture with what makes outputs stumble: a series that comes
// late and one that goes, values that are missing, names full of signs.
func log() ([]*capture.Series, []capture.Frame) {
	ss := []*capture.Series{
		series(0, "web01", "Processor", "", "_Total", 0, "% Processor Time"),
		series(1, "web01", "Memory", "", "", 0, "Available MBytes"),
		series(2, "web01", "Process", "", "svchost", 0, "Bytes Total/sec"),
		series(3, "web01", "Process", "", "svchost", 1, "Bytes Total/sec"),
		series(4, "web01", "Thread", "a (b)", `x, "y"=z\`, 0, `50% of 'C:\'`),
		series(5, "", "=cmd|' /C calc'!A0", "", "line\r\nend\x1b[31m\x00", 0, "日本\tx"),
	}
	cell := func(s int, v float64) capture.Cell {
		return capture.Cell{Series: ss[s], Value: v}
	}
	none := func(s int, st countertypes.Status) capture.Cell {
		c := cell(s, 0)
		c.Status = st
		return c
	}
	at := time.Date(2020, 3, 18, 19, 5, 41, 123_000_000, time.UTC)
	frame := func(n int, cells ...capture.Cell) capture.Frame {
		var tuples []capture.Tuple
		for _, c := range cells {
			id := c.Series.ID
			tuples = append(tuples, capture.Tuple{First: uint64(id) + 1<<40, Second: 1<<63 + uint64(id), Known: id != 1, PID: map[int]uint64{2: 4242, 3: math.MaxUint64}[id]})
		}
		return capture.Frame{
			Time: at.Add(time.Duration(n) * 15 * time.Second), Offset: capture.Offset{East: -7 * time.Hour, Known: true}, Zone: "@tzres.dll,-211",
			Host: "web01", Source: "web'01.blg", Record: n, Cells: cells, Tuples: tuples,
		}
	}
	return ss, []capture.Frame{
		frame(0, none(0, countertypes.StatusNeedsSecondSample), cell(1, 4096), none(2, countertypes.StatusNeedsSecondSample)),
		frame(1, cell(0, 86.93735103284412), cell(1, 4095), cell(2, 0.1), cell(3, 1e17), cell(4, -1e-7)),
		frame(2, cell(0, 100), cell(1, 1.0/3), none(2, countertypes.StatusNegativeDelta), cell(4, math.Inf(1)), cell(5, 7)),
	}
}

func writeAll(t testing.TB, w export.FrameWriter, frames []capture.Frame) {
	t.Helper()
	for i := range frames {
		require.NoError(t, w.WriteFrame(&frames[i]))
	}
	require.NoError(t, w.Close())
}

func cooked(t testing.TB, format string, o export.CookedOptions, frames []capture.Frame) string {
	t.Helper()
	var b bytes.Buffer
	w, err := export.NewCooked(&b, format, o)
	require.NoError(t, err)
	writeAll(t, w, frames)
	return b.String()
}

// TestGolden holds each format's output of the small capture.
func TestGolden(t *testing.T) {
	ss, frames := log()
	expect := func(name, got string) {
		t.Helper()
		golden.File(t, filepath.Join("testdata", name), []byte(got))
	}
	for _, format := range export.CookedFormats() {
		expect("log."+format, cooked(t, format, export.CookedOptions{Series: ss}, frames))
	}
	frames[2].Cells[2].Status = countertypes.StatusText
	frames[2].Texts = map[*capture.Series]string{ss[2]: `a, "b"`}
	expect("log-all.csv", cooked(t, "csv", export.CookedOptions{Columns: export.CookedOnRequest()}, frames))
	expect("log-all.jsonl", cooked(t, "jsonl", export.CookedOptions{Columns: export.CookedOnRequest()}, frames))
	ss, frames = log()
	expect("log-few.table", cooked(t, "table", export.CookedOptions{Series: ss[:3]}, frames))
	for _, format := range export.SummaryFormats() {
		var b bytes.Buffer
		w, err := export.NewSummary(&b, format, export.TableOptions{})
		require.NoError(t, err)
		writeAll(t, w, frames)
		expect("summary."+format, b.String())
	}
	for _, format := range export.RawFormats() {
		var b bytes.Buffer
		w, err := export.NewRaw(&b, format, export.CookedOptions{})
		require.NoError(t, err)
		require.NoError(t, w.Write(snapshot(t, "basic-x86_64-1", capture.Options{})))
		require.NoError(t, w.Close())
		expect("raw."+format, b.String())
	}
}

func TestCookedRefusals(t *testing.T) {
	_, err := export.NewCooked(io.Discard, "xlsx", export.CookedOptions{})
	assert.ErrorContains(t, err, "there are table, pdh-csv")
	_, err = export.NewCooked(io.Discard, "csv", export.CookedOptions{Columns: []string{"type"}})
	assert.ErrorContains(t, err, "pdh_status")
	_, err = export.NewCooked(io.Discard, "pdh-csv", export.CookedOptions{PDH: export.PDHOptions{CodePage: 4711}})
	assert.ErrorContains(t, err, "4711")
	_, err = export.NewSummary(io.Discard, "sql", export.TableOptions{})
	assert.Error(t, err)
	_, err = export.NewRaw(io.Discard, "csv", export.CookedOptions{})
	assert.Error(t, err)
	w, err := export.NewPDHCSV(io.Discard, nil, export.PDHOptions{})
	require.NoError(t, err)
	assert.ErrorContains(t, w.WriteFrame(&capture.Frame{Record: 3, Source: "x"}), "record 3 of x")
}

// TestCookedRowsReadBack reads csv and jsonl by the standard library.
func TestCookedRowsReadBack(t *testing.T) {
	_, frames := log()
	records, err := csv.NewReader(strings.NewReader(cooked(t, "csv", export.CookedOptions{}, frames))).ReadAll()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(cooked(t, "jsonl", export.CookedOptions{}, frames)), "\n")
	n := 0
	for _, f := range frames {
		for _, c := range f.Cells {
			n++
			r := records[n]
			var doc map[string]any
			require.NoError(t, json.Unmarshal([]byte(lines[n-1]), &doc))
			require.Len(t, doc, 10)
			assert.Equal(t, f.Time.Format(time.RFC3339Nano), doc["time"])
			assert.Equal(t, c.Series.Path(), doc["path"])
			// encoding/csv makes one sign of the two that end a line.
			assert.Equal(t, strings.ReplaceAll(c.Series.Path(), "\r\n", "\n"), r[7])
			assert.Equal(t, c.Status.String(), doc["status"])
			if c.Status == countertypes.StatusOK && !math.IsInf(c.Value, 0) {
				got, err := strconv.ParseFloat(r[8], 64)
				require.NoError(t, err)
				assert.Equal(t, c.Value, got)
				assert.Equal(t, c.Value, doc["value"])
			} else {
				assert.Empty(t, r[8])
				assert.Nil(t, doc["value"])
			}
		}
	}
	assert.Len(t, records, n+1)
	assert.Len(t, lines, n)
}

// TestPDHReadsBack reads what was written by the format's own reader and by
// the standard library's.
func TestPDHReadsBack(t *testing.T) {
	ss, frames := log()
	for _, o := range []export.PDHOptions{{}, {Zone: time.UTC}, {CodePage: 1200}, {CodePage: 932}} {
		text := cooked(t, "pdh-csv", export.CookedOptions{Series: ss, PDH: o}, frames)
		r, err := pdhcsv.NewReader(strings.NewReader(text), pdhcsv.Options{CodePage: o.CodePage})
		require.NoError(t, err)
		require.Equal(t, len(ss), r.Header().Len())
		if o.Zone != nil {
			assert.Equal(t, pdhcsv.Zone{Name: "UTC", HasBias: true}, r.Header().Zone)
		} else {
			assert.Equal(t, pdhcsv.Zone{Name: "Pacific Daylight Time", Bias: 420, HasBias: true}, r.Header().Zone)
		}
		for i, s := range ss {
			assert.Equal(t, s.Path(), r.Header().Column(i))
		}
		next, stop := iter.Pull2(r.Rows())
		t.Cleanup(stop)
		for _, f := range frames {
			row, err, ok := next()
			require.True(t, ok)
			require.NoError(t, err)
			assert.Equal(t, f.Time, row.Time)
			want := make([]float64, len(ss))
			for i := range want {
				want[i] = math.NaN()
			}
			for _, c := range f.Cells {
				if c.Status == countertypes.StatusOK && !math.IsInf(c.Value, 0) {
					want[c.Series.ID] = c.Value
				}
			}
			assert.Equal(t, fmt.Sprint(want), fmt.Sprint(row.Values))
		}
		_, err, ok := next()
		require.NoError(t, err)
		require.False(t, ok)
		if o.CodePage == 0 {
			records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			require.NoError(t, err)
			assert.Len(t, records, len(frames)+1)
		}
	}
	// A series that was not announced is counted.
	w, err := export.NewPDHCSV(io.Discard, ss[:2], export.PDHOptions{})
	require.NoError(t, err)
	writeAll(t, w, frames)
	assert.Equal(t, 7, w.Unknown())
}

// TestCookedOutputIsClean holds that tables let no control character through,
// and that all outputs are UTF-8.
func TestCookedOutputIsClean(t *testing.T) {
	ss, frames := log()
	ss[5].Instance += "\xff"
	for _, format := range export.CookedFormats() {
		for _, some := range [][]*capture.Series{ss, ss[5:], nil} {
			text := cooked(t, format, export.CookedOptions{Series: some}, frames)
			assert.True(t, utf8.ValidString(text), format)
			if format == "table" {
				assert.NotContains(t, text, "\x1b")
				assert.NotContains(t, text, "\x00")
			}
		}
	}
}

// TestOpenMetricsWithoutTimes wants the last of several values that have no time.
func TestOpenMetricsWithoutTimes(t *testing.T) {
	a, b := series(0, "", "O", "", "", 0, "A"), series(1, "", "O", "", "", 0, "B")
	var out bytes.Buffer
	w, err := export.NewCooked(&out, "openmetrics", export.CookedOptions{})
	require.NoError(t, err)
	writeAll(t, w, []capture.Frame{
		{Cells: []capture.Cell{{Series: a, Value: 1}, {Series: b, Value: 2}}},
		{Record: 1, Cells: []capture.Cell{{Series: a, Value: 3}}},
	})
	require.Equal(t, "# TYPE windows_performancecounter_o_a gauge\nwindows_performancecounter_o_a 3\n"+
		"# TYPE windows_performancecounter_o_b gauge\nwindows_performancecounter_o_b 2\n# EOF\n", out.String())
}

// TestQuantilesOfSummaries wants a summary to have all values in its quantiles,
// those that it did not keep one by one too.
func TestQuantilesOfSummaries(t *testing.T) {
	for want, values := range map[string][]float64{
		"5,5,5,5": {5}, "5,7,7,7": {5, 7}, "3,7,7,7": {7, 3}, "5,5,5,5 ": {5, 5, 5}, "5,7,7,7 ": {5, 5, 7},
		"7,9,9,9": {5, 7, 9}, "5,9,9,9": {5, 5, 9, 7}, "2,4,4,4": {4, 1, 3, 2}, "3,6,6,6": {6, 5, 4, 3, 2, 1},
	} {
		var b bytes.Buffer
		w, err := export.NewSummary(&b, "csv", export.TableOptions{})
		require.NoError(t, err)
		s := series(0, "", "O", "", "", 0, "C")
		for _, v := range values {
			require.NoError(t, w.WriteFrame(&capture.Frame{Cells: []capture.Cell{{Series: s, Value: v}}}))
		}
		require.NoError(t, w.Close())
		columns := strings.Split(strings.TrimSpace(b.String()), ",")
		require.Equal(t, strings.TrimSpace(want), strings.Join(columns[len(columns)-4:], ","), values)
	}
}

// TestColumnsOfALogOfPaths wants what a source does not have to be null in each
// column on request, in both forms of text.
func TestColumnsOfALogOfPaths(t *testing.T) {
	s := &capture.Series{Owner: &capture.Owner{Object: "O"}, Metric: &capture.Metric{Counter: "C"}}
	frames := []capture.Frame{{Source: "x", Cells: []capture.Cell{{Series: s, Status: countertypes.StatusInvalidData}}}}
	o := export.CookedOptions{Columns: export.CookedOnRequest()}
	_, row, _ := strings.Cut(cooked(t, "csv", o, frames), "\n")
	assert.Equal(t, ",\"\",O,,,0,C,\\O\\C,,invalid-data,,,,,0,,,x,\n", row)
	assert.Contains(t, cooked(t, "jsonl", o, frames),
		`"text":null,"pdh_status":null,"time_local":null,"utc_offset_min":null,"record":0,"object_index":null,"counter_index":null,"source":"x","pid":null}`)
}

package export_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
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
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// TestCSVAndJSONLReadBack reads what the writers wrote by the standard
// library's readers and compares it with the rows.
func TestCSVAndJSONLReadBack(t *testing.T) {
	columns := []string{"time", "host", "object", "parent", "instance", "instance_index", "counter", "type", "first", "second", "multi", "time_base"}
	o := export.Options{Columns: export.RawColumns()}
	for _, name := range []string{"basic-x86_64-1", "inst-x86_64-1", "var-x86_64-1"} {
		s := snapshot(t, name)
		c, _ := raw(t, "csv", o, s)
		j, _ := raw(t, "jsonl", o, s)
		records, err := csv.NewReader(strings.NewReader(c)).ReadAll()
		require.NoError(t, err)
		require.Equal(t, slices.Concat(columns, export.RawColumns()), records[0])
		records = records[1:]
		lines := strings.SplitAfter(strings.TrimSuffix(j, "\n"), "\n")
		n := 0
		for r := range s.Rows() {
			d := json.NewDecoder(strings.NewReader(lines[n]))
			d.UseNumber()
			var doc map[string]any
			require.NoError(t, d.Decode(&doc), lines[n])
			require.Len(t, doc, len(columns)+len(export.RawColumns()))
			record := records[n]
			n++
			// both holds that a column has a text in both forms, or nothing.
			both := func(column int, text string, is bool) {
				t.Helper()
				value := doc[slices.Concat(columns, export.RawColumns())[column]]
				if !is {
					require.Nil(t, value)
					require.Empty(t, record[column])
					return
				}
				require.Equal(t, text, fmt.Sprint(value))
				require.Equal(t, text, record[column])
			}
			both(2, r.Object, true)
			both(4, r.Instance, r.HasInstance)
			both(6, r.Counter, true)
			both(7, r.Type.String(), true)
			both(8, strconv.FormatUint(r.First, 10), !r.NoFirst)
			both(11, strconv.FormatInt(r.TimeBase, 10), true)
			both(12, r.Text, r.HasText)
			require.Equal(t, doc["time"], record[0])
		}
		require.Len(t, lines, n)
		require.Len(t, records, n)
	}
}

func TestJSONStrings(t *testing.T) {
	for _, s := range []string{"", "a", `"\`, "\x00\x1f\x7f\n\r\t", "日本\u2028💻", "<&>"} {
		var back string
		require.NoError(t, json.Unmarshal(export.AppendJSONString(nil, s), &back))
		assert.Equal(t, s, back)
	}
	assert.Equal(t, `"a`+"\ufffd"+`b"`, string(export.AppendJSONString(nil, "a\xffb")))
}

// A file may have any bytes for its name; a CSV is UTF-8.
func TestSourceIsText(t *testing.T) {
	s := snapshot(t, "sys-238-x86_64-1")
	s.Source = "a\xff.bin"
	text, _ := raw(t, "csv", export.Options{Columns: []string{"source"}}, s)
	assert.True(t, utf8.ValidString(text))
	assert.Contains(t, text, ",a\ufffd.bin\n")
}

// TestRawColumnsOnRequest wants the columns that cooked rows have, too: the code of
// PDH, and local time.
func TestRawColumnsOnRequest(t *testing.T) {
	at := time.Date(2020, 3, 18, 19, 5, 41, 0, time.UTC)
	rows := []capture.Row{
		{Time: at, Offset: capture.Offset{East: -8 * time.Hour, Known: true}, First: 1},
		{Time: at, NoFirst: true, PDH: 0x800007D5},
		{NoFirst: true},
	}
	for format, want := range map[string][]string{
		"csv": {"pdh_status,time_local,utc_offset_min", "0,2020-03-18T11:05:41.000,480", "2147485653,2020-03-18T19:05:41.000,", ",,"},
		"jsonl": {
			`"pdh_status":0,"time_local":"2020-03-18T11:05:41.000","utc_offset_min":480}`,
			`"pdh_status":2147485653,"time_local":"2020-03-18T19:05:41.000","utc_offset_min":null}`, `"pdh_status":null,"time_local":null,"utc_offset_min":null}`,
		},
	} {
		text := rawRows(t, format, export.Options{Columns: []string{"pdh_status", "utc_offset_min", "time_local"}}, each(rows))
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		require.Len(t, lines, len(want))
		for i, line := range lines {
			assert.True(t, strings.HasSuffix(line, ","+want[i]), line)
		}
	}
}

// TestWholeNumbersAreExact wants raw counts and differences with all their
// digits where these are more than a float64 holds: of blocks, whose values are
// cooked in bulk, and of agents, whose values are cooked one by one.
func TestWholeNumbersAreExact(t *testing.T) {
	const big = uint64(1) << 62
	block := func(at int64, add uint64) *capture.Input {
		object := perftest.Object{Title: 9002, Counters: []perftest.Counter{
			{Title: 9004, Type: uint32(countertypes.PERF_COUNTER_LARGE_RAWCOUNT)},
			{Title: 9006, Type: uint32(countertypes.PERF_COUNTER_LARGE_DELTA)},
			{Title: 9008, Type: uint32(countertypes.PERF_COUNTER_BULK_COUNT)},
		}}
		for i := range uint64(3) {
			object.Instances = append(object.Instances, perftest.Instance{Name: fmt.Sprint("i", i), Values: []uint64{big + i + add&1, i + add, i + add}})
		}
		b := perftest.Block{PerfTime: at, PerfTime100nSec: perftest.DefaultTime + at, Objects: []perftest.Object{object}}
		return &capture.Input{Name: fmt.Sprint(at), Format: "perfdata", Data: b.Bytes()}
	}
	values := func(o capture.CookOptions, inputs ...*capture.Input) map[string][]string {
		r := capture.NewRecording(capture.Options{}, o)
		for _, in := range inputs {
			require.NoError(t, r.Add(in))
		}
		var out strings.Builder
		w := cookedTo(t, &out, "csv", export.Options{})
		for f, err := range r.Frames() {
			require.NoError(t, err)
			require.NoError(t, w.WriteFrame(f))
		}
		require.NoError(t, w.Close())
		got := map[string][]string{}
		for line := range strings.Lines(out.String()) {
			cells := strings.Split(line, ",")
			got[cells[6]] = append(got[cells[6]], cells[8])
		}
		return got
	}
	for _, raw := range []bool{false, true} {
		got := values(capture.CookOptions{Raw: raw}, block(10_000_000, 0), block(20_000_000, big+1))
		require.Equal(t, []string{
			"4611686018427387904", "4611686018427387905", "4611686018427387906",
			"4611686018427387905", "4611686018427387906", "4611686018427387907",
		}, got["9004"])
		require.Equal(t, []string{"", "", "", "4611686018427387905", "4611686018427387905", "4611686018427387905"}, got["9006"])
		require.Equal(t, "4.611686018427388e+18", got["9008"][3], "a rate is as exact as it is computed")
	}
	agent := "<<<winperf_x>>>\n1584558341.12 9002 1000000\n2 4611686018427387905 type(10100)\n"
	require.Contains(t, fmt.Sprint(values(capture.CookOptions{}, &capture.Input{Name: "agent", Format: "checkmk", Data: []byte(agent)})), "4611686018427387905")
}

// TestMemoryOfNames wants rows of very many series, and of few with very long
// names, to leave little behind.
func TestMemoryOfNames(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	for _, x := range []struct {
		series, name int
		limit        uint64
	}{
		{100_000, 1, 5 << 20}, // more than are kept, all of them short
		{1_000, 16 << 10, 8 << 20},
	} {
		before := heap()
		w := cookedTo(t, io.Discard, "csv", export.Options{})
		s := &capture.Series{Owner: &capture.Owner{Object: strings.Repeat("o", x.name)}, Metric: &capture.Metric{Counter: "C"}}
		f := capture.Frame{Cells: []capture.Cell{{Series: s}}}
		for s.ID = range x.series {
			require.NoError(t, w.WriteFrame(&f))
		}
		after := heap()
		assert.Less(t, after-min(after, before), x.limit, "%d series", x.series)
		runtime.KeepAlive(w)
	}
}

package export_test

import (
	"bytes"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/testkit/golden"
)

// TestGolden holds each format's output of the small capture.
func TestGolden(t *testing.T) {
	ss, frames := log()
	expect := func(name, got string) {
		t.Helper()
		golden.File(t, filepath.Join("testdata", name), []byte(got))
	}
	for _, format := range outputs(export.Output.Cooked) {
		expect("log."+format, cooked(t, format, export.Options{Series: ss}, frames))
	}
	// Nothing here runs the statements for SQL Server.
	for _, dialect := range export.SQLDialects()[1:] {
		expect("log-"+dialect+".sql", cooked(t, "sql", export.Options{Dialect: dialect}, frames))
	}
	expect("log-few.table", cooked(t, "table", export.Options{Series: ss[:3]}, frames))
	for _, format := range outputs(export.Output.Summary) {
		var b bytes.Buffer
		w, err := export.NewSummary(&b, format, export.Options{})
		require.NoError(t, err)
		writeAll(t, w, frames)
		expect("summary."+format, b.String())
	}
	frames[2].Cells[2].Status = countertypes.StatusText
	frames[2].Texts = map[*capture.Series]string{ss[2]: `a, "b"`}
	for _, format := range []string{"csv", "jsonl"} {
		expect("log-all."+format, cooked(t, format, export.Options{Columns: export.CookedColumns()}, frames))
	}
	for _, format := range []string{"sql", "openmetrics", "influx", "checkmk"} {
		text, _ := raw(t, format, export.Options{}, snapshot(t, "basic-x86_64-1"))
		expect("raw."+format, text)
	}
}

func TestRefusals(t *testing.T) {
	for _, x := range []struct {
		open string // raw, cooked or summary
		o    export.Options
		want string
	}{
		{"raw xml", export.Options{}, "csv, jsonl"},
		{"raw csv", export.Options{Columns: []string{"speed"}}, "text, pdh_status"},
		{"cooked xlsx", export.Options{}, "there are table, pdh-csv"},
		{"cooked csv", export.Options{Columns: []string{"type"}}, "pdh_status"},
		{"cooked pdh-csv", export.Options{CodePage: 4711}, "4711"},
		{"cooked sql", export.Options{Dialect: "oracle"}, `no SQL dialect "oracle"`},
		{"summary sql", export.Options{}, "csv, jsonl"},
	} {
		kind, output, _ := strings.Cut(x.open, " ")
		var err error
		switch kind {
		case "raw":
			_, err = export.NewRaw(io.Discard, output, x.o)
		case "cooked":
			_, err = export.NewCooked(io.Discard, output, x.o)
		default:
			_, err = export.NewSummary(io.Discard, output, x.o)
		}
		assert.ErrorContains(t, err, x.want, x.open)
	}
	w := cookedTo(t, io.Discard, "pdh-csv", export.Options{})
	assert.ErrorContains(t, w.WriteFrame(&capture.Frame{Record: 3, Source: "x"}), "record 3 of x")
}

// TestSmallOutputs holds what single outputs do of unusual series and values.
func TestSmallOutputs(t *testing.T) {
	one := func(at int64, cells ...capture.Cell) capture.Frame {
		f := capture.Frame{Host: "A", Cells: cells}
		if at > 0 {
			f.Time = time.Unix(at, 0)
		}
		return f
	}
	cell := func(s *capture.Series, v float64) capture.Cell { return capture.Cell{Series: s, Value: v} }
	large := series(0, "h", "o", "", "", 0, "c")
	large.Type = countertypes.PERF_COUNTER_LARGE_RAWCOUNT
	bare := &capture.Series{Owner: &capture.Owner{Object: "O"}, Metric: &capture.Metric{Counter: "C"}}
	missing := []capture.Frame{{Source: "x", Cells: []capture.Cell{{Series: bare, Status: countertypes.StatusInvalidData}}}}
	a, b := series(0, "A", "Memory", "", "", 0, "Pages/sec"), series(1, "B", "Memory", "", "", 0, "Pages/sec")
	same := series(1, "a", "Memory", "", "", 0, "Pages/sec")
	var fields []capture.Cell
	for _, names := range []string{"abc", "cabcca"} {
		owner := &capture.Owner{Object: names}
		for _, name := range names {
			s := &capture.Series{ID: len(fields), Owner: owner, Metric: &capture.Metric{Counter: string(name)}}
			fields = append(fields, cell(s, float64(len(fields))))
		}
	}
	for _, x := range []struct {
		name, output string
		o            export.Options
		frames       []capture.Frame
		want         string
		omitted      []int
	}{
		{"columns of machines say of which they are", "table", export.Options{Series: []*capture.Series{a, b}}, []capture.Frame{one(0, cell(a, 1), cell(b, 2))}, `2 hosts

                                         \\A         \\B
                                      Memory      Memory
                                   Pages/sec   Pages/sec
  unknown time                             1           2
`, nil},
		{"machines have no case", "table", export.Options{Series: []*capture.Series{a, same}}, []capture.Frame{one(0, cell(a, 1), cell(same, 2))}, `A

                                      Memory      Memory
                                   Pages/sec   Pages/sec
  unknown time                             1           2
`, nil},
		{"what a source does not have is null", "csv", export.Options{Columns: export.CookedColumns()}, missing, ",\"\",O,,,0,C,\\O\\C,,invalid-data,,,,,0,,,x,\n", nil},
		{
			"the same in JSON", "jsonl",
			export.Options{Columns: export.CookedColumns()},
			missing,
			`"text":null,"pdh_status":null,"time_local":null,"utc_offset_min":null,"record":0,"object_index":null,"counter_index":null,"source":"x","pid":null}`, nil,
		},
		{"beyond 64 bits", "csv", export.Options{}, []capture.Frame{one(0, cell(large, 1<<64), cell(large, 1e22))}, ",1.8446744073709552e+19,ok\n,h,o,,,0,c,\\\\h\\o\\c,1e+22,ok", nil},
		{"all 64 bits", "csv", export.Options{}, []capture.Frame{one(0, cell(large, 1<<63))}, ",9223372036854775808,ok", nil},
		{"a field is in a line once", "influx", export.Options{}, []capture.Frame{{Cells: fields}}, `win_perf_counters,objectname=abc a=0,b=1,c=2
win_perf_counters,objectname=cabcca c=3,a=4,b=5
win_perf_counters,objectname=cabcca,duplicate=1 c=6,a=8
win_perf_counters,objectname=cabcca,duplicate=2 c=7
`, []int{2}},
	} {
		text, omitted := cookedOf(t, x.output, x.o, x.frames)
		assert.Contains(t, text, x.want, x.name)
		assert.Equal(t, x.omitted, omitted, x.name)
	}
}

// TestCookedOutputIsClean holds that tables let no control character through,
// and that all outputs are UTF-8.
func TestCookedOutputIsClean(t *testing.T) {
	ss, frames := log()
	ss[5].Instance += "\xff"
	for _, format := range outputs(export.Output.Cooked) {
		for _, some := range [][]*capture.Series{ss, ss[5:], nil} {
			text := cooked(t, format, export.Options{Series: some}, frames)
			assert.True(t, utf8.ValidString(text), format)
			if format == "table" {
				assert.NotContains(t, text, "\x1b")
				assert.NotContains(t, text, "\x00")
			}
		}
	}
}

// TestQuantilesOfSummaries wants a summary to have all values in its quantiles,
// those that it did not keep one by one too.
func TestQuantilesOfSummaries(t *testing.T) {
	for want, values := range map[string][]float64{
		"5,5,5,5": {5}, "5,7,7,7": {5, 7}, "3,7,7,7": {7, 3}, "5,5,5,5 ": {5, 5, 5}, "5,7,7,7 ": {5, 5, 7},
		"7,9,9,9": {5, 7, 9}, "5,9,9,9": {5, 5, 9, 7}, "2,4,4,4": {4, 1, 3, 2}, "3,6,6,6": {6, 5, 4, 3, 2, 1},
	} {
		var b bytes.Buffer
		w, err := export.NewSummary(&b, "csv", export.Options{})
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

// TestTimesThatOutputsHold leaves out the values at times that an output cannot
// hold. Line protocol has the nanoseconds of 64 bits.
func TestTimesThatOutputsHold(t *testing.T) {
	s := series(0, "h", "O", "", "", 0, "C")
	var frames []capture.Frame
	for _, at := range []string{
		"1677-09-21T00:12:43.145224193Z", "1677-09-21T00:12:43.145224194Z", "2262-04-11T23:47:16.854775806Z", "2262-04-11T23:47:16.854775807Z", "9999-12-31T23:59:59Z",
	} {
		f := sqlFrame("log", "h", 0, 1, s)
		var err error
		f.Time, err = time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		frames = append(frames, f)
	}
	frames = append(frames, frames[4])
	frames[5].Time = frames[4].Time.Add(time.Hour)
	for format, want := range map[string][2]int{"influx": {2, 4}, "sql": {5, 1}, "pdh-csv": {5, 1}} {
		text, omitted := cookedOf(t, format, export.Options{Series: []*capture.Series{s}}, frames)
		assert.Equal(t, want[0], strings.Count(text, "1.5"), format)
		assert.Equal(t, []int{want[1]}, omitted, format)
		if format == "influx" {
			assert.Contains(t, text, " C=1.5 -9223372036854775806\n")
			assert.Contains(t, text, " C=1.5 9223372036854775806\n")
		}
	}
}

// TestCheckmkReadsBack reads the sections of captures by the format's reader
// and compares them with the objects.
func TestCheckmkReadsBack(t *testing.T) {
	for _, name := range []string{"small", "inst-x86_64-1", "var-x86_64-1"} {
		s := snapshot(t, name)
		text, left := raw(t, "checkmk", export.Options{}, s)
		next, stop := iter.Pull2(checkmk.NewReader(strings.NewReader(text), perfdump.Options{Mode: perfdump.Strict}).Sections())
		t.Cleanup(stop)
		n := 0
		for o := range s.Objects() {
			section, err, _ := next()
			require.NoError(t, err, name)
			assert.Equal(t, o.Index, section.Object)
			at, _ := section.Time()
			assert.InDelta(t, 0, at.Sub(s.Time).Seconds(), 0.0051)
			kept := section.Counters
			for i := range o.Counters {
				values, absent := []uint64{}, false
				for in := range o.Instances() {
					v, ok := in.Value(i)
					absent = absent || !ok || v.Kind != capture.Number
					values = append(values, v.Uint)
				}
				if absent {
					n++
					continue
				}
				assert.Equal(t, o.Counters[i].Type, kept[0].Type)
				assert.Equal(t, values, kept[0].Values)
				kept = kept[1:]
			}
			assert.Empty(t, kept)
		}
		_, _, more := next()
		assert.False(t, more)
		if n > 0 {
			assert.Equal(t, []int{n}, left)
		}
	}
}

type failing struct{ after int }

func (f *failing) Write(b []byte) (int, error) {
	if f.after -= len(b); f.after < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

func TestWritersGiveTheErrorOfTheirOutput(t *testing.T) {
	s := snapshot(t, "small")
	for output, room := range map[string]int{"csv": 200_000, "jsonl": 200_000, "table": 70_000} {
		w := rawTo(t, &failing{room}, output, export.Options{})
		assert.ErrorIs(t, w.Write(s), io.ErrShortWrite)
		assert.ErrorIs(t, w.Flush(), io.ErrShortWrite)
	}
	_, frames := log()
	for _, output := range outputs(export.Output.Cooked) {
		w := cookedTo(t, &failing{}, output, export.Options{})
		for i := range frames {
			_ = w.WriteFrame(&frames[i])
		}
		assert.ErrorIs(t, w.Close(), io.ErrShortWrite, output)
	}
}

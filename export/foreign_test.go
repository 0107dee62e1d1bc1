package export_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/perftest"
)

// TestOpenMetricsReadsBack reads the text by Prometheus' own parser. That one
// is of the older text format, which differs in the times: it has milliseconds.
func TestOpenMetricsReadsBack(t *testing.T) {
	_, frames := log()
	text := cooked(t, "openmetrics", export.CookedOptions{}, frames)
	require.True(t, strings.HasSuffix(text, "# EOF\n"))
	var older strings.Builder
	for line := range strings.Lines(strings.TrimSuffix(text, "# EOF\n")) {
		if !strings.HasPrefix(line, "#") {
			i := strings.LastIndexByte(line, ' ')
			line = line[:i] + strings.Replace(line[i:], ".", "", 1)
		}
		older.WriteString(line)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(older.String()))
	require.NoError(t, err)
	type key struct{ name, host, instance, parent string }
	got := map[key]map[int64]float64{}
	for name, f := range families {
		assert.Equal(t, "GAUGE", f.GetType().String())
		for _, m := range f.GetMetric() {
			k := key{name: name}
			for _, l := range m.GetLabel() {
				switch l.GetName() {
				case "host":
					k.host = l.GetValue()
				case "instance":
					k.instance = l.GetValue()
				case "parent":
					k.parent = l.GetValue()
				}
			}
			if got[k] == nil {
				got[k] = map[int64]float64{}
			}
			got[k][m.GetTimestampMs()] = m.GetGauge().GetValue()
		}
	}
	n := 0
	for _, f := range frames {
		for _, c := range f.Cells {
			s := c.Series
			if c.Status != countertypes.StatusOK || math.IsInf(c.Value, 0) || s.ID == 5 {
				continue
			}
			instance := s.Instance
			if s.InstanceIndex > 0 {
				instance += "#" + strconv.Itoa(s.InstanceIndex)
			}
			v, ok := got[key{export.MetricName(s.Object, s.Counter), s.Host, instance, s.Parent}][f.Time.UnixMilli()]
			assert.True(t, ok, s.Path)
			assert.Equal(t, c.Value, v, s.Path)
			n++
		}
	}
	assert.Equal(t, 8, n)
}

func TestMetricName(t *testing.T) {
	for _, c := range [][3]string{
		{"Processor", "% Processor Time", "windows_performancecounter_processor_percent_processor_time"},
		{"PhysicalDisk", "Avg. Disk Bytes/Read", "windows_performancecounter_physicaldisk_avg__disk_bytes_read"},
		{"238", "6", "windows_performancecounter_238_6"},
		{".NET CLR Memory", "# Gen 0 (x)", "windows_performancecounter__net_clr_memory___gen_0_x"},
		{"Процессор", "% загруженности процессора", "windows_performancecounter_процессор_percent_загруженности_процессора"},
		{"Память", "Доступно МБ", "windows_performancecounter_память_доступно_мб"},
		{"メモリ", "(キャッシュ) バイト™", "windows_performancecounter_メモリ_キャッシュ_バイト"},
		{"𝔘", "\xff", "windows_performancecounter_𝔘"},
	} {
		got := export.MetricName(c[0], c[1])
		assert.Equal(t, model.EscapeName(c[2], model.ValueEncodingEscaping), got)
		assert.Equal(t, c[2], model.UnescapeName(got, model.ValueEncodingEscaping))
		assert.True(t, model.LegacyValidation.IsValidMetricName(got))
	}
}

// TestMetricsThatClash keeps all counters of one name and tells them apart.
func TestMetricsThatClash(t *testing.T) {
	a, b := series(0, "h", `A B`, "", "", 0, "C"), series(1, "h", "A", "", "", 0, "B C")
	c := series(2, "h", "a b", "", "", 0, "c")
	f := capture.Frame{Time: time.Unix(1, 0), Cells: []capture.Cell{{Series: a, Value: 1}, {Series: b, Value: 2}, {Series: c, Value: 3}}}
	var out bytes.Buffer
	w := export.NewOpenMetrics(&out, export.MetricsOptions{})
	writeAll(t, w, []capture.Frame{f})
	other := model.EscapeName(`windows_performancecounter\a\b c`, model.ValueEncodingEscaping)
	assert.Equal(t, `# TYPE windows_performancecounter_a_b_c gauge
windows_performancecounter_a_b_c{host="h"} 1 1.000
windows_performancecounter_a_b_c{host="h",duplicate="1"} 3 1.000
# TYPE `+other+` gauge
`+other+`{host="h"} 2 1.000
# EOF
`, out.String())
	assert.Zero(t, w.Omitted())
	assert.Equal(t, 1, w.Repeats())
}

// many yields frames of 40 series in an order that the output must not have.
func many(frames int, f func(*capture.Frame)) {
	var ss []*capture.Series
	for i := range 40 {
		ss = append(ss, series(i, "h", "Object"+strconv.Itoa(i%3), "", "i"+strconv.Itoa(i), 0, "C"+strconv.Itoa(i%7)))
	}
	var frame capture.Frame
	for n := range frames {
		frame = capture.Frame{Time: time.Unix(int64(n), 0), Record: n, Cells: frame.Cells[:0]}
		for i, s := range ss {
			frame.Cells = append(frame.Cells, capture.Cell{Series: s, Value: float64(n*100 + i)})
		}
		f(&frame)
	}
}

// TestOpenMetricsOnScratch puts more values in order than the memory holds: the
// second half of the time comes first.
func TestOpenMetricsOnScratch(t *testing.T) {
	if testing.Short() || perftest.Race {
		t.Skip("writes 60 MB, which takes long under the race detector")
	}
	const frames = 56_000
	scratch, err := os.Create(filepath.Join(t.TempDir(), "scratch"))
	require.NoError(t, err)
	defer scratch.Close()
	r, pipe := io.Pipe()
	go func() {
		w := export.NewOpenMetrics(pipe, export.MetricsOptions{Scratch: scratch})
		var failed error
		n := int64(0)
		many(frames, func(f *capture.Frame) {
			f.Time = time.Unix((n+frames/2)%frames, 0)
			n++
			if failed == nil {
				failed = w.WriteFrame(f)
			}
		})
		if failed == nil {
			failed = w.Close()
		}
		pipe.CloseWithError(failed)
	}()
	seen := map[string]bool{}
	var last string
	lines, next := 0, 0
	b := make([]byte, 0, 1<<20)
	chunk := make([]byte, 1<<20)
	check := func(line string) {
		if strings.HasPrefix(line, "#") {
			return
		}
		name, rest, _ := strings.Cut(line, " ")
		if name != last {
			require.False(t, seen[name], "%s comes again", name)
			seen[name], last = true, name
			next = 0
		}
		if !strings.HasSuffix(rest, fmt.Sprintf(" %d.000", next)) {
			t.Fatalf("%s: want time %d", line, next)
		}
		next++
		lines++
	}
	for {
		n, err := r.Read(chunk)
		b = append(b, chunk[:n]...)
		for {
			i := bytes.IndexByte(b, '\n')
			if i < 0 {
				break
			}
			check(string(b[:i]))
			b = b[i+1:]
		}
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	assert.Len(t, seen, 40)
	assert.Equal(t, 40*frames, lines)

	w := export.NewOpenMetrics(io.Discard, export.MetricsOptions{})
	var failed error
	many(30_000, func(f *capture.Frame) {
		if failed == nil {
			failed = w.WriteFrame(f)
		}
	})
	assert.ErrorContains(t, failed, "scratch")
}

// TestSQLiteLoadsSQL loads the statements by sqlite3 and asks for the values.
func TestSQLiteLoadsSQL(t *testing.T) {
	sqlite, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("sqlite3 is not installed")
	}
	ask := func(script, question string) string {
		t.Helper()
		cmd := exec.Command(sqlite, "-bail", ":memory:")
		cmd.Stdin = strings.NewReader(script + question)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	_, frames := log()
	script := cooked(t, "sql", export.CookedOptions{}, frames)
	assert.Equal(t, `1|1|2020-03-18 19:05:41.123|0.0|1099511627776|1
2|1|2020-03-18 19:05:41.123|4096.0||
3|1|2020-03-18 19:05:41.123|0.0|1099511627778|1
1|2|2020-03-18 19:05:56.123|86.9373510328441|1099511627776|1
`, ask(script, `SELECT CounterID, RecordIndex, CounterDateTime, CounterValue, (FirstValueA & 0xffffffff) + (FirstValueB << 32), SecondValueB < 0 FROM CounterData ORDER BY RecordIndex, CounterID LIMIT 4;`))
	assert.Equal(t, "6\n", ask(script, "SELECT count(*) FROM CounterDetails;"))
	assert.Equal(t, "x, \"y\"=z\\|a (b)|50% of 'C:\\'|\\\\web01\n", ask(script, "SELECT InstanceName, ParentName, CounterName, MachineName FROM CounterDetails WHERE CounterID = 5;"))
	assert.Equal(t, "web'01.blg|3|420|Pacific Daylight Time\n", ask(script, "SELECT DisplayString, NumberOfRecords, MinutesToUTC, TimeZoneName FROM DisplayToID JOIN (SELECT DISTINCT GUID FROM CounterData) USING (GUID);"))

	var b bytes.Buffer
	w, err := export.NewRaw(&b, "sql", export.CookedOptions{})
	require.NoError(t, err)
	s := snapshot(t, "small", capture.Options{})
	require.NoError(t, w.Write(s))
	require.NoError(t, w.Close())
	// A base of the same names has no row: it is the second value of its counter.
	rows, second := 0, map[string]uint64{}
	for r := range s.Rows() {
		key := fmt.Sprintf("%q", []any{r.Object, r.Counter, r.Instance, r.InstanceIndex, r.Parent})
		if known, ok := second[key]; ok {
			require.True(t, r.Type.IsBase(), key)
			require.Equal(t, known, r.First, key)
		} else if !r.NoFirst {
			second[key] = r.Second
			rows++
		}
	}
	assert.Equal(t, fmt.Sprintf("%d|%d\n", rows, rows), ask(b.String(), "SELECT count(*), count(DISTINCT CounterID) FROM CounterData;"))
}

// TestRawSeries tells the counters of one name apart that a snapshot holds, and
// knows them again in the next.
func TestRawSeries(t *testing.T) {
	var frames []capture.Frame
	w := export.NewRawFrames(frameFunc(func(f *capture.Frame) {
		g := *f
		g.Cells = slices.Clone(f.Cells)
		frames = append(frames, g)
	}))
	row := capture.Row{Time: time.Unix(1, 0), Object: "A", Counter: "B"}
	again := row
	other := row
	other.Counter = "C"
	text := row
	text.NoFirst = true
	next := row
	next.Record = 1
	require.NoError(t, w.WriteRows(func(yield func(*capture.Row) bool) {
		_ = yield(&row) && yield(&again) && yield(&other) && yield(&text) && yield(&next)
	}))
	require.NoError(t, w.Close())
	require.Len(t, frames, 2)
	var ids []int
	for _, f := range frames {
		for _, c := range f.Cells {
			ids = append(ids, c.Series.ID)
		}
	}
	assert.Equal(t, []int{0, 1, 2, 0}, ids)
}

type frameFunc func(*capture.Frame)

func (f frameFunc) WriteFrame(x *capture.Frame) error { f(x); return nil }
func (frameFunc) Close() error                        { return nil }

// influxPoint is a line of the protocol, taken apart as its specification says.
type influxPoint struct {
	measurement string
	tags        map[string]string
	fields      map[string]float64
	time        int64
}

// parseInflux is a reader of line protocol as far as it is used here: a
// backslash escapes a comma, an equals sign and a blank, and stands for itself
// elsewhere.
func parseInflux(line string) (p influxPoint, err error) {
	cut := func(s, signs string) (string, string) {
		var text []byte
		for i := 0; i < len(s); i++ {
			switch {
			case s[i] == '\\' && i+1 < len(s) && strings.IndexByte(", =", s[i+1]) >= 0:
				i++
			case strings.IndexByte(signs, s[i]) >= 0:
				return string(text), s[i:]
			}
			text = append(text, s[i])
		}
		return string(text), ""
	}
	p.tags, p.fields = map[string]string{}, map[string]float64{}
	p.measurement, line = cut(line, ", ")
	var keys []string
	for strings.HasPrefix(line, ",") {
		var k, v string
		k, line = cut(line[1:], "=")
		v, line = cut(strings.TrimPrefix(line, "="), ", ")
		if k == "" || v == "" {
			return p, fmt.Errorf("an empty tag in front of %q", line)
		}
		keys = append(keys, k)
		p.tags[k] = v
	}
	if !slices.IsSorted(keys) || len(keys) != len(p.tags) {
		return p, fmt.Errorf("tags %q", keys)
	}
	for sep := " "; strings.HasPrefix(line, sep); sep = "," {
		var k, v string
		k, line = cut(line[1:], "=")
		v, line = cut(strings.TrimPrefix(line, "="), ", ")
		f, err := strconv.ParseFloat(v, 64)
		if _, twice := p.fields[k]; err != nil || twice {
			return p, fmt.Errorf("field %q: %q", k, v)
		}
		p.fields[k] = f
	}
	p.time, err = strconv.ParseInt(strings.TrimPrefix(line, " "), 10, 64)
	return p, err
}

func TestInfluxReadsBack(t *testing.T) {
	_, frames := log()
	n := 0
	for line := range strings.Lines(cooked(t, "influx", export.CookedOptions{}, frames)) {
		p, err := parseInflux(strings.TrimSuffix(line, "\n"))
		require.NoError(t, err, line)
		assert.Equal(t, "win_perf_counters", p.measurement)
		found := false
		for _, f := range frames {
			for _, c := range f.Cells {
				field := strings.ReplaceAll(strings.ReplaceAll(c.Series.Counter, "%", "Percent"), " ", "_")
				field = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(field, "/sec", "_persec"), `\`, ""), "\t", " ")
				v, ok := p.fields[field]
				if ok && f.Time.UnixNano() == p.time && p.tags["source"] == c.Series.Host && p.tags["objectname"] == c.Series.Object && v == c.Value {
					found = true
				}
			}
		}
		assert.True(t, found, line)
		n += len(p.fields)
	}
	assert.Equal(t, 9, n)

	var b bytes.Buffer
	w, err := export.NewRaw(&b, "influx", export.CookedOptions{Influx: export.InfluxOptions{Measurement: "a b,c"}})
	require.NoError(t, err)
	require.NoError(t, w.Write(snapshot(t, "sys-238-x86_64-1", capture.Options{})))
	require.NoError(t, w.Close())
	for line := range strings.Lines(b.String()) {
		p, err := parseInflux(strings.TrimSuffix(line, "\n"))
		require.NoError(t, err, line)
		assert.Equal(t, "a b,c", p.measurement)
		assert.Contains(t, p.fields, "Percent_Processor_Time_Raw")
	}
}

// TestInfluxRepeats wants a field to stand in a line once, also where counters
// come in another order than before.
func TestInfluxRepeats(t *testing.T) {
	var cells []capture.Cell
	for _, names := range []string{"abc", "cabcca"} {
		owner := &capture.Owner{Object: names}
		for _, name := range names {
			s := &capture.Series{ID: len(cells), Owner: owner, Metric: &capture.Metric{Counter: string(name)}}
			cells = append(cells, capture.Cell{Series: s, Value: float64(len(cells))})
		}
	}
	var b bytes.Buffer
	w, err := export.NewCooked(&b, "influx", export.CookedOptions{})
	require.NoError(t, err)
	writeAll(t, w, []capture.Frame{{Cells: cells}})
	require.Equal(t, `win_perf_counters,objectname=abc a=0,b=1,c=2
win_perf_counters,objectname=cabcca c=3,a=4,b=5
win_perf_counters,objectname=cabcca,duplicate=1 c=6,a=8
win_perf_counters,objectname=cabcca,duplicate=2 c=7
`, b.String())
	require.Equal(t, 2, w.(*export.Influx).Repeats())
}

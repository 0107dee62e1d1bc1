package export_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
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
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// TestOpenMetricsReadsBack reads the text by Prometheus' own parser. That one
// is of the older text format, which differs in the times: it has milliseconds.
func TestOpenMetricsReadsBack(t *testing.T) {
	_, frames := log()
	text := cooked(t, "openmetrics", export.Options{}, frames)
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
	got := map[string]float64{}
	for name, f := range families {
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				name += "|" + l.GetValue()
			}
			got[fmt.Sprint(name, "@", m.GetTimestampMs())] = m.GetGauge().GetValue()
		}
	}
	assert.Len(t, got, 9)
	assert.Equal(t, -1e-7, got[fmt.Sprintf("%s|web01|%s|%s@%d", export.MetricName("Thread", `50% of 'C:\'`), `x, "y"=z\`, "a (b)", frames[1].Time.UnixMilli())])
}

func TestMetricName(t *testing.T) {
	for _, c := range [][3]string{
		{"Processor", "% Processor Time", "windows_performancecounter_processor_percent_processor_time"},
		{"PhysicalDisk", "Avg. Disk Bytes/Read", "windows_performancecounter_physicaldisk_avg__disk_bytes_read"},
		{".NET CLR Memory", "# Gen 0 (x)", "windows_performancecounter__net_clr_memory___gen_0_x"},
		{"Процессор", "% загруженности процессора", "windows_performancecounter_процессор_percent_загруженности_процессора"},
		{"メモリ", "(キャッシュ) バイト™", "windows_performancecounter_メモリ_キャッシュ_バイト"},
		{"𝔘", "\xff", "windows_performancecounter_𝔘"},
	} {
		got := export.MetricName(c[0], c[1])
		assert.Equal(t, model.EscapeName(c[2], model.ValueEncodingEscaping), got)
		assert.Equal(t, c[2], model.UnescapeName(got, model.ValueEncodingEscaping))
		assert.True(t, model.LegacyValidation.IsValidMetricName(got))
	}
}

// TestMetricsThatClash keeps all counters of one name and tells them apart, and
// has the last of several values that have no time.
func TestMetricsThatClash(t *testing.T) {
	a, b := series(0, "h", `A B`, "", "", 0, "C"), series(1, "h", "A", "", "", 0, "B C")
	c := series(2, "h", "a b", "", "", 0, "c")
	text, left := cookedOf(t, "openmetrics", export.Options{}, []capture.Frame{
		{Time: time.Unix(1, 0), Cells: []capture.Cell{{Series: a, Value: 1}, {Series: b, Value: 2}, {Series: c, Value: 3}}},
		{Cells: []capture.Cell{{Series: b, Value: 4}}},
		{Record: 1, Cells: []capture.Cell{{Series: b, Value: 5}}},
	})
	other := model.EscapeName(`windows_performancecounter\a\b c`, model.ValueEncodingEscaping)
	assert.Equal(t, `# TYPE windows_performancecounter_a_b_c gauge
windows_performancecounter_a_b_c{host="h"} 1 1.000
windows_performancecounter_a_b_c{host="h",duplicate="1"} 3 1.000
# TYPE `+other+` gauge
`+other+`{host="h"} 5
`+other+`{host="h"} 2 1.000
# EOF
`, text)
	assert.Equal(t, []int{1, 1}, left)
}

// TestMetricsAreEnglish: dashboards know the English names of counters, whatever
// language a host has. Names without English ones stay.
func TestMetricsAreEnglish(t *testing.T) {
	for metric, s := range map[string]*capture.Series{
		"paging_file_percent_usage":           series(0, "de", "Auslagerungsdatei", "", "", 0, "Belegung (%)"),
		"_net_clr_memory___gen_0_collections": series(0, "de", ".NET CLR-Speicher", "", "", 0, "Auflistungsanzahl der Generation 0"),
		"process_taille_virtuelle_octets":     series(0, "fr", "Processus", "", "", 0, "Taille virtuelle (octets)"), // two counters have this name
		"weather_temperature":                 series(0, "en", "Weather", "", "", 0, "Temperature"),
	} {
		s.ObjectIndex, s.CounterIndex = 0, 0
		text := cooked(t, "openmetrics", export.Options{}, []capture.Frame{{Cells: []capture.Cell{{Series: s, Value: 2}}}})
		assert.Contains(t, text, "windows_performancecounter_"+metric+"{host=")
	}
}

// TestOpenMetricsOfAnyOrder writes frames that go back in time, and each of them
// twice, as raw values of several files come: in each series time goes up, and a
// time is there once.
func TestOpenMetricsOfAnyOrder(t *testing.T) {
	_, frames := log()
	want := cooked(t, "openmetrics", export.Options{}, frames)
	slices.Reverse(frames)
	got, left := cookedOf(t, "openmetrics", export.Options{}, slices.Concat(frames, frames))
	assert.ElementsMatch(t, strings.Split(want, "\n"), strings.Split(got, "\n"))
	assert.NotEmpty(t, left)
	var before []string
	for line := range strings.Lines(got) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		i := strings.LastIndexByte(line, ' ')
		now := []string{line[:strings.LastIndexByte(line[:i], ' ')], line[i:]}
		if before != nil && now[0] == before[0] {
			assert.Greater(t, now[1], before[1], line)
		}
		before = now
	}
}

// many yields frames of 40 series in an order that the output must not have.
func many(frames int, f func(*capture.Frame) error) error {
	var ss []*capture.Series
	for i := range 40 {
		ss = append(ss, series(i, "h", "Object"+strconv.Itoa(i%3), "", "i"+strconv.Itoa(i), 0, "C"+strconv.Itoa(i%7)))
	}
	var frame capture.Frame
	for n := range frames {
		// The second half of the time comes first.
		frame = capture.Frame{Time: time.Unix(int64((n+frames/2)%frames), 0), Record: n, Cells: frame.Cells[:0]}
		for i, s := range ss {
			frame.Cells = append(frame.Cells, capture.Cell{Series: s, Value: float64(n*100 + i)})
		}
		if err := f(&frame); err != nil {
			return err
		}
	}
	return nil
}

// TestOpenMetricsOnScratch puts more values in order than the memory holds.
func TestOpenMetricsOnScratch(t *testing.T) {
	if testing.Short() || perftest.Race {
		t.Skip("writes 15 MB, which takes long under the race detector")
	}
	const frames = 15_000
	scratch, err := os.Create(filepath.Join(t.TempDir(), "scratch"))
	require.NoError(t, err)
	defer scratch.Close()
	r, pipe := io.Pipe()
	go func() {
		w := cookedTo(t, pipe, "openmetrics", export.Options{Scratch: scratch, Workers: 2})
		err := many(frames, w.WriteFrame)
		if err == nil {
			err = w.Close()
		}
		pipe.CloseWithError(err)
	}()
	seen := map[string]bool{}
	last, next, lines := "", 0, 0
	text := bufio.NewScanner(r)
	for text.Scan() {
		name, rest, _ := strings.Cut(text.Text(), " ")
		if name == "#" {
			continue
		}
		if name != last {
			require.False(t, seen[name], "%s comes again", name)
			seen[name], last, next = true, name, 0
		}
		if !strings.HasSuffix(rest, fmt.Sprintf(" %d.000", next)) {
			t.Fatalf("%s: want time %d", text.Text(), next)
		}
		next++
		lines++
	}
	require.NoError(t, text.Err())
	assert.Len(t, seen, 40)
	assert.Equal(t, 40*frames, lines)
	assert.ErrorContains(t, many(30_000, cookedTo(t, io.Discard, "openmetrics", export.Options{}).WriteFrame), "scratch")
}

package page_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/page"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

var noon = time.Date(2026, 3, 17, 12, 0, 0, 0, time.UTC)

// counters are n series of an object with instances.
func counters(host, object string, first, n int) []*capture.Series {
	var all []*capture.Series
	for i := range n {
		s := &capture.Series{
			ID:     first + i,
			Owner:  &capture.Owner{Host: host, Object: object, Instance: fmt.Sprintf("i%d", i/10), HasInstance: true},
			Metric: &capture.Metric{Counter: fmt.Sprintf("c%d", i%10), Type: countertypes.PERF_COUNTER_COUNTER, HasType: true},
		}
		all = append(all, s)
	}
	return all
}

// frame is a frame of values, NaN for none.
func frame(n int, series []*capture.Series, values ...float64) *capture.Frame {
	f := &capture.Frame{Time: noon.Add(time.Duration(n) * time.Second), Offset: capture.Offset{East: 2 * time.Hour, Known: true}, Zone: "CEST", Host: series[0].Host, Record: n}
	for i, s := range series {
		c := capture.Cell{Series: s, Value: values[i]}
		if math.IsNaN(values[i]) {
			c = capture.Cell{Series: s, Status: countertypes.StatusNegativeDelta}
		}
		f.Cells = append(f.Cells, c)
	}
	return f
}

func write(t testing.TB, p *page.Page) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.String()
}

// block returns what a block of data of a page holds.
func block[T any](t testing.TB, page, id string) (v T) {
	t.Helper()
	_, rest, ok := strings.Cut(page, `<script type="application/json" id="`+id+`">`)
	require.True(t, ok, id)
	text, _, ok := strings.Cut(rest, "</script>")
	require.True(t, ok, id)
	require.NoError(t, json.Unmarshal([]byte(text), &v), id)
	return v
}

type meta struct {
	Axes []struct {
		Host    string
		N, Per  int
		Offsets [][]any
		T       string
	}
	Objects [][2]string
	Series  [][]any
	Types   [][2]string
	Units   []string
}

// decode returns the numbers of base64.
func decode(t testing.TB, kind, text string) []float64 {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	var out []float64
	for len(b) > 0 {
		if kind == "d" {
			out, b = append(out, math.Float64frombits(binary.LittleEndian.Uint64(b))), b[8:]
		} else {
			out, b = append(out, float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))), b[4:]
		}
	}
	return out
}

func TestPage(t *testing.T) {
	p := page.New("")
	series := counters("ONE", "Object", 0, 4)
	nan := math.NaN()
	p.AddFrame(frame(0, series[:3], nan, 1, 7))
	p.AddFrame(frame(1, series, 0.1, nan, 7, 5))
	p.AddFrame(frame(2, series[:3], 0.3, 4, 7))
	page := write(t, p)
	assert.Contains(t, page, "<title>ONE - perfdump report</title>")
	assert.Contains(t, page, "2026-03-17 14:00:00 to 14:00:02 +02:00 CEST (2s)")
	assert.Contains(t, page, "<dt>In UTC</dt><dd>2026-03-17 12:00:00 to 12:00:02</dd>")
	assert.Contains(t, page, `<option value="local">local time</option>`)
	assert.Contains(t, page, "<b>2</b> without a value")

	m := block[meta](t, page, "meta")
	require.Len(t, m.Axes, 1)
	assert.Equal(t, 3, m.Axes[0].N)
	assert.Equal(t, [][]any{{0.0, 7200.0, "CEST"}}, m.Axes[0].Offsets)
	start := float64(noon.Unix())
	assert.Equal(t, []float64{start, start + 1, start + 2}, decode(t, "d", m.Axes[0].T))
	assert.Equal(t, [][2]string{{"PERF_COUNTER_COUNTER", "/sec"}}, m.Types)
	none := map[string]any{}
	lost := map[string]any{"negative-delta": 1.0}
	assert.Equal(t, [][]any{
		{0.0, 0.0, "i0", "c0", `\\ONE\Object(i0)\c0`, 0.0, 2.0, 0.1, 0.2, 0.3, 0.3, lost, 0.0, 0.0},
		{0.0, 0.0, "i0", "c1", `\\ONE\Object(i0)\c1`, 0.0, 2.0, 1.0, 2.5, 4.0, 4.0, lost, 0.0, 0.0},
		{0.0, 0.0, "i0", "c2", `\\ONE\Object(i0)\c2`, 0.0, 3.0, 7.0, 7.0, 7.0, 7.0, none, 0.0, 0.0},
		{0.0, 0.0, "i0", "c3", `\\ONE\Object(i0)\c3`, 0.0, 1.0, 5.0, 5.0, 5.0, 5.0, none, 2.0, 0.0},
	}, m.Series)
	assert.Equal(t, []string{"/s"}, m.Units)
	data := block[[][]any](t, page, "data")
	assert.Equal(t, []any{0.0, 3.0, 7.0}, data[2])
	assert.Equal(t, []any{1.0, 1.0, 5.0}, data[3])
	assert.Equal(t, []any{1.0, "d"}, data[0][:2], "0.1 is no single")
	assert.Equal(t, []float64{0.1, 0.3}, decode(t, "d", data[0][2].(string)))
	assert.Equal(t, []any{0.0, "f"}, data[1][:2])
	gap := decode(t, "f", data[1][2].(string))
	assert.True(t, gap[0] == 1 && math.IsNaN(gap[1]) && gap[2] == 4, gap)
}

// TestNotes holds that the page tells what to beware of.
func TestNotes(t *testing.T) {
	series := counters("", "Network Adapter", 0, 3)
	for i, counter := range []string{"Output Queue Length", "Another/sec", "OUTPUT QUEUE LENGTH"} {
		series[i].Counter = counter
	}
	p := page.New("")
	p.AddFrame(frame(0, series, 1, 2, 3))
	page := write(t, p)
	m := block[struct {
		Objects, Series [][]any
		Notes           []string
	}](t, page, "meta")
	assert.Contains(t, m.Objects[0][2], "prefer it")
	require.Len(t, m.Notes, 1)
	assert.Contains(t, m.Notes[0], "Beware: It is not implemented: ignore it.")
	assert.Equal(t, []any{15, 14, 15}, []any{len(m.Series[0]), len(m.Series[1]), len(m.Series[2])})
}

// TestAxes holds that each machine, and each log of one, has an axis of its own,
// so that neither is a gap in the other; that a record with series of two is a
// point on both; and that all machines of a log are named, whatever their case.
func TestAxes(t *testing.T) {
	one, two, other := counters("ONE", "Object", 0, 1), counters("TWO", "Object", 1, 1), counters("one", "Other", 1, 1)
	track := func(f *capture.Frame) *capture.Frame {
		f.Track = 1
		return f
	}
	for _, x := range []struct {
		frames func(i int) []*capture.Frame
		title  string
		hosts  []string
		points []int
	}{
		{func(i int) []*capture.Frame {
			return []*capture.Frame{frame(2*i, one, float64(i)), frame(2*i+1, two, float64(i))}
		}, "ONE, TWO", []string{"ONE", "TWO"}, []int{4, 4}},
		{func(i int) []*capture.Frame {
			if i == 3 {
				return []*capture.Frame{frame(9, append(one, two...), 4, 5)}
			}
			return []*capture.Frame{frame(2*i, one, float64(i)), frame(2*i+1, two, float64(i))}
		}, "ONE, TWO", []string{"ONE", "TWO"}, []int{4, 4}},
		{func(i int) []*capture.Frame { return []*capture.Frame{frame(i, append(one, two...), 1, float64(i))} }, "ONE, TWO", []string{"ONE, TWO"}, []int{4}},
		{func(i int) []*capture.Frame { return []*capture.Frame{frame(i, append(one, other...), 1, float64(i))} }, "ONE", []string{"ONE"}, []int{4}},
		{func(i int) []*capture.Frame {
			return []*capture.Frame{frame(2*i, one, float64(i)), track(frame(2*i+1, other, float64(i)))}
		}, "ONE", []string{"ONE", "one"}, []int{4, 4}},
	} {
		p := page.New("")
		for i := range 4 {
			for _, f := range x.frames(i) {
				p.AddFrame(f)
			}
		}
		text := write(t, p)
		m := block[meta](t, text, "meta")
		var hosts []string
		var points []int
		for _, a := range m.Axes {
			hosts, points = append(hosts, a.Host), append(points, a.N)
		}
		assert.Equal(t, x.hosts, hosts)
		assert.Equal(t, x.points, points)
		assert.Contains(t, text, "<title>"+x.title+" - ")
		for _, s := range m.Series {
			assert.Zero(t, s[12], "snapshots in which it is not there")
		}
	}
}

// TestLongRecording holds that neither the memory nor the page grows with the
// recording, and that what several snapshots became one point of is told.
func TestLongRecording(t *testing.T) {
	const n, frames = 20, 100_000
	series := counters("ONE", "Object", 0, n)
	p := page.New("")
	values := make([]float64, n)
	run := func(from, to int) uint64 {
		for i := from; i < to; i++ {
			for k := range values {
				values[k] = float64(i%1000) + float64(k)
			}
			if i%7 == 0 {
				values[1] = math.NaN()
			}
			p.AddFrame(frame(i, series, values...))
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	early := run(0, frames/2)
	late := run(frames/2, frames)
	assert.Less(t, late, early+32<<20)
	page := write(t, p)
	assert.Less(t, len(page), 24<<20)
	m := block[meta](t, page, "meta")
	per := m.Axes[0].Per
	assert.Equal(t, 8, per)
	times := decode(t, "d", m.Axes[0].T)
	assert.Len(t, times, (frames+per-1)/per)
	assert.Equal(t, []any{frames - (frames+6)/7 + 0.0, 1.0}, []any{m.Series[1][6], m.Series[1][7]})
	d := block[[][]any](t, page, "data")[0]
	assert.Equal(t, "m", d[1])
	v := decode(t, "f", d[2].(string))
	points := len(v) / 3
	require.Equal(t, len(times), points)
	for i := range points {
		require.Equal(t, noon.Unix()+int64(per*i), int64(times[i]))
		low, sum, high := math.Inf(1), 0.0, 0.0
		for k := per * i; k < min(frames, per*(i+1)); k++ {
			low, high, sum = min(low, float64(k%1000)), max(high, float64(k%1000)), sum+float64(k%1000)
		}
		require.Equal(t, []float64{low, high}, []float64{v[i], v[2*points+i]}, i)
		require.InDelta(t, sum/float64(min(frames, per*(i+1))-per*i), v[points+i], 1e-3, i)
	}
	assert.Contains(t, page, "each point of a chart stands for up to 8 snapshots")
}

// TestMaxSeries wants a page of as many series as there may be, and one more to
// be refused.
func TestMaxSeries(t *testing.T) {
	all := counters("ONE", "Object", 0, page.MaxSeries+1)
	values := make([]float64, len(all))
	p := page.New("")
	p.AddFrame(frame(0, all[:1], values...))
	p.AddFrame(frame(1, all[:page.MaxSeries], values...))
	require.NoError(t, p.Write(io.Discard))
	p.AddFrame(frame(2, all, values...))
	p.AddFrame(frame(3, all, values...))
	require.ErrorIs(t, p.Write(io.Discard), perfdump.ErrLimit)
}

// TestHalveLate holds that a series that comes late, and goes, stands at its
// time when points become one.
func TestHalveLate(t *testing.T) {
	series := counters("ONE", "Object", 0, 2)
	p := page.New("")
	for i := range 45_000 {
		switch {
		case i >= 30_001 && i < 30_004:
			p.AddFrame(frame(i, series, 1, float64(i)))
		default:
			p.AddFrame(frame(i, series[:1], 1))
		}
	}
	page := write(t, p)
	m := block[meta](t, page, "meta")
	require.Equal(t, 4, m.Axes[0].Per)
	assert.Equal(t, 45_000.0-3, m.Series[1][12])
	d := block[[][]any](t, page, "data")
	assert.Equal(t, []any{0.0, 11250.0, 1.0}, d[0])
	assert.Equal(t, []any{7500.0, "m"}, d[1][:2])
	assert.Equal(t, []float64{30001, 30002, 30003}, decode(t, "f", d[1][2].(string)))
}

// TestClockless holds that snapshots without a time are numbered.
func TestClockless(t *testing.T) {
	p := page.New("<b>")
	f := frame(0, counters("", "Object", 0, 1), 1)
	f.Time = time.Time{}
	p.AddFrame(f)
	text := write(t, p)
	for _, want := range []string{`"clockless":true`, "unknown machine", "no clock", "<title>&lt;b&gt; - perfdump report</title>", "There are no errors and no anomalies."} {
		assert.Contains(t, text, want)
	}
}

const evil = `</script><script>document.documentElement.dataset.pwned="1"</script><img src=x onerror=alert(1)>`

// hostile is a page all of whose texts mean harm.
func hostile() *page.Page {
	names := []string{
		evil, `=cmd|'/c calc'!A0`, `"><svg onload=alert(1)>`, "<!--<script>", "a\u2028b\u202egnp.exe", "x\x00\x1b[31m", "{{.}}${1}`", "javascript:alert(1)", strings.Repeat("W", 3000), "\xff\xfe",
	}
	p := page.New("")
	p.AddInput(page.Input{Name: evil, Format: "perfdata", Size: 5})
	p.AddFinding(evil, formats.Finding{Code: "gap", Path: evil, Message: evil, Severity: formats.SeverityWarning})
	var series []*capture.Series
	for i, name := range names {
		s := &capture.Series{
			ID:     i,
			Owner:  &capture.Owner{Host: evil, Object: name, Parent: name, HasParent: true, Instance: name, HasInstance: true},
			Metric: &capture.Metric{Counter: name},
		}
		series = append(series, s)
	}
	for k := range 3 {
		f := frame(k, series, make([]float64, len(series))...)
		f.Zone = evil
		for i := range f.Cells {
			f.Cells[i].Value = float64(i * k)
		}
		p.AddFrame(f)
	}
	b := &perftest.Block{Name: evil, Objects: []perftest.Object{{
		Title: 238, Counters: []perftest.Counter{{Title: 6, Type: uint32(countertypes.PERF_COUNTER_RAWCOUNT)}},
		Instances: []perftest.Instance{{Name: evil, Values: []uint64{1}}, {Name: `=cmd|'/c calc'!A0`, Values: []uint64{2}}},
	}}}
	raw := b.Bytes()
	p.SetBytes(evil, int64(len(raw)), func() *hexview.Document { return hexview.PerfData(raw, hexview.Input{}) })
	return p
}

// TestHostileNames holds that no text of the input is markup, a script or an
// attribute, and that the page loads nothing and runs by hashes alone.
func TestHostileNames(t *testing.T) {
	html := write(t, hostile())
	assert.Equal(t, html, write(t, hostile()), "the same input gives the same bytes")
	plain := page.New("")
	plain.SetBytes("", 0, func() *hexview.Document { return hexview.Raw(nil, hexview.Input{}, "") })
	for _, tag := range []string{"<script", "</script", "<img", "<svg", "<!--"} {
		assert.Equal(t, strings.Count(write(t, plain), tag), strings.Count(html, tag), tag)
	}
	assert.NotRegexp(t, `<[^>]*(onerror|onload|\sstyle)=|[\x{202e}\x1b]`, html)
	m := block[meta](t, html, "meta")
	assert.Contains(t, m.Objects[0][1], "</script>", "it is there, as text")
	assert.Equal(t, `=cmd|'/c calc'!A0`, m.Objects[1][1])

	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(html)[1]
	assert.Regexp(t, `^default-src 'none'; script-src 'sha256-[^']+' 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$`, policy)
	assert.NotRegexp(t, `(?i)<(link|iframe|object|embed|base|form)\b|\bsrc=["']?https?:|@import|url\(`, html)
}

func TestFindings(t *testing.T) {
	p := page.New("")
	p.AddInput(page.Input{Name: "a.bin", Format: "ipcblock", Packed: "gzip", Size: 123_456})
	p.AddFinding("a.bin", formats.Finding{Code: "size-mismatch", Offset: 0x40, Path: "chunk[1]", Message: "280 is not 300", Severity: formats.SeverityWarning})
	p.AddFinding("a.bin", formats.Finding{Code: "size-mismatch", Offset: -1, Message: "more", Severity: formats.SeverityWarning, Count: 1500})
	p.AddFinding("a.bin", formats.Finding{Code: "length", Offset: 0, Message: "too long", Severity: formats.SeverityError})
	p.AddRemark(capture.Remark{Code: "restart", Source: "a.bin", Text: "went back"})
	page := write(t, p)
	assert.Contains(t, page, "the entry and the perf block differ", "the meaning is that of the format")
	assert.Contains(t, page, "<b>1,501</b>")
	assert.Contains(t, page, "and 1,500 more")
	assert.Contains(t, page, "<code>0x40</code> <code class=\"path\">chunk[1]</code>")
	assert.Less(t, strings.Index(page, "<code>length</code>"), strings.Index(page, "<code>size-mismatch</code>"), "the worst first")
	assert.Contains(t, page, "<td>ipcblock, gzip</td>")
	assert.Contains(t, page, "the machine was restarted")
}

func TestByteMap(t *testing.T) {
	raw := perftest.Busy(1, perftest.Small)
	p := page.New("")
	p.SetBytes("a.bin", int64(len(raw)), func() *hexview.Document { return hexview.PerfData(raw, hexview.Input{}) })
	type byteMap struct {
		Bytes    []byte
		Spans    [][]any
		Elements [][2]string
	}
	m := block[byteMap](t, write(t, p), "bytemap")
	assert.Equal(t, raw, m.Bytes)
	end := 0.0
	for _, s := range m.Spans {
		require.LessOrEqual(t, s[0], end, "a hole")
		end = max(end, s[0].(float64)+s[1].(float64))
		require.Less(t, int(s[2].(float64)), len(m.Elements))
	}
	assert.Equal(t, len(raw), int(end))
	assert.Equal(t, []any{0.0, 8.0, 0.0, "Signature", `"PERF"`}, m.Spans[0])

	p = page.New("")
	p.SetBytes("b.bin", page.MaxBytes+1, func() *hexview.Document { panic("too large") })
	page := write(t, p)
	assert.NotContains(t, page, `id="bytemap"`)
	assert.Contains(t, page, "has 262,145 bytes. The byte map is for inputs of up to 256 KiB")
}

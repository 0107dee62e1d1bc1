package chart_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/chart"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/golden"
)

var start = time.Date(2026, 3, 17, 9, 26, 40, 0, time.UTC)

// made returns n frames, a step apart, of series whose values are what value
// says; NaN is no value, and so is Inf with a cell of its own.
func made(series []*capture.Series, n int, step time.Duration, value func(s, i int) float64) capture.Frames {
	for i, s := range series {
		s.ID = i
	}
	return func(yield func(*capture.Frame, error) bool) {
		for i := range n {
			f := &capture.Frame{Time: start.Add(time.Duration(i) * step), Offset: capture.Offset{Known: true}, Host: "SRV", Record: i}
			for s := range series {
				c := capture.Cell{Series: series[s], Value: value(s, i)}
				switch {
				case math.IsInf(c.Value, 0):
					continue
				case math.IsNaN(c.Value):
					c.Value, c.Status = 0, countertypes.StatusInvalidData
				}
				f.Cells = append(f.Cells, c)
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}

func draw(t *testing.T, frames capture.Frames) (string, chart.Result) {
	t.Helper()
	var b bytes.Buffer
	r, err := chart.Draw(&b, frames, chart.Options{})
	require.NoError(t, err)
	valid(t, b.String())
	return b.String(), r
}

// valid holds that a picture is XML of a few elements.
func valid(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err, svg)
		if e, ok := token.(xml.StartElement); ok {
			assert.Contains(t, []string{"svg", "title", "desc", "rect", "text", "g", "path"}, e.Name.Local)
			for _, a := range e.Attr {
				assert.False(t, strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href", a.Name.Local)
			}
		}
	}
}

func processors(n int) []*capture.Series {
	var all []*capture.Series
	for i := range n {
		all = append(all, &capture.Series{
			Owner:  &capture.Owner{Host: "SRV", Object: "Processor", Instance: fmt.Sprint(i), HasInstance: true},
			Metric: &capture.Metric{Counter: "% Processor Time", Type: countertypes.PERF_100NSEC_TIMER_INV, HasType: true},
		})
	}
	return all
}

func wave(s, i int) float64 { return 50 + 40*math.Sin(float64(i)/10+float64(s)) }

// TestGolden compares whole pictures. Look at them after -update: a browser
// shows testdata/*.svg.
func TestGolden(t *testing.T) {
	mixed := append(processors(2),
		&capture.Series{
			Owner:  &capture.Owner{Host: "SRV", Object: "Memory"},
			Metric: &capture.Metric{Counter: "Available Bytes", Type: countertypes.PERF_COUNTER_LARGE_RAWCOUNT, HasType: true},
		},
		&capture.Series{
			Owner:  &capture.Owner{Host: "SRV", Object: "PhysicalDisk", Instance: "_Total", HasInstance: true},
			Metric: &capture.Metric{Counter: "Avg. Disk sec/Read", Type: countertypes.PERF_AVERAGE_TIMER, HasType: true},
		})
	for name, frames := range map[string]capture.Frames{
		"processors": made(processors(3), 120, 15*time.Second, wave),
		"gaps": made(processors(2), 60, time.Minute, func(s, i int) float64 {
			switch {
			case i == 0, s == 0 && i > 20 && i < 30:
				return math.NaN()
			case s == 1 && i > 40 && i != 50:
				return math.Inf(1)
			}
			return wave(s, i)
		}),
		"units": made(mixed, 30, 5*time.Second, func(s, i int) float64 {
			switch s {
			case 2:
				return 8e9 + 1e8*wave(s, i)
			case 3:
				return wave(s, i) / 1e4
			}
			return wave(s, i)
		}),
		"many": made(processors(40), 200, time.Second, func(s, i int) float64 { return wave(s, i) * float64(s) / 40 }),
		"none": made(processors(1), 2, time.Second, func(int, int) float64 { return math.NaN() }),
		"once": made(processors(2), 1, time.Second, wave),
	} {
		got, _ := draw(t, frames)
		golden.File(t, filepath.Join("testdata", name+".svg"), []byte(got))
		again, _ := draw(t, frames)
		assert.Equal(t, got, again, "the same frames give the same bytes")
	}
}

var paths = regexp.MustCompile(`<path d="([^"]*)"/>\n(?:<path d="([^"]*)" stroke-width="4.5")?`)

// lines returns the lines of the series: what has a title in front of it.
func lines(svg string) (all [][]string) {
	for _, g := range strings.Split(svg, `stroke-linejoin="round">`)[1:] {
		all = append(all, paths.FindStringSubmatch(g)[1:])
	}
	return all
}

// TestGaps holds that lines end where values do, and go on behind.
func TestGaps(t *testing.T) {
	for name, c := range map[string]struct {
		value func(s, i int) float64
		parts int
		dots  int
	}{
		"no gap":              {wave, 1, 0},
		"no value":            {func(s, i int) float64 { return pick(i == 50, math.NaN(), wave(s, i)) }, 2, 0},
		"no cell":             {func(s, i int) float64 { return pick(i > 50 && i < 60, math.Inf(1), wave(s, i)) }, 2, 0},
		"beyond drawing":      {func(s, i int) float64 { return pick(i == 50, 1e301, wave(s, i)) }, 2, 0},
		"one between two":     {func(s, i int) float64 { return pick(i == 49 || i == 51, math.NaN(), wave(s, i)) }, 3, 1},
		"first, last missing": {func(s, i int) float64 { return pick(i == 0 || i == 99, math.NaN(), wave(s, i)) }, 1, 0},
	} {
		svg, _ := draw(t, made(processors(1), 100, time.Second, c.value))
		line := lines(svg)[0]
		assert.Equal(t, c.parts, strings.Count(line[0], "M"), name)
		assert.Equal(t, c.dots, strings.Count(line[1], "M"), name)
	}
}

func pick(yes bool, a, b float64) float64 {
	if yes {
		return a
	}
	return b
}

// TestFrames changes the frames of two series, in which nothing is missing, and
// holds in how many parts their lines are.
func TestFrames(t *testing.T) {
	var plain [][]string
	for _, x := range []struct {
		name   string
		change func(f *capture.Frame) []capture.Frame
		parts  int
	}{
		{"as they are", func(f *capture.Frame) []capture.Frame { return []capture.Frame{*f} }, 1},
		{"IDs with others between them", func(f *capture.Frame) []capture.Frame {
			for i, c := range f.Cells {
				if f.Record == 0 { // later a goroutine reads them
					c.Series.ID = 2 + 3*i
				}
			}
			return []capture.Frame{*f}
		}, 1},
		{"the recorder was off for a minute", func(f *capture.Frame) []capture.Frame {
			if f.Record >= 100 {
				f.Time = f.Time.Add(time.Minute)
			}
			return []capture.Frame{*f}
		}, 2},
		{"sections of an agent, in frames of their own", func(f *capture.Frame) []capture.Frame {
			a, b := *f, *f
			a.Cells, b.Cells = f.Cells[:1], f.Cells[1:]
			return []capture.Frame{a, b}
		}, 1},
		{"two logs of a machine, each at its own pace", func(f *capture.Frame) []capture.Frame {
			a, b := *f, *f
			a.Cells, b.Cells = f.Cells[:1], f.Cells[1:]
			b.Time, b.Track = f.Time.Add(200*time.Millisecond), 1
			return []capture.Frame{a, b}[:2-f.Record%2]
		}, 1},
	} {
		all := made(processors(2), 200, time.Second, wave)
		svg, r := draw(t, func(yield func(*capture.Frame, error) bool) {
			for f := range all {
				for _, f := range x.change(f) {
					if !yield(&f, nil) {
						return
					}
				}
			}
		})
		assert.Equal(t, 2, r.Drawn, x.name)
		got := lines(svg)
		for _, line := range got {
			assert.Equal(t, x.parts, strings.Count(line[0], "M"), x.name)
		}
		if plain == nil {
			plain = got
		} else if x.name[0] == 'I' {
			assert.Equal(t, plain, got, x.name)
		}
	}
}

// TestHosts holds that all machines are named whose counters there are, though
// frames name the first of theirs alone.
func TestHosts(t *testing.T) {
	two := processors(2)
	other := *two[1].Owner
	other.Host = "OTHER"
	two[1].Owner = &other
	svg, _ := draw(t, made(two, 10, time.Second, wave))
	assert.Contains(t, svg, ">SRV, OTHER · ")

	other.Host = "" // which is no machine
	svg, _ = draw(t, made(two, 10, time.Second, wave))
	assert.Contains(t, svg, ">SRV · ")
}

// TestHostileNames holds that names are text in the picture, whatever they hold.
func TestHostileNames(t *testing.T) {
	const evil = "</title></text><script>alert(1)</script>\" onload='x' &amp; ]]> \x1b[31m\x00 \u202Eevil\uFFFE \xff"
	s := &capture.Series{
		Owner:  &capture.Owner{Host: evil, Object: evil, Instance: evil, HasInstance: true, Parent: evil, HasParent: true},
		Metric: &capture.Metric{Counter: evil},
	}
	other := processors(1)[0]
	other.Instance, other.Counter = strings.Repeat(evil, 1000), "b"+evil
	var b bytes.Buffer
	_, err := chart.Draw(&b, made([]*capture.Series{s, other}, 50, time.Second, wave), chart.Options{Title: evil})
	require.NoError(t, err)
	valid(t, b.String())
	assert.NotContains(t, b.String(), "<script")
	assert.NotContains(t, b.String(), "\x1b")
	assert.NotContains(t, b.String(), "\u202E")
	assert.Contains(t, b.String(), "&lt;script&gt;")
}

// TestChoice holds that of many series the greatest are drawn, of each unit.
func TestChoice(t *testing.T) {
	system := &capture.Owner{Host: "SRV", Object: "System"}
	all := append(processors(30), &capture.Series{Owner: system, Metric: &capture.Metric{Counter: "Threads"}}, &capture.Series{Owner: system, Metric: &capture.Metric{Counter: "Nothing"}})
	svg, r := draw(t, made(all, 100, time.Second, func(s, i int) float64 { return pick(s == 31, math.NaN(), float64(s)) }))
	assert.Equal(t, chart.Result{Frames: 100, Cells: 3200, Drawn: 12, Left: 19, Empty: 1}, r)
	assert.Len(t, lines(svg), 12)
	assert.Contains(t, svg, "12 of 31 counters")
	assert.Contains(t, svg, `>System\Threads<`)
	assert.Contains(t, svg, `>Processor(29)\% Processor Time<`)
	assert.NotContains(t, svg, `>Processor(18)\% Processor Time<`)
}

// TestSizeIsBounded holds that a picture does not grow with the samples, nor
// with the gaps between them.
func TestSizeIsBounded(t *testing.T) {
	for name, value := range map[string]func(s, i int) float64{
		"values": wave,
		"gaps":   func(s, i int) float64 { return pick(i%2 == 0, math.NaN(), wave(s, i)) },
	} {
		svg, _ := draw(t, made(processors(12), 30000, time.Second, value))
		assert.Less(t, len(svg), 12*1000*4*14, name)
	}
}

// TestExtremes are kept, however many samples there are.
func TestExtremes(t *testing.T) {
	svg, _ := draw(t, made(processors(1), 20001, time.Second, func(_, i int) float64 {
		switch i {
		case 7777:
			return 100
		case 15555:
			return 0
		}
		return 50
	}))
	line := lines(svg)[0][0]
	assert.Contains(t, line, " 64L", "the top of the panel")
	assert.Contains(t, line, " 424L", "its bottom")
}

func TestErrors(t *testing.T) {
	fault := errors.New("fault")
	_, err := chart.Draw(io.Discard, func(yield func(*capture.Frame, error) bool) { yield(nil, fault) }, chart.Options{})
	assert.ErrorIs(t, err, fault)
	_, err = chart.Draw(full{}, made(processors(1), 10, time.Second, wave), chart.Options{})
	assert.ErrorIs(t, err, io.ErrShortWrite)
	svg, r := draw(t, func(func(*capture.Frame, error) bool) {})
	assert.Contains(t, svg, "There are no values to show.")
	assert.Zero(t, r)
	s := processors(1)[0]
	svg, r = draw(t, func(yield func(*capture.Frame, error) bool) {
		yield(&capture.Frame{Cells: []capture.Cell{{Series: s, Value: 1}}}, nil)
	})
	assert.Equal(t, 1, r.NoTime)
	assert.Contains(t, svg, "1 of 1 snapshots have no time")
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

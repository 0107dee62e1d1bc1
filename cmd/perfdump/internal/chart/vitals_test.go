package chart_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
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

// server is series of a machine, "object(instance)\counter" each, with the values
// they have on average.
func server(host string, values map[string]float64) (all []*capture.Series, means []float64) {
	for _, path := range []string{
		`Processor Information(_Total)\% Processor Time`, `Processor Information(0,_Total)\% Processor Time`,
		`Processor Information(0,0)\% Processor Time`, `Processor Information(0,1)\% Processor Time`,
		`Processor(_Total)\% Processor Time`, `Memory\Available MBytes`, `Memory\Committed Bytes`,
		`PhysicalDisk(_Total)\Avg. Disk sec/Transfer`, `PhysicalDisk(0 C:)\Avg. Disk sec/Transfer`, `LogicalDisk(C:)\Avg. Disk sec/Transfer`,
		`Network Interface(nic)\Bytes Total/sec`, `Network Interface(nic)\Current Bandwidth`,
		`Process(Idle)\% Processor Time`, `Process(_Total)\% Processor Time`, `Process(a)\% Processor Time`, `Process(b)\% Processor Time`, `Process(漢)\% Processor Time`,
	} {
		mean, ok := values[path]
		if !ok {
			continue
		}
		object, counter, _ := strings.Cut(path, `\`)
		object, instance, has := strings.Cut(strings.TrimSuffix(object, ")"), "(")
		all = append(all, &capture.Series{
			Owner:  &capture.Owner{Host: host, Object: object, Instance: instance, HasInstance: has},
			Metric: &capture.Metric{Counter: counter, Type: countertypes.PERF_COUNTER_LARGE_RAWCOUNT, HasType: true},
		})
		means = append(means, mean)
	}
	return all, means
}

var usual = map[string]float64{
	`Processor Information(_Total)\% Processor Time`: 40, `Processor Information(0,_Total)\% Processor Time`: 40,
	`Processor Information(0,0)\% Processor Time`: 20, `Processor Information(0,1)\% Processor Time`: 60, `Processor(_Total)\% Processor Time`: 41,
	`Memory\Available MBytes`: 4000, `Memory\Committed Bytes`: 9e9,
	`PhysicalDisk(_Total)\Avg. Disk sec/Transfer`: 0.004, `PhysicalDisk(0 C:)\Avg. Disk sec/Transfer`: 0.005, `LogicalDisk(C:)\Avg. Disk sec/Transfer`: 0.006,
	`Network Interface(nic)\Bytes Total/sec`: 25e6, `Network Interface(nic)\Current Bandwidth`: 1e9,
	`Process(Idle)\% Processor Time`: 120, `Process(_Total)\% Processor Time`: 200,
	`Process(a)\% Processor Time`: 10, `Process(b)\% Processor Time`: 60, `Process(漢)\% Processor Time`: 5,
}

// framesOf has values that are a little more and less than their means in turn.
func framesOf(all []*capture.Series, means []float64) capture.Frames {
	return made(all, 60, time.Minute, func(s, i int) float64 {
		if all[s].Counter == "Current Bandwidth" {
			return means[s]
		}
		return means[s] * (1 + 0.1*math.Sin(float64(i)/5+float64(s)))
	})
}

func marks() []chart.Mark {
	at := func(from, to int) chart.Interval {
		return chart.Interval{Start: start.Add(time.Duration(from) * time.Minute), End: start.Add(time.Duration(to) * time.Minute)}
	}
	return []chart.Mark{
		{Title: "Handle leak: <a>", Critical: true, Times: []chart.Interval{at(-10, 100)}},
		{Title: "Slow disk: 0 C:", Times: []chart.Interval{at(10, 15), at(40, 45)}},
		{Title: "Before", Times: []chart.Interval{at(-9, -5)}},
	}
}

// TestVitals draws the vital signs of a machine: one panel each, the right
// instances, the units, and findings. Look at the picture after -update.
func TestVitals(t *testing.T) {
	var b bytes.Buffer
	r, err := chart.Draw(&b, framesOf(server("SRV", usual)), chart.Options{Vitals: true, Marks: marks()})
	require.NoError(t, err)
	valid(t, b.String())
	golden.File(t, filepath.Join("testdata", "vitals.svg"), b.Bytes())
	assert.Equal(t, chart.Result{Frames: 60, Cells: 60 * 17, Drawn: 9, Marks: 2, Vitals: true}, r)
	for _, want := range []string{">CPU<", ">all<", ">busiest: 0,1<", ">available<", ">3.92 GB<", ">0 C:<", ">4.98 ms<", ">Network (% of the link)<", ">CPU by process (% of a core)<", ">漢<", ">Handle leak: &lt;a&gt;, 09:16 to 11:06<", ">Slow disk: 0 C:, 2 times, 09:36 to 10:11<"} {
		assert.True(t, strings.Contains(b.String(), want), want)
	}
	for _, not := range []string{">_Total<", ">Idle<", ">C:<", ">Before"} {
		assert.False(t, strings.Contains(b.String(), not), not)
	}
}

// TestVitalsOf changes what was recorded and what is asked for.
func TestVitalsOf(t *testing.T) {
	for name, x := range map[string]struct {
		without []string // what paths begin with
		set     map[string]float64
		o       chart.Options
		drawn   int
		has     string
		not     string
	}{
		"bytes, if the bandwidth is unknown": {without: []string{`Network Interface(nic)\C`}, drawn: 9, has: ">25 MB/s<", not: "of the link"},
		"bytes, if it is nonsense":           {set: map[string]float64{`Network Interface(nic)\Current Bandwidth`: 1e-300}, drawn: 9, has: ">25 MB/s<", not: "of the link"},
		"values beyond measure":              {set: map[string]float64{`Memory\Available MBytes`: 9e299, `Network Interface(nic)\Bytes Total/sec`: 9e299, `Network Interface(nic)\Current Bandwidth`: 1}, drawn: 9, has: ">available<", not: "NaN"},
		"top 1":                              {o: chart.Options{Top: 1}, drawn: 7, has: ">b<", not: ">a<"},
		"volumes, if there are no disks":     {without: []string{"Physical"}, drawn: 9, has: ">C:<", not: ">0 C:<"},
		"processors of the old object":       {without: []string{"Processor Info"}, drawn: 8, has: ">all<", not: "busiest"},
		"without a process":                  {o: chart.Options{Drop: func(s *capture.Series) bool { return s.Instance == "b" }}, drawn: 8, has: ">a<", not: ">b<"},
		"a finding of many times":            {o: chart.Options{Marks: []chart.Mark{{Title: "Often", Times: slices.Repeat([]chart.Interval{{Start: start.Add(time.Minute), End: start.Add(2 * time.Minute)}}, 9999)}}}, drawn: 9, has: "Often, 9999 times", not: "There"},
		"none":                               {without: []string{"Processor", "Memory", "Phys", "Logical", "Network", `Process(a`, `Process(b`, `Process(漢`}, drawn: 2, has: ">Idle<", not: "Vital signs"},
	} {
		values := map[string]float64{}
	paths:
		for path, v := range usual {
			for _, p := range x.without {
				if strings.HasPrefix(path, p) {
					continue paths
				}
			}
			values[path] = v
		}
		maps.Copy(values, x.set)
		var b bytes.Buffer
		x.o.Vitals = true
		r, err := chart.Draw(&b, framesOf(server("SRV", values)), x.o)
		require.NoError(t, err)
		assert.Equal(t, x.drawn, r.Drawn, name)
		assert.Less(t, b.Len(), 100_000, name)
		x.o.PNG = true
		_, err = chart.Draw(io.Discard, framesOf(server("SRV", values)), x.o)
		require.NoError(t, err)
		assert.True(t, strings.Contains(b.String(), x.has), name)
		assert.False(t, strings.Contains(b.String(), x.not), name)
	}
}

// TestVitalsOfManyMachines holds that a picture does not grow with the machines.
func TestVitalsOfManyMachines(t *testing.T) {
	var all []*capture.Series
	var means []float64
	for i := range 20 {
		s, m := server(fmt.Sprint("SRV", i), usual)
		all, means = append(all, s...), append(means, m...)
	}
	var b bytes.Buffer
	r, err := chart.Draw(&b, framesOf(all, means), chart.Options{Vitals: true})
	require.NoError(t, err)
	valid(t, b.String())
	assert.True(t, strings.Contains(b.String(), ">SRV1: Memory<"), ">SRV1: Memory<")
	assert.True(t, strings.Contains(b.String(), "24 of 100 panels"), "24 of 100 panels")
	assert.Less(t, r.Drawn, 50)
}

// TestPNG draws the same pictures in pixels: lines, dashes, dots, text, areas.
func TestPNG(t *testing.T) {
	for name, x := range map[string]struct {
		frames capture.Frames
		o      chart.Options
		has    []color.RGBA
	}{
		"vitals": {framesOf(server("SRV", usual)), chart.Options{Vitals: true, Marks: marks()}, []color.RGBA{{0x00, 0x72, 0xB2, 255}, {0xD5, 0x5E, 0x00, 255}, {0xFC, 0xF4, 0xE1, 255}}},
		"many":   {made(processors(40), 200, time.Second, func(s, i int) float64 { return wave(s, i) * float64(s) / 40 }), chart.Options{}, []color.RGBA{{0x56, 0xB4, 0xE9, 255}, {0xE2, 0xE2, 0xE2, 255}}},
		"dots":   {made(processors(2), 1, time.Second, wave), chart.Options{}, []color.RGBA{{0x00, 0x72, 0xB2, 255}}},
		"none":   {made(processors(1), 2, time.Second, func(int, int) float64 { return math.NaN() }), chart.Options{}, []color.RGBA{{0x22, 0x22, 0x22, 255}}},
	} {
		var b, again, text bytes.Buffer
		x.o.PNG = true
		_, err := chart.Draw(&b, x.frames, x.o)
		require.NoError(t, err)
		_, err = chart.Draw(&again, x.frames, x.o)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(b.Bytes(), again.Bytes()), "the same frames give the same bytes")
		picture, err := png.Decode(&b)
		require.NoError(t, err)
		size := picture.Bounds()
		assert.Equal(t, 2000, size.Dx(), name)
		x.o.PNG = false
		_, err = chart.Draw(&text, x.frames, x.o)
		require.NoError(t, err)
		assert.True(t, strings.Contains(text.String(), fmt.Sprintf(`height="%d"`, size.Dy()/2)), name)
		pixels, ok := picture.(*image.RGBA)
		require.True(t, ok, name)
		seen := map[color.RGBA]bool{}
		for y := range size.Dy() {
			for x := range size.Dx() {
				seen[pixels.RGBAAt(x, y)] = true
			}
		}
		for _, c := range x.has {
			assert.True(t, seen[c], "%s: %v", name, c)
		}
	}
	_, err := chart.Draw(full{}, made(processors(1), 2, time.Second, wave), chart.Options{PNG: true, Title: "\xff\x00漢"})
	assert.Error(t, err)
}

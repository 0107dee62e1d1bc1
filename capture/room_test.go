package capture_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/pdhcsv"
)

// manySeries is a block of 2 MB whose values share their bytes: it has 1,200,000.
func manySeries() []byte {
	o := perftest.Object{Title: 2}
	for i := range 40 {
		o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + 2*i), Type: 0x00010000, Offset: 4})
	}
	for range 30_000 {
		o.Instances = append(o.Instances, perftest.Instance{Name: "a"})
	}
	return (&perftest.Block{Objects: []perftest.Object{o}}).Bytes()
}

// TestRoomForSeries wants more series than there is room for to be refused, by
// themselves and beside other inputs, and a choice of them to be read.
func TestRoomForSeries(t *testing.T) {
	b := manySeries()
	text := pdhcsv.AppendHeader(nil, pdhcsv.CSV, pdhcsv.Zone{}, func(yield func(string) bool) { yield(`\\H\Memory\Pages/sec`) })
	text = append(text, "\"01/02/2020 03:04:05.678\",\"1\"\r\n"...)
	alone := func() []*detect.Input { return []*detect.Input{bytesOf("a", b)} }
	beside := func() []*detect.Input {
		at := detect.NewFile("a.csv", detect.PDHCSV, bytes.NewReader(text), int64(len(text)))
		return append(alone(), &detect.Input{Name: "a.csv", Format: detect.PDHCSV, At: at})
	}
	for _, inputs := range []func() []*detect.Input{alone, beside} {
		r := record(t, capture.Options{}, capture.CookOptions{}, inputs()...)
		_, err := r.Columns()
		require.ErrorIs(t, err, perfdump.ErrLimit)

		r = record(t, capture.Options{}, capture.CookOptions{}, inputs()...)
		var last error
		for f, err := range r.Frames() {
			require.NoError(t, last, "a frame behind the error")
			if last = err; err != nil {
				require.Empty(t, f.Cells)
			}
		}
		require.ErrorIs(t, last, perfdump.ErrLimit)
		require.ErrorContains(t, last, "choose some")
	}
	filter, err := capture.NewFilter(`\*(a#29999)\*`)
	require.NoError(t, err)
	r := record(t, capture.Options{Filter: filter}, capture.CookOptions{}, bytesOf("a", b))
	columns, err := r.Columns()
	require.NoError(t, err)
	require.Len(t, columns, 40)
}

// TestNoFrameOfASeriesTooMany wants no frame of a track with more series than
// there is room for, whether another comes before or behind.
func TestNoFrameOfASeriesTooMany(t *testing.T) {
	b := manySeries()
	for _, year := range []int{2001, 2099} {
		text := fmt.Sprintf("\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\O\\C\"\r\n\"01/02/%d 03:04:05.678\",\"1\"\r\n", year)
		r := record(t, capture.Options{}, capture.CookOptions{}, bytesOf("a", b), opened(t, text))
		var last error
		for f, err := range r.Frames() {
			require.True(t, err != nil || f.Source != "a", "a frame of a part of the series")
			last = err
		}
		require.ErrorIs(t, last, perfdump.ErrLimit, year)
		require.NoError(t, r.Close())
	}
}

// TestNamesTakeRoom wants a log that is long names to have fewer columns than
// one of short ones: outputs keep names more than once.
func TestNamesTakeRoom(t *testing.T) {
	columns := func(n, name int) error {
		header := []byte(`"(PDH-CSV 4.0) (UTC)(0)"`)
		long := strings.Repeat("n", name)
		for i := range n {
			header = fmt.Appendf(header, `,"\\machine\object\%d%s"`, i, long)
		}
		_, err := record(t, capture.Options{}, capture.CookOptions{}, opened(t, string(header)+"\r\n")).Columns()
		return err
	}
	require.NoError(t, columns(20_000, 10))
	require.NoError(t, columns(5_000, 2500))
	require.ErrorIs(t, columns(20_000, 2500), perfdump.ErrLimit)
}

// TestMemoryOfTooManyRows wants what is refused to be left where the room ends,
// and not at the end of the input.
func TestMemoryOfTooManyRows(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	o := perftest.Object{Title: 2, Counters: []perftest.Counter{{Title: 4, Type: 0x00010000}}}
	for range 600_000 {
		o.Instances = append(o.Instances, perftest.Instance{Name: "a"})
	}
	block := (&perftest.Block{Objects: []perftest.Object{o}}).Bytes()
	o = perftest.Object{}
	header := []byte(`"(PDH-CSV 4.0) (UTC)(0)"`)
	for i := range 400_000 {
		header = fmt.Appendf(header, `,"\\machine\object\counter %07d"`, i)
	}
	text := string(append(header, "\r\n"...))
	for _, in := range []*detect.Input{bytesOf("block", block), opened(t, text)} {
		before := inUse()
		size := uint64(in.Size())
		r := record(t, capture.Options{}, capture.CookOptions{}, in)
		_, err := r.Columns()
		require.ErrorIs(t, err, perfdump.ErrLimit)
		after := inUse()
		t.Logf("%d MiB for %d MiB", (after-min(after, before))>>20, size>>20)
		require.Less(t, after-min(after, before), (64<<20+4*size)*7/8) // all of it takes more
		require.NoError(t, r.Close())
	}
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

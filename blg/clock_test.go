package blg_test

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
)

// firstTime and lastTime are the limits of docs/blg.md.
var (
	firstTime = ticks(time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC))
	lastTime  = ticks(time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)) - 1
)

// impossible are times that no log can have.
var impossible = []int64{0, 1, -1, math.MinInt64, firstTime - 1, lastTime + 1, 1 << 62, math.MaxInt64}

// TestImpossibleTimes: a record at a time that no log can have is told with its
// place and left out, and turns nothing: the others keep their order. Its
// parts may be one or many.
func TestImpossibleTimes(t *testing.T) {
	for _, instances := range []int{1, 500} {
		log := func(local int64) []byte {
			w := blg.NewWriter(blg.WriterOptions{Header: blg.LogHeader{EndTime: noon}})
			w.Items(noon-10, sampleItems()...)
			w.Sample(noon, sampleSeries(t, noon, 1)...)
			w.Sample(local, sampleSeries(t, noon, instances)...)
			w.Sample(noon+second, sampleSeries(t, noon+second, 1)...)
			b, err := w.Bytes()
			require.NoError(t, err)
			return b
		}
		for _, local := range impossible {
			b := log(local)
			var bad extent
			for _, p := range extents(b) {
				if p.time == local {
					bad = p
					break
				}
			}
			f := open(t, b)
			require.True(t, f.InOrder(), local)
			var got []int64
			for rec, err := range f.Records() {
				require.NoError(t, err)
				got = append(got, rec.Local)
			}
			require.Equal(t, []int64{noon, noon + second}, got, local)
			require.EqualValues(t, 1, f.Lost()[blg.LostEvents], local)
			a := f.Anomalies().Kept()[0]
			require.Equal(t, blg.CodeTime, a.Code)
			require.EqualValues(t, bad.from+16, a.Off)
			require.Equal(t, "buffer[1].record[2].Time", a.Path.String())
			_, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{Mode: perfdump.Strict})
			require.ErrorIs(t, err, perfdump.ErrAnomaly)
		}
		for _, local := range []int64{firstTime, lastTime} {
			f := open(t, log(local))
			require.EqualValues(t, 3, f.NumRecords(), local)
			require.Zero(t, f.Lost()[blg.LostEvents], local)
		}
	}
}

// TestImpossibleTimeOfItems: what is no sample keeps its place in the file.
func TestImpossibleTimeOfItems(t *testing.T) {
	for _, local := range impossible {
		w := blg.NewWriter(blg.WriterOptions{Header: blg.LogHeader{EndTime: noon}})
		w.Titles(noon-20, `\\ONE`, "4", "Memory")
		w.Items(local, sampleItems()...)
		w.Sample(noon+second, sampleSeries(t, noon+second, 1)...)
		w.Sample(noon, sampleSeries(t, noon, 1)...) // so that they are sorted
		b, err := w.Bytes()
		require.NoError(t, err)
		f := open(t, b)
		require.False(t, f.InOrder())
		n := 0
		for rec, err := range f.Records() {
			require.NoError(t, err)
			require.Len(t, rec.Items, 4)
			require.Equal(t, 4, rec.Len())
			n++
		}
		require.Equal(t, 2, n)
		require.False(t, f.Lost().Any())
		require.Equal(t, 1, f.Anomalies().Len())
		require.Equal(t, "buffer[1].record[1].Time", f.Anomalies().Kept()[0].Path.String())
	}
}

// TestImpossibleTimesOfTheHeader are told, and not taken for times.
func TestImpossibleTimesOfTheHeader(t *testing.T) {
	log := func(end, start int64) *blg.File {
		w := blg.NewWriter(blg.WriterOptions{Header: blg.LogHeader{EndTime: end}, Tail: blg.LogTail{StartTime: start}})
		w.Items(noon-10, sampleItems()...)
		w.Sample(noon, sampleSeries(t, noon, 1)...)
		b, err := w.Bytes()
		require.NoError(t, err)
		return open(t, b)
	}
	for _, local := range []int64{lastTime + 1, math.MaxInt64} {
		f := log(local, noon)
		_, ok := f.Header().End()
		require.False(t, ok)
		require.EqualValues(t, blg.CodeTime, f.Anomalies().Kept()[0].Code)
		require.EqualValues(t, 0x78, f.Anomalies().Kept()[0].Off)
		f = log(noon, local)
		_, ok = f.Header().Start()
		require.False(t, ok)
		require.EqualValues(t, blg.CodeTime, f.Anomalies().Kept()[0].Code)
		require.EqualValues(t, 0x48+0x20+0x38+2*8+172+4+16, f.Anomalies().Kept()[0].Off)
	}
	f := log(firstTime, lastTime)
	require.Zero(t, f.Anomalies().Len())
	_, ok := f.Header().Start()
	require.True(t, ok)
}

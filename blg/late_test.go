package blg_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
)

// late makes a log whose titles and item list stand where some write them, as
// Windows Server 2019 does: behind the samples.
func late(t testing.TB, items ...[]blg.NewItem) []byte {
	t.Helper()
	w := blg.NewWriter(blg.WriterOptions{BufferSize: 0x1000, Header: blg.LogHeader{EndTime: noon + hour}})
	for i := range int64(3) {
		w.Sample(noon+i*second, sampleSeries(t, noon+i*second, 2)...)
	}
	w.Titles(noon+2*second+20, `\\ONE`, "1", "1847", "4", "Memory")
	for _, list := range items {
		w.Items(noon+2*second+20, list...)
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	return b
}

// The item list behind the samples is that of the samples before it: every
// reader of the file has it from the first record on, and nothing is amiss.
func TestItemListBehindTheSamples(t *testing.T) {
	b := late(t, sampleItems())
	f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	assert.Empty(t, f.Anomalies().Kept())
	assert.False(t, f.Lost().Any())
	assert.Len(t, f.Items(), 4)
	assert.Len(t, f.Titles(), 1)
	assert.False(t, f.InOrder(), "a stream does not give the same")

	before := shape{o: blg.WriterOptions{BufferSize: 0x1000}, records: 3, instances: 2}.bytes(t)
	g, err := blg.NewFile(bytes.NewReader(before), int64(len(before)), blg.Options{})
	require.NoError(t, err)
	for range 2 {
		assert.Equal(t, dump(t, g.Records()), dump(t, f.Records()), "the records are those of a log that begins with its list")
	}

	// A second list behind all samples is in force for none of them.
	b = late(t, sampleItems(), sampleItems()[:1])
	two, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{})
	require.NoError(t, err)
	assert.Equal(t, dump(t, f.Records()), dump(t, two.Records()))
	require.Len(t, two.Anomalies().Kept(), 1)
	assert.Equal(t, blg.CodeItemListAgain, two.Anomalies().Kept()[0].Code)
}

// A stream has the list when the samples are gone: the whole objects are given,
// the other series are not.
func TestItemListBehindTheSamplesOfAStream(t *testing.T) {
	r, err := blg.NewReader(bytes.NewReader(late(t, sampleItems())), blg.Options{})
	require.NoError(t, err)
	n := 0
	for rec, err := range r.Records() {
		require.NoError(t, err)
		n++
		assert.Empty(t, rec.Items)
		assert.Equal(t, 1, rec.Len())
	}
	assert.Equal(t, 3, n)
	assert.Equal(t, int64(9), r.Lost()[blg.LostSeries])
}

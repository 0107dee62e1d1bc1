package blg_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
)

// TestNamesThatShareBytes: instances of a catalogue that all point at one long name
// do not multiply it. Once names have more bytes than there are, no more are read.
func TestNamesThatShareBytes(t *testing.T) {
	long := strings.Repeat("n", 100)
	w := blg.NewWriter(blg.WriterOptions{Header: blg.LogHeader{EndTime: noon}})
	w.Items(noon, sampleItems()...)
	w.Sample(noon, sampleSeries(t, noon, 2)...)
	w.Catalogue(noon, &blg.Catalogue{First: noon, Last: noon, Records: 1, Entries: 1, Objects: []blg.CatalogueEntry{
		{HasInstances: true, Instances: []blg.CatalogueName{{long, 0}, {"b", 0}, {"c", 0}, {"d", 0}}},
	}})
	b, err := w.Bytes()
	require.NoError(t, err)
	for k := range 3 {
		entry := binary.LittleEndian.AppendUint32(nil, uint32(2*len(long)+2+4*k))
		entry = append(entry, "\x00\x00\x00\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"...)
		at := bytes.Index(b, entry)
		require.Positive(t, at)
		copy(b[at:], "\x00\x00\x00\x00")
	}
	f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{})
	require.NoError(t, err)
	require.Equal(t, []blg.CatalogueName{{long, 0}, {long, 0}, {"", 0}, {"", 0}}, f.Catalogue().Objects[0].Instances)
}

// TestCatalogueOfManyParts: a File reads its catalogue anew from the parts of the
// event, which lie apart, and has none once they cannot be read.
func TestCatalogueOfManyParts(t *testing.T) {
	object := blg.CatalogueEntry{HasInstances: true}
	for i := range 5000 {
		object.Instances = append(object.Instances, blg.CatalogueName{Name: strings.Repeat("n", 1+i%9), Duplicate: uint32(i)})
	}
	w := blg.NewWriter(blg.WriterOptions{Header: blg.LogHeader{EndTime: noon}})
	w.Items(noon, sampleItems()...)
	w.Sample(noon, sampleSeries(t, noon, 2)...)
	w.Catalogue(noon, &blg.Catalogue{First: noon, Last: noon, Records: 1, Entries: 1, Objects: []blg.CatalogueEntry{object}})
	b, err := w.Bytes()
	require.NoError(t, err)
	require.Greater(t, len(b), 2*0x10000, "two buffers at least")
	r := &closing{Reader: bytes.NewReader(b)}
	f, err := blg.NewFile(r, int64(len(b)), blg.Options{})
	require.NoError(t, err)
	require.True(t, slices.Equal(object.Instances, f.Catalogue().Objects[0].Instances))
	r.closed = true
	require.Nil(t, f.Catalogue())
}

// closing cannot be read once it is closed.
type closing struct {
	*bytes.Reader
	closed bool
}

func (c *closing) ReadAt(b []byte, off int64) (int, error) {
	if c.closed {
		return 0, os.ErrClosed
	}
	return c.Reader.ReadAt(b, off)
}

// TestCatalogueIsNotKept: a File knows where its catalogue lies, and does not hold it.
func TestCatalogueIsNotKept(t *testing.T) {
	w := blg.NewWriter(blg.WriterOptions{Header: blg.LogHeader{EndTime: noon}})
	w.Items(noon, sampleItems()...)
	w.Sample(noon, sampleSeries(t, noon, 2)...)
	const n = 400_000
	w.Catalogue(noon, &blg.Catalogue{First: noon, Last: noon, Records: 1, Entries: n, Objects: make([]blg.CatalogueEntry, n)})
	b, err := w.Bytes()
	require.NoError(t, err)
	alive := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := alive()
	f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{})
	require.NoError(t, err)
	require.Less(t, alive()-before, int64(2<<20))
	require.Len(t, f.Catalogue().Objects, n)
	runtime.KeepAlive(b)
}

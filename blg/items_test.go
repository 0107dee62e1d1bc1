package blg_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/pdhpath"
)

// TestReadersShareTheList wants all readers of a File to have one list of items,
// and each to tell what is wrong with it.
func TestReadersShareTheList(t *testing.T) {
	odd := append([]byte{0xFF, 6, 0, 0, 8, 0, 2, 0, 60, 0, 0, 0}, make([]byte, 48)...)
	texts := slices.Clone(odd) // an item whose texts are missing
	texts[8] = 52
	for name, list := range map[string]func(w *blg.Writer){
		"plain": func(w *blg.Writer) { w.Items(noon-10, sampleItems()...) },
		"odd":   func(w *blg.Writer) { w.Items(noon-10, sampleItems()...); w.Event(0x20, noon-10, odd) },
		"two": func(w *blg.Writer) {
			other := sampleItems()
			slices.Reverse(other)
			w.Items(noon-10, sampleItems()...)
			w.Items(noon-10, other...)
		},
		"bad":   func(w *blg.Writer) { w.Event(0x20, noon-10, odd) },
		"texts": func(w *blg.Writer) { w.Event(0x20, noon-10, texts) },
	} {
		t.Run(name, func(t *testing.T) {
			w := blg.NewWriter(blg.WriterOptions{})
			list(w)
			w.Sample(noon, sampleSeries(t, noon, 1)...)
			b, err := w.Bytes()
			require.NoError(t, err)
			alone, err := blg.NewReader(bytes.NewReader(b), blg.Options{})
			require.NoError(t, err)
			want := dump(t, alone.Records())
			f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{})
			require.NoError(t, err)
			for range 2 {
				r := f.Reader()
				assert.Equal(t, want, dump(t, r.Records()))
				assert.Equal(t, alone.Anomalies(), r.Anomalies())
				assert.Equal(t, alone.Lost(), r.Lost())
				assert.Equal(t, alone.Items(), r.Items())
				switch name { // of two lists the second is each reader's own
				case "plain", "texts":
					assert.Same(t, &f.Items()[0], &r.Items()[0])
				case "two":
					assert.Equal(t, "Handle Count", r.Items()[0].Path.Counter)
				}
			}
		})
	}
}

// TestListOfOtherParts wants the items of a log in disorder to be of the parts
// that belong together in the order of their times, not in that of the file.
func TestListOfOtherParts(t *testing.T) {
	item := func(counter string) []byte {
		w := blg.NewWriter(blg.WriterOptions{})
		w.Items(noon, blg.NewItem{Path: pdhpath.Path{Machine: "ONE", Object: "O", Counter: counter}, Type: 0x10000})
		b, err := w.Bytes()
		require.NoError(t, err)
		f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{})
		require.NoError(t, err)
		require.Len(t, f.Items(), 1)
		at := bytes.Index(b, []byte{0xFF, 6, 0, 0, 8, 0, 2, 0})
		return b[at : at+8+int(f.Items()[0].Length)]
	}
	for _, other := range []string{"other", "one of another length"} {
		t.Run(other, func(t *testing.T) {
			b, o := item("right"), item(other)
			const half = 40
			require.Equal(t, b[:8], o[:8])
			w := blg.NewWriter(blg.WriterOptions{})
			w.Event(0x55, noon-30, nil)
			w.Part(0x20, noon, 1, 2, b[:half])
			w.NextBuffer()
			w.Part(0x20, noon, 2, 2, o[half:]) // the next one in the file
			w.Sample(noon+1, blg.NewSeries{Kind: blg.Single, Local: noon + 1, Values: []blg.NewValue{{Multi: 1, First: 1}}})
			w.NextBuffer()
			w.Event(0x55, noon-20, nil)
			w.Part(0x20, noon, 2, 2, b[half:]) // the next one in time
			log, err := w.Bytes()
			require.NoError(t, err)
			f, err := blg.NewFile(bytes.NewReader(log), int64(len(log)), blg.Options{})
			require.NoError(t, err)
			assert.False(t, f.InOrder())
			for range 2 {
				r := f.Reader()
				dump(t, r.Records())
				require.Len(t, r.Items(), 1)
				assert.Equal(t, "right", r.Items()[0].Path.Counter)
				assert.Same(t, &f.Items()[0], &r.Items()[0])
			}
		})
	}
}

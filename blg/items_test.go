package blg_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
)

// TestReadersShareTheList wants all readers of a File to have one list of items,
// and each to tell what is wrong with it.
func TestReadersShareTheList(t *testing.T) {
	odd := append([]byte{0xFF, 6, 0, 0, 8, 0, 2, 0, 60, 0, 0, 0}, make([]byte, 48)...)
	for name, list := range map[string]func(w *blg.Writer){
		"plain": func(w *blg.Writer) { w.Items(noon-10, sampleItems()...) },
		"odd":   func(w *blg.Writer) { w.Items(noon-10, sampleItems()...); w.Event(0x20, noon-10, odd) },
		"bad":   func(w *blg.Writer) { w.Event(0x20, noon-10, odd) },
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
				if name == "plain" {
					assert.Same(t, &f.Items()[0], &r.Items()[0])
				}
			}
		})
	}
}

package beside_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/beside"
)

// TestTake holds that frames of all sizes come in their order, with what they had
// when they were given.
func TestTake(t *testing.T) {
	var got []int
	frames := beside.Take(func(f *capture.Frame) {
		got = append(got, f.Record)
		for i := range f.Cells {
			if f.Cells[i].Value != float64(f.Record) {
				t.Errorf("frame %d has a cell of frame %v", f.Record, f.Cells[i].Value)
				return
			}
		}
	})
	f := &capture.Frame{}
	var want []int
	for n := range 200 {
		f.Record = n
		f.Cells = f.Cells[:0]
		for range []int{3, 100, 20_000}[n%3] {
			f.Cells = append(f.Cells, capture.Cell{Value: float64(n)})
		}
		frames.Add(f)
		want = append(want, n)
	}
	frames.End()
	frames.End()
	assert.Equal(t, want, got)
}

type failing struct{ after int }

func (w *failing) WriteFrame(*capture.Frame) error {
	if w.after--; w.after < 0 {
		return errFull
	}
	return nil
}

func (w *failing) Close() error { return nil }

var errFull = errors.New("full")

func TestWriter(t *testing.T) {
	w := beside.Writer(&failing{after: 5})
	var err error
	for n := 0; n < 1000 && err == nil; n++ {
		err = w.WriteFrame(&capture.Frame{})
	}
	assert.ErrorIs(t, err, errFull)
	assert.ErrorIs(t, w.Close(), errFull)
	w = beside.Writer(&failing{after: 5})
	assert.NoError(t, w.WriteFrame(&capture.Frame{}))
	assert.NoError(t, w.Close())
}

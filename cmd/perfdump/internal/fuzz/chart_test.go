package fuzz

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/chart"
)

// FuzzChart: whatever the names, the values and the times, the picture is XML
// without script, and the same again.
func FuzzChart(f *testing.F) {
	f.Fuzz(func(t *testing.T, name, counter string, from, step int64, a, b float64, n uint16) {
		if len(name)+len(counter) > maxInput {
			return
		}
		series := []*capture.Series{
			{
				ID:     0,
				Owner:  &capture.Owner{Host: name, Object: "o", Instance: name, HasInstance: true},
				Metric: &capture.Metric{Counter: counter},
			},
			{ID: 3, Owner: &capture.Owner{Object: counter}, Metric: &capture.Metric{Counter: name}},
		}
		frames := func(yield func(*capture.Frame, error) bool) {
			at := time.Unix(from, 0).UTC()
			for i := range int(n % 3000) {
				f := &capture.Frame{Time: at, Host: name, Cells: []capture.Cell{{Series: series[0], Value: a}, {Series: series[1], Value: b * float64(i)}}}
				if i%7 == 3 {
					f.Cells = f.Cells[1:]
				}
				if !yield(f, nil) {
					return
				}
				at = at.Add(time.Duration(step))
			}
		}
		var first, second bytes.Buffer
		r, err := chart.Draw(&first, frames, chart.Options{})
		if err != nil || r.Drawn > 2 {
			t.Fatal(r, err)
		}
		if _, err := chart.Draw(&second, frames, chart.Options{Title: ""}); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatal("not the same again", err)
		}
		d := xml.NewDecoder(&first)
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok && (e.Name.Local == "script" || len(e.Attr) > 10) {
				t.Fatal(e)
			}
		}
	})
}

package parquet_test

import (
	"bytes"
	"fmt"
	"time"

	pq "github.com/parquet-go/parquet-go"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export/parquet"
)

// Write a cooked value and read the file as others would.
func ExampleNewCooked() {
	s := &capture.Series{Owner: &capture.Owner{Host: "web01", Object: "System"}, Metric: &capture.Metric{Counter: "Processes"}}
	var file bytes.Buffer
	w, err := parquet.NewCooked(&file, parquet.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	at := time.Date(2020, 3, 18, 19, 5, 41, 0, time.UTC)
	if err := w.WriteFrame(&capture.Frame{Time: at, Cells: []capture.Cell{{Series: s, Value: 86}}}); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	type row struct {
		Path  string  `parquet:"path"`
		Value float64 `parquet:"value"`
	}
	rows, err := pq.Read[row](bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rows[0].Path, rows[0].Value)
	// Output:
	// \\web01\System\Processes 86
}

package export_test

import (
	"fmt"
	"os"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/export"
)

// Write the raw values of a capture as JSON Lines.
func ExampleNewRows() {
	in, err := detect.Open("../testdata/captures/small.bin", detect.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	filter, err := capture.NewFilter(`\Processor(_Total)\% Processor Time`)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := export.NewRows(os.Stdout, "jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	for s, err := range capture.Read(in, capture.Options{Filter: filter}) {
		if err == nil {
			err = w.Write(s)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Flush(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"time":"2026-03-17T09:26:40.000Z","host":"SRV-HOST-42","object":"Processor","parent":null,"instance":"_Total","instance_index":0,"counter":"% Processor Time","type":"PERF_100NSEC_TIMER_INV","first":651554210933,"second":134000000000000000,"multi":0,"time_base":10000000}
}

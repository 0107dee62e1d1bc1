package export_test

import (
	"fmt"
	"os"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
)

func ExampleNewCooked() {
	s := &capture.Series{
		Owner:  &capture.Owner{Host: "web01", Object: "Processor", Instance: "_Total", HasInstance: true},
		Metric: &capture.Metric{Counter: "% Processor Time"},
	}
	w, err := export.NewCooked(os.Stdout, "csv", export.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	at := time.Date(2020, 3, 18, 19, 5, 41, 0, time.UTC)
	for i, c := range []capture.Cell{{Series: s, Status: countertypes.StatusNeedsSecondSample}, {Series: s, Value: 86.9}} {
		f := capture.Frame{Time: at.Add(time.Duration(i) * time.Second), Record: i, Cells: []capture.Cell{c}}
		if err := w.WriteFrame(&f); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// time,host,object,parent,instance,instance_index,counter,path,value,status
	// 2020-03-18T19:05:41.000Z,web01,Processor,,_Total,0,% Processor Time,\\web01\Processor(_Total)\% Processor Time,,needs-second-sample
	// 2020-03-18T19:05:42.000Z,web01,Processor,,_Total,0,% Processor Time,\\web01\Processor(_Total)\% Processor Time,86.9,ok
}

// Write the raw values of a capture as JSON Lines.
func ExampleNewRaw() {
	in, err := capture.Open("../testdata/captures/small.bin")
	if err != nil {
		fmt.Println(err)
		return
	}
	filter, err := capture.NewFilter(`\Processor(_Total)\% Processor Time`)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := export.NewRaw(os.Stdout, "jsonl", export.Options{})
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

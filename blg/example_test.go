package blg_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
)

// exampleLog is a log of one counter, a record a second.
func exampleLog() []byte {
	w := blgwriter.New(blgwriter.Options{})
	w.Items(noon-10, blgwriter.Item{
		Path: pdhpath.Path{Machine: "ONE", Object: "Processor", Instance: "*", HasInstance: true, Counter: "% Processor Time"},
		Type: countertypes.PERF_100NSEC_TIMER_INV, TimeBase: 1e7,
	})
	for i := range int64(3) {
		at := noon + i*second
		w.Sample(at, blgwriter.Series{Kind: blg.Instances, Local: at, Values: []blgwriter.Value{
			{Name: "0", First: uint64(i * second / 4), Second: uint64(at + 2*hour)},
			{Name: "_Total", First: uint64(i * second / 2), Second: uint64(at + 2*hour)},
		}})
	}
	b, err := w.Bytes()
	if err != nil {
		log.Fatal(err)
	}
	return b
}

func ExampleOpen() {
	b := exampleLog()
	f, err := blg.Open(bytes.NewReader(b), int64(len(b)), blg.Options{})
	if err != nil {
		log.Fatal(err)
	}
	older := map[string]countertypes.Sample{}
	for rec, err := range f.Records() {
		if err != nil {
			log.Fatal(err)
		}
		for _, s := range rec.All() {
			for _, v := range s.Values() {
				name := v.Name()
				if old, ok := older[name]; ok {
					value, status := countertypes.Cook(&old, &v.Sample, nil)
					fmt.Println(rec.Time().Format("15:04:05"), name, value, status)
				}
				older[name] = v.Sample
			}
		}
	}
	// Output:
	// 14:00:01 0 75 ok
	// 14:00:01 _Total 50 ok
	// 14:00:02 0 75 ok
	// 14:00:02 _Total 50 ok
}

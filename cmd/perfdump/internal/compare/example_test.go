package compare_test

import (
	"fmt"
	"os"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/internal/detect"
)

// Show what one counter has done between two captures.
func ExampleNewTable() {
	var in [2]*detect.Input
	for i, name := range []string{"small.bin", "small-next.bin"} {
		var err error
		if in[i], err = detect.Open("../../../../testdata/captures/"+name, detect.Options{}); err != nil {
			fmt.Println(err)
			return
		}
		defer in[i].Close()
	}
	filter, err := capture.NewFilter(`\System\Processes`)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := compare.NewTable(os.Stdout, compare.TableOptions{Older: "before", Newer: "after"})
	total := &compare.Total{List: "blocks", Partial: true}
	p.Begin(in[0], in[1], nil, total)
	for b, err := range compare.Captures(in[0], in[1], capture.Options{Filter: filter}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		p.Block(b)
		total.Block(b)
		for o := range b.Objects() {
			p.Object(o)
			total.Object(o)
		}
		p.EndBlock()
	}
	p.End()
	if err := p.Flush(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// before -> after
	//   machine    SRV-HOST-42
	//   time       2026-03-17 09:26:40.000 -> 09:26:45.000 UTC, 5s later
	//   perf time  9876543210123 -> 9876593210123  +50000000
	//   100 ns     134000000000000000 -> 134000000050000000  +50000000
	//
	// System  index 2, 1 of 1 value changed
	//   Processes  3382 ->  3384  +2
	//
	// objects 1 changed; values 1 changed
}

package derive_test

import (
	"fmt"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/derive"
)

func ExampleBind() {
	// What recording.Columns and recording.Frames would give.
	packets := &capture.Series{
		ID:     0,
		Owner:  &capture.Owner{Object: "Card", Instance: "eth0", HasInstance: true},
		Metric: &capture.Metric{Counter: "Packets/sec"},
	}
	calls := &capture.Series{
		ID:     1,
		Owner:  &capture.Owner{Object: "Card", Instance: "eth0", HasInstance: true},
		Metric: &capture.Metric{Counter: "Calls/sec"},
	}
	frames := func(yield func(*capture.Frame, error) bool) {
		_ = yield(&capture.Frame{Cells: []capture.Cell{{Series: packets, Value: 600}, {Series: calls, Value: 150}}}, nil) &&
			yield(&capture.Frame{Cells: []capture.Cell{{Series: packets, Value: 0}, {Series: calls, Value: 0}}}, nil)
	}

	set, err := derive.ParseString("Packets per call = [Packets/sec] / [Calls/sec]")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := derive.Bind(set, []*capture.Series{packets, calls})
	if err != nil {
		fmt.Println(err)
		return
	}
	for f, err := range b.Apply(frames) {
		if err != nil {
			fmt.Println(err)
			return
		}
		c := f.Cells[len(f.Cells)-1]
		fmt.Println(c.Series.Path(), c.Value, c.Status)
	}
	// Output:
	// \Card(eth0)\Packets per call 4 ok
	// \Card(eth0)\Packets per call 0 zero-denominator
}

func ExampleParseString() {
	_, err := derive.ParseString("Packets per call = [Packets/sec] / ")
	fmt.Println(err)
	// Output:
	// line[0]: it ends where a counter, a number or "(" should be (offset 0x22)
}

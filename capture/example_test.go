package capture_test

import (
	"fmt"

	"github.com/perfdump/perfdump/capture"
)

// Read the raw values of a capture, whatever its format is.
func ExampleRead() {
	in, err := capture.Open("../testdata/captures/small.bin")
	if err != nil {
		fmt.Println(err)
		return
	}
	filter, err := capture.NewFilter(`\Processor(*)\% Processor Time`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for s, err := range capture.Read(in, capture.Options{Filter: filter}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for row := range s.Rows() {
			fmt.Println(row.Host, row.Object, row.Instance, row.Counter, row.First)
		}
	}
	// Output:
	// SRV-HOST-42 Processor 0 % Processor Time 826722612933
	// SRV-HOST-42 Processor 1 % Processor Time 600130437176
	// SRV-HOST-42 Processor 2 % Processor Time 356425641201
	// SRV-HOST-42 Processor 3 % Processor Time 0
	// SRV-HOST-42 Processor _Total % Processor Time 651554210933
}

// Cook the values of two captures of one machine.
func ExampleRecording() {
	filter, err := capture.NewFilter(`\Processor(*)\% Processor Time`)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := capture.NewRecording(capture.Options{Filter: filter}, capture.CookOptions{})
	defer func() { _ = r.Close() }()
	for _, name := range []string{"small.bin", "small-next.bin"} {
		in, err := capture.Open("../testdata/captures/" + name)
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := r.Add(in); err != nil {
			fmt.Println(err)
			return
		}
	}
	for f, err := range r.Frames() {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, c := range f.Cells {
			if v, ok := c.Number(); ok {
				fmt.Printf("%s %s %.2f\n", f.Time.Format("15:04:05"), c.Series.Path(), v)
			}
		}
	}
	// Output:
	// 09:26:45 \\SRV-HOST-42\Processor(0)\% Processor Time 64.11
	// 09:26:45 \\SRV-HOST-42\Processor(1)\% Processor Time 43.36
	// 09:26:45 \\SRV-HOST-42\Processor(2)\% Processor Time 78.07
	// 09:26:45 \\SRV-HOST-42\Processor(3)\% Processor Time 100.00
	// 09:26:45 \\SRV-HOST-42\Processor(_Total)\% Processor Time 55.36
}

package capture_test

import (
	"fmt"
	"log"
	"time"

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

// Print the slow moments of a disk from a log, whatever its format is.
func ExampleRecording() {
	filter, _ := capture.NewFilter(`\PhysicalDisk(1 D:)\Avg. Disk sec/Transfer`)
	in, err := capture.Open("../testdata/story/srv-sql-01.blg.gz")
	if err != nil {
		log.Fatal(err)
	}
	r := capture.NewRecording(capture.Options{Filter: filter}, capture.CookOptions{})
	defer r.Close()
	if err := r.Add(in); err != nil {
		log.Fatal(err)
	}
	for f, err := range r.Frames() {
		if err != nil {
			log.Fatal(err)
		}
		for _, c := range f.Cells {
			if v, ok := c.Number(); ok && v > 0.0515 {
				fmt.Printf("%s %s %.1f ms\n", f.Local().Format(time.TimeOnly), c.Series.Path(), 1000*v)
			}
		}
	}
	// Output:
	// 10:05:45 \\SRV-SQL-01\PhysicalDisk(1 D:)\Avg. Disk sec/Transfer 51.5 ms
	// 10:10:15 \\SRV-SQL-01\PhysicalDisk(1 D:)\Avg. Disk sec/Transfer 51.6 ms
}

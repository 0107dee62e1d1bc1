package perfdump_test

import (
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

// An error says what is wrong, where in the file and in which part of it, and
// its cause can be asked for.
func ExampleFormatError() {
	data, err := os.ReadFile("testdata/captures/small.bin")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = perfdata.Parse(data[:1000], perfdump.Options{})
	var fault *perfdump.FormatError
	if errors.As(err, &fault) {
		fmt.Println(fault)
		fmt.Println(fault.Code, fault.Off, fault.Path)
	}
	fmt.Println(errors.Is(err, perfdump.ErrTruncated))
	// Output:
	// NumObjectTypes: 35 objects need 0x8c0 bytes, but 0x378 remain; the input is cut short (offset 0x1c)
	// count 28 NumObjectTypes
	// true
}

// What is odd but can be read does not stop a decoder; in strict mode it does.
func ExampleAnomaly() {
	data, err := os.ReadFile("testdata/captures/small.bin")
	if err != nil {
		fmt.Println(err)
		return
	}
	data = append(data, "tail"...)
	block, err := perfdata.Parse(data, perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range block.Anomalies().Kept() {
		fmt.Println(a.Code, "-", a)
	}
	_, err = perfdata.Parse(data, perfdump.Options{Mode: perfdump.Strict})
	fmt.Println(errors.Is(err, perfdump.ErrAnomaly))
	// Output:
	// trailing-bytes - 4 bytes after the block's end (offset 0x1c2d8)
	// true
}

// An exporter queries the registry at intervals and publishes what the counters say. It
// names the counters by a table, cooks each answer with the one before, and reports an
// answer that cannot be read.
func Example() {
	read := func(name string) []byte { // stands for RegQueryValueEx(HKEY_PERFORMANCE_DATA, "4 238")
		data, err := os.ReadFile("testdata/captures/" + name)
		if err != nil {
			log.Fatal(err)
		}
		return data
	}
	table, err := titles.Parse(read("titles-009.bin"), perfdump.Options{}) // the value "Counter 009"
	if err != nil {
		log.Fatal(err)
	}
	names := capture.NewNames(table)
	filter, err := names.Filter(`\Processor(_Total)\% Processor Time`, `\Memory\Available Bytes`)
	if err != nil {
		log.Fatal(err)
	}
	r := capture.NewRecording(capture.Options{Names: names, Filter: filter}, capture.CookOptions{})
	answers := [][]byte{read("small.bin"), read("small-next.bin")[:1000], read("small-next.bin")}
	for i, answer := range answers {
		err := r.Add(&capture.Input{Name: fmt.Sprint("answer ", i), Format: "perfdata", Data: answer})
		if fault := (*perfdump.FormatError)(nil); errors.As(err, &fault) {
			fmt.Printf("answer %d: %s at byte %d\n", i, fault.Code, fault.Off)
		}
	}
	for frame, err := range r.Frames() {
		if err != nil {
			log.Fatal(err)
		}
		for _, cell := range frame.Cells {
			if value, ok := cell.Number(); ok {
				fmt.Println(cell.Series.Path(), value)
			} else {
				fmt.Println(cell.Series.Path(), cell.EffectiveStatus())
			}
		}
	}
	// Output:
	// answer 1: count at byte 28
	// \\SRV-HOST-42\Memory\Available Bytes 6.193187518e+09
	// \\SRV-HOST-42\Processor(_Total)\% Processor Time needs-second-sample
	// \\SRV-HOST-42\Memory\Available Bytes 6.19317657e+09
	// \\SRV-HOST-42\Processor(_Total)\% Processor Time 55.36264
}

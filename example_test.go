package perfdump_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/perfdata"
)

// An error says what is wrong, where in the file and in which part of it, and
// its cause can be asked for.
func ExampleFormatError() {
	data, err := os.ReadFile("testdata/captures/small.bin")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = perfdata.Parse(data[:1000], perfdata.Options{})
	var fault *perfdump.FormatError
	if errors.As(err, &fault) {
		fmt.Println(fault)
		fmt.Println(fault.Code, fault.Off, fault.Path)
	}
	fmt.Println(errors.Is(err, perfdump.ErrTruncated))
	// Output:
	// NumObjectTypes: 35 objects need 0x8c0 bytes, 0x378 are left; the input is cut short (offset 0x1c)
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
	block, err := perfdata.Parse(data, perfdata.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range block.Anomalies().Kept() {
		fmt.Println(a.Code, "-", a)
	}
	_, err = perfdata.Parse(data, perfdata.Options{Mode: perfdump.Strict})
	fmt.Println(errors.Is(err, perfdump.ErrAnomaly))
	// Output:
	// trailing-bytes - 4 bytes after the block's end (offset 0x1c2d8)
	// true
}

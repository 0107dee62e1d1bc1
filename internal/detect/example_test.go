package detect_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

func ExampleWalk() {
	packed := gz((&perftest.Block{Name: "HOST"}).Bytes())
	o := detect.Options{Stdin: bytes.NewReader(packed)}
	for in, err := range detect.Walk([]string{"-"}, o) {
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", in.Name, err)
			continue
		}
		fmt.Println(in.Name, in.Format, in.Packed, len(in.Data))
	}
	// Output: - perfdata gzip 104
}

func ExampleSniff() {
	fmt.Println(detect.Sniff([]byte("6 : % Processor Time\n"), -1))
	// Output: titles true
}

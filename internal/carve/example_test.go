package carve_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/perfdump/perfdump/internal/carve"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

func ExampleScan() {
	image := append([]byte("anything"), (&perftest.Block{Name: "HOST"}).Bytes()...)
	for f, err := range carve.Scan(bytes.NewReader(image), int64(len(image))) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.Offset, f.Length, f.Host, f.Time.Format("2006-01-02 15:04:05"))
	}
	// Output: 8 104 HOST 2025-08-18 14:13:20
}

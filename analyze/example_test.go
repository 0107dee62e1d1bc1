package analyze_test

import (
	"fmt"
	"log"
	"time"

	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/capture"
)

// What was wrong with a server, by the built-in rules.
func Example() {
	in, err := capture.Open("../testdata/story/srv-sql-01.blg.gz")
	if err != nil {
		log.Fatal(err)
	}
	recording := capture.NewRecording(capture.Options{}, capture.CookOptions{Kept: analyze.Kept})
	defer recording.Close()
	if err := recording.Add(in); err != nil {
		log.Fatal(err)
	}
	a := analyze.New(analyze.BuiltIn(), map[string]float64{"ram": 16 << 30})
	for f, err := range recording.Frames() {
		if err != nil {
			log.Fatal(err)
		}
		a.Add(f)
	}
	for _, r := range a.Reports() {
		for _, f := range r.Findings {
			at := r.Offset.Format(f.Intervals[0].Start, nil, time.TimeOnly)
			fmt.Printf("%s, %s: %s (%s)\n", at, f.Severity, f.Title, f.Instance)
		}
	}
	// Output:
	// 08:00:00 +01:00, critical: Handle leak (OrderSync)
	// 10:02:15 +01:00, critical: Slow disk (1 D:)
	// 14:30:15 +01:00, critical: Adapter sends at its limit (Intel[R] Ethernet Server Adapter I350-T2)
	// 12:40:15 +01:00, warning: A process uses one core all the time (PdfExport)
}

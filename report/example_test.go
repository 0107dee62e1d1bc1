package report_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/report"
)

// A page of two moments of a server.
func Example() {
	r := capture.NewRecording(capture.Options{}, capture.CookOptions{})
	defer func() { _ = r.Close() }()
	p := report.New("")
	for _, name := range []string{"../testdata/captures/small.bin", "../testdata/captures/small-next.bin"} {
		in, err := detect.OpenAny(name, detect.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		p.AddInput(report.Input{Name: in.Name, Format: string(in.Format), Size: in.Size()})
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
		p.AddFrame(f)
	}
	var page strings.Builder
	if err := p.Write(&page); err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(page.String()) {
		if strings.HasPrefix(line, "<title>") || strings.Contains(line, " snapshots</li>") {
			fmt.Fprint(os.Stdout, line)
		}
	}
	// Output:
	// <title>SRV-HOST-42 - perfdump report</title>
	// <li><b>2</b> snapshots</li>
}

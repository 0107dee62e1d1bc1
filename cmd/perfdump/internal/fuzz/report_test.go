package fuzz

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/opened"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/page"
	"github.com/perfdump/perfdump/internal/detect"
)

// FuzzReport: the page of a capture is whole and the same each time; its data
// are JSON without a <, and no name, nor anything else in the input, adds a tag.
func FuzzReport(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte, name string) {
		if len(b) > maxInput {
			return
		}
		page := reportPage(t, b, name+"x")
		if !bytes.Equal(page, reportPage(t, b, name+"x")) {
			t.Fatal("not the same page again")
		}
		if !bytes.HasSuffix(page, []byte("</html>\n")) {
			t.Fatal("not whole")
		}
		if n, want := bytes.Count(page, []byte("<")), bytes.Count(reportPage(t, b, "x"), []byte("<")); n != want {
			t.Fatalf("%d tags, %d with another name", n, want)
		}
		_, rest, _ := strings.Cut(string(page), "</footer>")
		for _, part := range strings.Split(rest, `<script type="application/json"`)[1:] {
			_, text, _ := strings.Cut(part, ">")
			text, end, ok := strings.Cut(text, "<")
			if !ok || !strings.HasPrefix(end, "/script>") || !json.Valid([]byte(text)) {
				t.Fatalf("no JSON: %.200q", part)
			}
		}
	})
}

// reportPage makes a page of a capture, in which name stands wherever a file
// or a machine has a name of its own.
func reportPage(t *testing.T, b []byte, name string) []byte {
	t.Helper()
	in := &detect.Input{Name: name, Format: detect.PerfData, Data: b}
	p := page.New(name)
	p.AddInput(page.Input{Name: name, Format: string(in.Format), Size: in.Size()})
	for f := range formats.Of(in.Format).Findings(in, capture.Options{}) {
		p.AddFinding(name, f)
	}
	r := capture.NewRecording(capture.Options{}, capture.CookOptions{Remark: p.AddRemark})
	_ = r.Add(opened.Input(in))
	for f, err := range r.Frames() {
		if err != nil {
			continue
		}
		if f.Host = name; len(f.Cells) > 0 {
			s := *f.Cells[0].Series
			owner, metric := *s.Owner, *s.Metric
			owner.Instance, owner.HasInstance, metric.Counter = name, true, name
			s.Owner, s.Metric = &owner, &metric
			f.Cells[0].Series = &s
		}
		p.AddFrame(f)
	}
	p.SetBytes(name, in.Size(), func() *hexview.Document { return hexview.PerfData(b, hexview.Input{}) })
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

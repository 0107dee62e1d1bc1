package formats

import (
	"bytes"
	"fmt"
	"io"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/opened"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
)

var agentOutput = Format{
	Name:     detect.Checkmk,
	Bytes:    hexview.Lines,
	Facts:    sectionFacts,
	Check:    checkSections,
	Values:   true,
	Document: sectionDocument,
	Timed:    true,
	Sections: true,
	Whole:    true,
	instead:  map[string]string{"diff": overTime(detect.Checkmk)},
}

func openSections(in *detect.Input, o capture.Options) *checkmk.Reader {
	return checkmk.NewReader(bytes.NewReader(in.Data), perfdump.Options{Mode: o.Mode, Limits: o.Limits})
}

// sectionFacts sums up the output of agents.
func sectionFacts(s *Summary, in *detect.Input, o capture.Options) {
	r := openSections(in, o)
	l := logFacts{offset: inUTC, endOffset: inUTC, zoneText: "UTC, as agents send it"}
	objects, sections := map[uint32]bool{}, int64(0)
	for section, err := range r.Sections() {
		if err != nil {
			s.fail(err)
			break
		}
		l.machine(section.Host)
		if t, ok := section.Time(); ok {
			l.at(t)
		}
		objects[section.Object] = true
		sections++
	}
	s.count(r.Anomalies())
	if sections == 0 {
		return
	}
	l.put(s, "")
	l.table(s, sections, len(objects), 0)
	s.key("sections", sections)
	s.key("objects", len(objects))
	s.line("sections", fmt.Sprintf("%s, of %s", table.Grouped(sections), table.GroupedPlural(len(objects), "object")))
}

func checkSections(c *checker, in *detect.Input, o capture.Options) {
	r := openSections(in, o)
	for _, err := range r.Sections() { // which collects the anomalies
		if err != nil {
			c.fail(err)
		}
		if c.done {
			return
		}
	}
	c.anomalies(r.Anomalies())
}

func sectionDocument(out io.Writer, in *detect.Input, o *Documents) error {
	for s, err := range capture.Read(opened.Input(in), o.Options) {
		if err != nil {
			return err
		}
		o.snapshot(s)
	}
	return document.WriteCheckmk(out, in.Name, in.Data, perfdump.Options{Mode: o.Mode, Limits: o.Limits}, o.Document)
}

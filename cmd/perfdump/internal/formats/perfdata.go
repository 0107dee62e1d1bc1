package formats

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/perfdata"
)

var perfData = Format{
	Name:     detect.PerfData,
	Bytes:    hexview.PerfData,
	Facts:    perfDataFacts,
	Check:    checkPerfData,
	Values:   true,
	Document: perfDataDocument,
	Reader:   document.PerfDataReader,
	Captures: true,
	Salvage:  true,
	Query:    true,
	Timed:    true,
	Sections: true,
}

// captureFacts are the facts of blocks of objects. Instances, counters and
// values are summed over all objects of all blocks; counters are definitions,
// bases among them.
type captureFacts struct {
	blocks            int
	host              string
	start, end        time.Time // zero if unknown
	version, revision uint32    // of the first block
	frequency         int64
	headed            bool // the fields above are known
	objects           int
	instances         int
	counters          int
	values            int
	names             []string // of the objects of the first block
}

func perfDataFacts(s *Summary, in *detect.Input, o capture.Options) {
	if o.Names == nil {
		o.Names = capture.NewNames()
	}
	var c captureFacts
	var failed error
	for block, err := range perfdata.Blocks(in.Data, o.Options) {
		if err != nil {
			failed = err
			break
		}
		if c.blocks == 0 {
			c.header(block, o)
			for _, object := range block.Objects() {
				o.Names.Name(object.ObjectNameTitleIndex) // counts it if it has none
			}
			for n := range capture.FromBlock(block, o).Names() {
				c.names = append(c.names, n.Object)
			}
		}
		c.blocks++
		c.at(block)
		c.objects += block.NumObjects()
		for _, object := range block.Objects() {
			if !object.Single() {
				c.instances += object.Len()
			}
			c.counters += len(object.Counters())
			c.values += object.Len() * len(object.Counters())
		}
		s.count(block.Anomalies())
		s.faults(slices.Collect(block.Faults()))
	}
	if failed != nil {
		s.fail(failed)
	}
	if failed != nil && c.blocks == 0 {
		// The header may still be readable.
		o.Mode = perfdump.Salvage
		if block, err := perfdata.Parse(in.Data, o.Options); err == nil {
			c.header(block, o)
			c.at(block)
		}
	}
	c.put(s)
}

func (c *captureFacts) header(b *perfdata.Block, o capture.Options) {
	c.headed = true
	c.host, c.version, c.revision, c.frequency = capture.FromBlock(b, o).Host, b.Version, b.Revision, b.PerfFreq
}

func (c *captureFacts) at(b *perfdata.Block) {
	t, ok := b.Time()
	if !ok {
		return
	}
	if c.start.IsZero() || t.Before(c.start) {
		c.start = t
	}
	if t.After(c.end) {
		c.end = t
	}
}

func (c *captureFacts) put(s *Summary) {
	s.key("blocks", c.blocks)
	s.key("host", orNil(c.host))
	s.key("start", timeOrNil(c.start))
	s.key("end", timeOrNil(c.end))
	s.key("version", c.version)
	s.key("revision", c.revision)
	s.key("perf_freq", c.frequency)
	s.key("objects", c.objects)
	s.key("instances", c.instances)
	s.key("counters", c.counters)
	s.key("values", c.values)
	s.key("object_names", append([]string{}, c.names...))
	s.Holds = cell.Clean(c.host)
	s.at(c.start, inUTC)
	if c.headed {
		s.line("machine", unknown(c.host))
		s.line("time", s.view.span(c.start, inUTC, c.end, inUTC))
		if c.version > 0 {
			s.line("version", fmt.Sprintf("%d.%d", c.version, c.revision))
		}
		s.line("clock", table.Grouped(c.frequency)+" ticks a second")
	}
	if c.blocks == 0 {
		return
	}
	s.Objects, s.Instances, s.Counters = fmt.Sprint(c.objects), fmt.Sprint(c.instances), fmt.Sprint(c.counters)
	if c.blocks > 1 {
		s.line("blocks", table.Grouped(int64(c.blocks)))
	}
	s.line("objects", c.objectsText(s.view))
	s.line("instances", table.Grouped(int64(c.instances)))
	s.line("counters", table.Grouped(int64(c.counters))+", "+table.GroupedPlural(c.values, "value")+" in all")
}

func (c *captureFacts) objectsText(v View) string {
	text := table.Grouped(int64(c.objects))
	if len(c.names) == 0 || c.blocks > 1 {
		return text
	}
	var names []string
	for _, name := range c.names {
		names = append(names, strings.ReplaceAll(cell.Cut(cell.Clean(name), 60), " ", "\u00a0"))
	}
	lines := cell.Wrap(text+": "+strings.Join(names, ", "), v.textWidth())
	const maxLines = 8
	if len(lines) > maxLines {
		lines = append(lines[:maxLines], "…")
	}
	return strings.Join(lines, "\n"+strings.Repeat(" ", indent))
}

// checkPerfData reads in the mode requested, so that it accepts what the mode
// does, and once more for salvage where that fails.
func checkPerfData(c *checker, in *detect.Input, o capture.Options) {
	var first error
	for _, err := range perfdata.Blocks(in.Data, o.Options) {
		first = err
	}
	if first != nil {
		o.Mode = perfdump.Salvage
	}
	reported := first == nil
	fail := func(err error) {
		reported = reported || same(err, first)
		c.fail(err)
	}
	for block, err := range perfdata.Blocks(in.Data, o.Options) {
		if err != nil {
			fail(err)
		} else {
			for fault := range block.Faults() {
				fail(fault)
			}
			c.anomalies(block.Anomalies())
		}
		if c.done {
			return
		}
	}
	if !reported {
		c.fail(first)
	}
}

// perfDataDocument writes a document of blocks. They are all read first: no half
// document precedes an error.
func perfDataDocument(out io.Writer, in *detect.Input, o *Documents) error {
	read := perfdata.Blocks(in.Data, o.Options.Options)
	some, faulty := false, false
	for b, err := range read {
		if err != nil {
			if o.Mode != perfdump.Salvage || !some {
				return err
			}
			faulty = true
			continue
		}
		some = true
		o.snapshot(capture.FromBlock(b, o.Options))
		faulty = faulty || b.NumFaults() > 0
	}
	blocks := func(yield func(*perfdata.Block) bool) { // again, since a small block takes much more than its bytes
		for b, err := range read {
			if err == nil && !yield(b) {
				return
			}
		}
	}
	err := document.WritePerfData(out, in.Name, in.Data, blocks, o.Document)
	if err != nil || !faulty {
		return err
	}
	for b, err := range read { // again, since faults take as much as objects do
		if err != nil {
			o.Failed(err)
			continue
		}
		for fault := range b.Faults() {
			o.Failed(fault)
		}
	}
	return nil
}

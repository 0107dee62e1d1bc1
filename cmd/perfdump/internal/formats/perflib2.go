package formats

import (
	"fmt"
	"io"
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/opened"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/perflib2"
)

var perfLib2 = Format{
	Name:     detect.PerfLib2,
	Document: setDocument,
	Reader:   document.PerfLib2Reader,
	Bytes:    hexview.PerfLib2,
	Facts:    factsOf(parsePerfLib2, perfLib2Facts),
	Check:    checkOf(parsePerfLib2, checkResults),
	Values:   true,
	Timed:    true,
	hint:     "it does not say what types its counters have: `perfdump dump` shows their raw values",
}

// The codes of findings in a block of version 2 counter sets.
const (
	// CodeNoRegistration: the counters have no names and no types.
	CodeNoRegistration perfdump.Code = "no-registration"
	// CodeErrorResult: a result is an error and has no values.
	CodeErrorResult perfdump.Code = "error-result"
)

func parsePerfLib2(in *detect.Input, o capture.Options) (*perflib2.Block, error) {
	return perflib2.Parse(in.Data, o.Options)
}

// maxSetNames bounds the names of a summary, which are numbers.
const maxSetNames = 1000

func perfLib2Facts(s *Summary, b *perflib2.Block) {
	start, _ := b.Time()
	c := captureFacts{headed: true, blocks: 1, frequency: b.PerfFreq, objects: b.Len(), start: start, end: start}
	for i, r := range b.Results() {
		if i < maxSetNames {
			c.names = append(c.names, "#"+strconv.Itoa(i)) // the set has no other name
		}
		if r.Type == perflib2.CounterSet || r.Type == perflib2.MultiInstance {
			c.instances += r.Len()
		}
		c.counters += r.NumCounters()
		c.values += r.Len() * r.NumCounters()
	}
	c.put(s)
}

// noData is the status of a result for a set without instances.
const noData = 0xE8

// checkResults says which results have no values, and that none has names.
func checkResults(c *checker, b *perflib2.Block) {
	some := false
	for _, r := range b.Results() {
		some = some || r.Len() > 0
		if r.Type != perflib2.ErrorResult {
			continue
		}
		text := fmt.Sprintf("no values: status 0x%X", r.Status)
		if r.Status == noData {
			text += ", no data: no instance was there"
		}
		c.find(Finding{Code: CodeErrorResult, Offset: int64(r.Offset()), Path: r.Path().String(), Message: text, Severity: SeverityNote})
	}
	if some {
		c.find(Finding{
			Code: CodeNoRegistration, Severity: SeverityNote,
			Message: "the block does not say what its counters are called nor what type they have, so they are shown as raw values by their ids",
		})
	}
}

func setDocument(out io.Writer, in *detect.Input, o *Documents) error {
	b, err := parsePerfLib2(in, o.Options)
	if err != nil {
		return err
	}
	for s, err := range capture.Read(opened.Input(in), o.Options) {
		if err == nil {
			o.snapshot(s)
		}
	}
	if err := document.WritePerfLib2(out, in.Name, in.Data, b, o.Document); err != nil {
		return err
	}
	for fault := range b.Faults() {
		o.Failed(fault)
	}
	return nil
}

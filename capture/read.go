package capture

import (
	"fmt"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/pdhcsv"
	"github.com/perfdump/perfdump/perfdata"
)

// Options say how a capture is read. The zero Options is tolerant, shows all,
// and names by the built-in table. What Query does not ask for is as if it was
// not there; where it asks for definitions only, there are no instances.
type Options struct {
	Mode     perfdump.Mode
	Limits   perfdump.Limits
	CodePage uint32  // of texts that name none; 0 is the format's default
	Names    *Names  // nil for the built-in names
	Filter   *Filter // nil for everything
	Query    perfdata.Query
	PID      bool // raw rows say which process they are of
	// TimeFormat says how the times of a PDH-CSV are written, see [pdhcsv.Options].
	TimeFormat string
}

func (o Options) perfdata() perfdata.Options {
	return perfdata.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage}
}

func (o Options) blg() blg.Options {
	return blg.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage}
}

func (o Options) pdhcsv() pdhcsv.Options {
	return pdhcsv.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage, TimeFormat: o.TimeFormat}
}

func (o Options) checkmk() checkmk.Options { return checkmk.Options{Mode: o.Mode, Limits: o.Limits} }

// NoCaptureError says that a format holds no capture.
type NoCaptureError struct{ Format detect.Format }

func (e *NoCaptureError) Error() string {
	return fmt.Sprintf("%s holds no counter values that could be shown", e.Format)
}

// Read yields the snapshots of an input in their order. It ends with the first
// error: a *perfdump.FormatError, or a *NoCaptureError for a format that holds
// no capture. The snapshots stay valid and alias in.Data.
func Read(in *detect.Input, o Options) iter.Seq2[*Snapshot, error] {
	return func(yield func(*Snapshot, error) bool) {
		if in.Format != detect.PerfData {
			yield(nil, &NoCaptureError{Format: in.Format})
			return
		}
		if o.Names == nil {
			o.Names = NewNames()
		}
		record := 0
		for block, err := range perfdata.Blocks(in.Data, o.perfdata()) {
			if err != nil {
				yield(nil, err)
				return
			}
			s := FromBlock(block, o)
			s.Source, s.Record = in.Name, record
			if !yield(s, nil) {
				return
			}
			record++
		}
	}
}

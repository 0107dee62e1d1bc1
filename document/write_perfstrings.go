package document

import (
	"io"

	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// PerfStrings is a backup of counter names: what perfstrings.Parse makes of
// Data.
type PerfStrings struct {
	Name   string // its name
	Data   []byte // its bytes, unpacked
	Backup *perfstrings.File
}

// WritePerfStrings writes the document of a backup of counter names to w. The
// only error is one of w.
func WritePerfStrings(w io.Writer, in PerfStrings, o Options) error {
	p := newPrinter(w)
	p.str(`{"format":"perfstrings","file":`, in.Name)
	p.int(`,"size":`, int64(len(in.Data)))
	p.raw(",")
	enc, err := textlines.ParseEncoding(in.Backup.Encoding())
	if err != nil {
		return err // cannot be: it has been read
	}
	text, err := textlines.NewIn(in.Data, enc, textlines.Options{OnlyCRLF: in.Backup.OnlyCRLF()})
	if err != nil {
		return err
	}
	p.lines(text)
	p.raw(`,"perflib":`)
	if v := in.Backup.Perflib(); v.Line > 0 {
		p.given(`{"base_index":`, v.BaseIndex.Value, v.BaseIndex.Given)
		p.given(`,"last_counter":`, v.LastCounter.Value, v.LastCounter.Given)
		p.given(`,"last_help":`, v.LastHelp.Value, v.LastHelp.Given)
		p.int(`,"line":`, int64(v.Line))
		p.raw("}")
	} else {
		p.raw("null")
	}
	p.raw(`,"providers":[`)
	n := 0
	for v := range in.Backup.Providers() {
		if n++; n > 1 {
			p.raw(",")
		}
		p.str("\n {\"service\":", v.Name)
		p.given(`,"first_counter":`, v.FirstCounter.Value, v.FirstCounter.Given)
		p.given(`,"last_counter":`, v.LastCounter.Value, v.LastCounter.Given)
		p.given(`,"first_help":`, v.FirstHelp.Value, v.FirstHelp.Given)
		p.given(`,"last_help":`, v.LastHelp.Value, v.LastHelp.Given)
		p.given(`,"disabled":`, v.Disabled.Value, v.Disabled.Given)
		p.int(`,"line":`, int64(v.Line))
		if p.raw("}"); !p.ok() {
			return p.err
		}
	}
	p.raw(`],"strings":{`)
	for i, l := range in.Backup.Languages() {
		if i > 0 {
			p.raw(",")
		}
		writeString(p, l.ID)
		p.int(":", int64(l.Count))
		if !p.ok() {
			return p.err
		}
	}
	p.raw("},")
	p.anomalies(o.Limits.MaxAnomalies(), in.Backup.Anomalies())
	p.flush()
	return p.err
}

package document

import (
	"io"
	"slices"
	"time"

	"github.com/perfdump/perfdump/pdhcsv"
	"github.com/perfdump/perfdump/pdhpath"
)

// PDHCSV is a text log of PDH: PDH-CSV or PDH-TSV.
type PDHCSV struct {
	Name string            // its name
	TSV  bool              // it is PDH-TSV
	Text *io.SectionReader // its bytes, unpacked
	Read pdhcsv.Options    // how it is read
}

// WritePDHCSV writes the document of a text log to w: what it is a log of, not
// its values, which are rows of cooked values. The machine is that of the first
// path; times are null where there is no row, and utc_offset_minutes, UTC less
// local time, where the header does not say it. The error is one of w, or what is
// wrong with the input; then nothing is written.
func WritePDHCSV(w io.Writer, in PDHCSV, o Options) error {
	r, err := pdhcsv.NewReader(io.NewSectionReader(in.Text, 0, in.Text.Size()), in.Read)
	if err != nil {
		return err
	}
	var start, end time.Time
	rows := int64(0)
	for row, err := range r.Rows() {
		if err != nil {
			return err
		}
		if rows++; rows == 1 || row.Time.Before(start) {
			start = row.Time
		}
		if rows == 1 || row.Time.After(end) {
			end = row.Time
		}
	}
	h := r.Header()
	d := newPrinter(w)
	if in.TSV {
		d.raw(`{"format":"pdh-tsv"`)
	} else {
		d.raw(`{"format":"pdh-csv"`)
	}
	d.str(`,"file":`, in.Name)
	d.int(`,"size":`, in.Text.Size())
	if o.partial() {
		d.raw(`,"partial":true`)
	}
	machine := ""
	for i := range h.Len() {
		if path, ok := h.Path(i); ok && path.Machine != "" {
			machine = path.Machine
			break
		}
	}
	d.name(`,"machine":`, machine, machine != "")
	d.int(`,"rows":`, rows)
	d.time(`,"start":`, start, rows > 0)
	d.time(`,"end":`, end, rows > 0)
	if h.Zone.HasBias {
		d.int(`,"utc_offset_minutes":`, int64(h.Zone.Bias))
	} else {
		d.raw(`,"utc_offset_minutes":null`)
	}
	d.name(`,"zone":`, h.Zone.Name, h.Zone.Name != "")
	d.raw(`,"columns":[`)
	n := 0
	for i := range h.Len() {
		if !d.ok() {
			break
		}
		if !o.choosesColumn(h.Path(i)) {
			continue
		}
		if n++; n > 1 {
			d.raw(",")
		}
		d.str("\n ", h.Column(i))
	}
	d.raw("],")
	d.anomalies(o.Limits.MaxAnomalies(), r.Anomalies())
	d.flush()
	return d.err
}

// choosesColumn reports whether one of the patterns is for a column; ok is false for
// one that is no counter.
func (o *Options) choosesColumn(path pdhpath.Path, ok bool) bool {
	return o.Counters == nil || ok && slices.ContainsFunc(o.both(path.Object, 0, path.Counter, 0), func(name named) bool {
		path.Object, path.Counter = name.object, name.counter
		return slices.ContainsFunc(o.Counters, func(p *pdhpath.Pattern) bool { return p.Match(path) })
	})
}

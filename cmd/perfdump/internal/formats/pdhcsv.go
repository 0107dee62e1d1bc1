package formats

import (
	"io"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/pdhcsv"
	"github.com/perfdump/perfdump/pdhpath"
)

var (
	pdhCSV = rowsFormat(detect.PDHCSV)
	pdhTSV = rowsFormat(detect.PDHTSV)
)

func rowsFormat(name detect.Format) Format {
	return Format{
		Name: name, Facts: rowFacts, Check: checkRows, Document: rowDocument, Bytes: hexview.Lines, Sections: true, Whole: true,
		hint:    "`perfdump cook` shows its values",
		instead: map[string]string{"dump": notRaw(name), "diff": overTime(name)},
	}
}

func rowOptions(o capture.Options) pdhcsv.Options {
	return pdhcsv.Options{Options: o.Options, TimeFormat: o.TimeFormat}
}

func openRows(in *detect.Input, o capture.Options) (*pdhcsv.Reader, error) {
	return pdhcsv.NewReader(io.NewSectionReader(in.At, 0, in.Size()), rowOptions(o))
}

// rowFacts sums up a text log in one pass.
func rowFacts(s *Summary, in *detect.Input, o capture.Options) {
	r, err := openRows(in, o)
	if err != nil {
		s.fail(err)
		return
	}
	h := r.Header()
	offset := capture.Offset{East: -time.Duration(h.Zone.Bias) * time.Minute, Known: h.Zone.HasBias}
	l := logFacts{zone: h.Zone.Name, endOffset: offset}
	if h.Zone.HasBias {
		l.offset, l.from = offset, "header"
	}
	columns, rows, objects := 0, int64(0), map[[2]string]bool{}
	for i := range h.Len() {
		if p, ok := h.Path(i); ok {
			columns++
			l.machine(p.Machine)
			objects[[2]string{p.Machine, p.Object}] = true
		}
	}
	for row, err := range r.Rows() {
		if err != nil {
			s.fail(err)
			break
		}
		l.at(row.Time)
		rows++
	}
	s.count(r.Anomalies())
	l.put(s, "")
	l.table(s, rows, len(objects), columns)
	s.key("rows", rows)
	s.fact("columns", "columns", columns)
	s.line("rows", table.Grouped(rows))
}

func checkRows(c *checker, in *detect.Input, o capture.Options) {
	r, err := openRows(in, o)
	if err != nil {
		c.fail(err)
		return
	}
	for _, err := range r.Rows() { // which collects the anomalies
		if err != nil {
			c.fail(err)
		}
		if c.done {
			return
		}
	}
	c.anomalies(r.Anomalies())
}

func rowDocument(out io.Writer, in *detect.Input, o *Documents) error {
	r, err := openRows(in, o.Options)
	if err != nil {
		return err
	}
	for i := range r.Header().Len() {
		if path, ok := r.Header().Path(i); ok {
			o.item(path, (*pdhpath.Pattern).Match)
		}
	}
	return document.WritePDHCSV(out, in.Name, in.Format == detect.PDHTSV, in.At, in.Size(), rowOptions(o.Options), o.Document)
}

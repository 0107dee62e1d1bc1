package pdhcsv_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/pdhcsv"
)

// TestSweep damages each place of small logs: what is reported, and all that can be
// read, is what testdata has. To review a change, look the lines of text up in
// docs/text-logs.md.
func TestSweep(t *testing.T) {
	const log = `"(PDH-CSV 4.0) (Pacific Time)(480)","\\h\P(_T)\%","\\h\M\A ""x"""` + "\r\n" +
		`"11/26/2016 13:46:30.874"," ","-86.937e1"` + "\r\n\"11/26/2016 13:46:31.874\",0,\"5\"\n"
	for name, b := range map[string][]byte{
		"csv":  []byte(log),
		"tsv":  []byte("\"(PDH-TSV 4.0) (Z)(-60)\"\t\"\\\\h\\P\"\r\n\"01/02/2016 03:04:05\"\t\"1.50\"\r\n"),
		"wide": utf16Bytes("\ufeff\"(PDH-CSV 4.0) (Z)(0)\",\"\\\\h\\P\"\r\n\"01/02/2016 03:04:05.006\",\"7\"\r\n", false),
	} {
		golden.Sweep(t, filepath.Join("testdata", "sweep-"+name+".txt"), b, golden.Characters("\x00\",\t )-0/\r\n\xFF"), perftest.Race, reading)
	}
}

func reading(b []byte) *golden.Reading {
	var r golden.Reading
	in, err := pdhcsv.NewReader(bytes.NewReader(b), pdhcsv.Options{})
	if r.Error(err); err != nil {
		return &r
	}
	h := in.Header()
	r.Note(h.First, h.Zone, h.Separator, h.Len())
	for i := range h.Len() {
		r.Note(h.Column(i), h.FirstOf(i))
	}
	for row, err := range in.Rows() {
		if r.Error(err); err == nil {
			r.Note(row.Local, row.Time, row.Values, row.Cells, row.Index, row.Off)
		}
	}
	r.Anomalies(in.Anomalies())
	return &r
}

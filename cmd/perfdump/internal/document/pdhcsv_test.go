package document_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/pdhcsv"
)

func dumpPDHCSV(name, text string, read pdhcsv.Options, o document.Options) (string, error) {
	var doc bytes.Buffer
	err := document.WritePDHCSV(&doc, name, strings.HasSuffix(name, ".tsv"), strings.NewReader(text), int64(len(text)), read, o)
	return doc.String(), err
}

// A text log's document says what it is a log of, with null for what it does
// not say, and is nothing where the log cannot be read.
func TestPDHCSV(t *testing.T) {
	doc, err := dumpPDHCSV("a.tsv", "Time\t\\\\h\\o(i)\\c\tx\n01/02/2003 04:05:06.007\t1\t2\n01/02/2003 03:05:06.007\t1\t2\n", pdhcsv.Options{}, document.Options{})
	require.NoError(t, err)
	require.JSONEq(t, `{"format":"pdh-tsv","file":"a.tsv","size":74,"machine":"h","rows":2,"start":"2003-01-02T03:05:06.007Z","end":"2003-01-02T04:05:06.007Z",
		"utc_offset_minutes":null,"zone":null,"columns":["\\\\h\\o(i)\\c","x"],"anomalies":[
		{"code":"header-cell","offset":0,"path":"header","message":"the first cell does not say what the file is; its columns do"},
		{"code":"no-bias","offset":0,"path":"header","message":"the first cell does not say how far the times are from UTC: they are read as UTC"},
		{"code":"column-path","offset":16,"path":"column[1]","message":"the name of the column is no counter path: skipped"},
		{"code":"time-order","offset":46,"path":"row[1]","message":"the time is before that of the row above, as where daylight time ends"}]}`, doc)

	doc, err = dumpPDHCSV("a.csv", `"(PDH-CSV 4.0) (GMT Daylight Time)(-60)","\o\c"`, pdhcsv.Options{}, document.Options{Mode: perfdump.Salvage})
	require.NoError(t, err)
	require.JSONEq(t, `{"format":"pdh-csv","file":"a.csv","size":47,"partial":true,"machine":null,"rows":0,"start":null,"end":null,
		"utc_offset_minutes":-60,"zone":"GMT Daylight Time","columns":["\\o\\c"],"anomalies":[]}`, doc)

	doc, err = dumpPDHCSV("", "none", pdhcsv.Options{}, document.Options{})
	require.ErrorIs(t, err, perfdump.ErrSignature)
	require.Empty(t, doc)
	doc, err = dumpPDHCSV("", "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\o\\c\"\n\"01/02/2003 04:05:06.007\",\"x\"\n", pdhcsv.Options{Options: perfdump.Options{Mode: perfdump.Strict}}, document.Options{})
	require.ErrorIs(t, err, perfdump.ErrAnomaly)
	require.Empty(t, doc)
}

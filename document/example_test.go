package document_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/titles"
)

// A document encodes to the bytes that it was made from.
func ExampleEncode() {
	table, err := titles.New(titles.Encoding{}, titles.Entry{Index: 1, Text: "1847"}, titles.Entry{Index: 2, Text: "System"})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := table.AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var doc strings.Builder
	if err := document.WriteTitles(&doc, document.Titles{Name: "names.bin", Data: data, Table: table}, document.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(doc.String())
	var back bytes.Buffer
	if err := document.Encode(&back, strings.NewReader(doc.String())); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bytes.Equal(back.Bytes(), data))
	// Output:
	// {"format":"titles","file":"names.bin","size":34,"encoding":"utf-16le","entries":[
	//  {"language":"009","kind":"counter","index":"1","text":"1847","offset":0},
	//  {"language":"009","kind":"counter","index":"2","text":"System","offset":14}],"anomalies":[]}
	// true
}

func ExampleWritePDHCSV() {
	const log = `"(PDH-CSV 4.0) (UTC)(0)","\\SRV\Memory\Available MBytes"
"05/15/2024 10:00:00.123","412"
"05/15/2024 10:00:15.123","409"
`
	in := document.PDHCSV{Name: "log.csv", Text: io.NewSectionReader(strings.NewReader(log), 0, int64(len(log)))}
	var doc strings.Builder
	if err := document.WritePDHCSV(&doc, in, document.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(doc.String())
	// Output:
	// {"format":"pdh-csv","file":"log.csv","size":121,"machine":"SRV","rows":2,"start":"2024-05-15T10:00:00.123Z","end":"2024-05-15T10:00:15.123Z","utc_offset_minutes":0,"zone":"UTC","columns":[
	//  "\\\\SRV\\Memory\\Available MBytes"],"anomalies":[]}
}

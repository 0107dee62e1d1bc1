package document_test

import (
	"bytes"
	"fmt"
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
	if err := document.WriteTitles(&doc, document.Titles{File: "names.bin", Data: data, Table: table}, document.Options{}); err != nil {
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

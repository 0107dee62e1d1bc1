package titles_test

import (
	"fmt"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/titles"
)

func ExampleParse() {
	// As RegQueryValueExA gives it; RegQueryValueExW gives UTF-16.
	table, err := titles.Parse([]byte("1\x001847\x002\x00System\x00238\x00Processor\x00\x00"), perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	name, ok := table.Lookup(238)
	fmt.Println(name, ok, table.Indexes("SYSTEM"))
	// Output: Processor true [2]
}

func ExampleTable_Anomalies() {
	table, err := titles.Parse([]byte("2\x00System\x00abc\x004\x00Memory\x00"), perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range table.Anomalies().Kept() {
		fmt.Println(a.Code, a)
	}
	// Output:
	// index-text a string of 3 bytes in place of an index; skipped (offset 0x9)
	// no-terminator no empty string ends the table (offset 0x16)
}

func ExampleNew() {
	table, err := titles.New(titles.Encoding{CodePage: 1252}, titles.Entry{Index: 2, Text: "Café"})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, _ := table.AppendBinary(nil)
	fmt.Printf("%q\n", b)
	// Output: "2\x00Caf\xe9\x00\x00"
}

func ExampleNames() {
	table, err := titles.ParseText([]byte("2000 : My Object\n"), perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	names := titles.NewNames(table)
	fmt.Println(names.Name(2000), "|", names.Name(6), "|", names.Name(4711))
	// Output: My Object | % Processor Time | 4711
}

func ExampleTable_Match() {
	for _, index := range titles.Base().Match("*disk queue*") {
		name, _ := titles.Base().Lookup(index)
		fmt.Println(index, name)
	}
	// Output:
	// 198 Current Disk Queue Length
	// 1400 Avg. Disk Queue Length
}

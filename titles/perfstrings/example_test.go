package perfstrings_test

import (
	"fmt"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/titles"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

func ExampleParse() {
	f, err := perfstrings.Parse([]byte("[Perflib]\r\nBase Index=1847\r\nLast Counter=1846\r\nLast Help=1847\r\n\r\n[PerfStrings_009]\r\n1=1847\r\n2=System\r\n4=Memory"), perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range f.Languages() {
		fmt.Println(l.ID, l.Count)
	}
	names, err := f.Table("009", titles.Counter)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(names.Lookup(4))
	// Output:
	// 009 3
	// Memory true
}

func ExampleAppend() {
	names, err := titles.New(titles.Encoding{}, titles.Entry{Index: 1848, Text: "Database"})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := perfstrings.Append(nil, &perfstrings.Backup{Strings: []perfstrings.Strings{{Language: "009", Tables: []*titles.Table{names}}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := perfstrings.Parse(b, perfdump.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Encoding(), f.Perflib().LastCounter.Value)
	// Output: utf-16le 1848
}

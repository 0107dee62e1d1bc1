package pdhcsv_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/perfdump/perfdump/pdhcsv"
)

func ExampleReader() {
	const log = `"(PDH-CSV 4.0) (Pacific Standard Time)(480)","\\web01\Processor(_Total)\% Processor Time"
"11/26/2016 13:46:30.874"," "
"11/26/2016 13:46:31.874","86.93735103284412"
`
	r, err := pdhcsv.NewReader(strings.NewReader(log), pdhcsv.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Header().Column(0))
	for row, err := range r.Rows() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(row.Time, row.Values[0])
	}
	// Output:
	// \\web01\Processor(_Total)\% Processor Time
	// 2016-11-26 21:46:30.874 +0000 UTC NaN
	// 2016-11-26 21:46:31.874 +0000 UTC 86.93735103284412
}

func ExampleAppendValue() {
	row := pdhcsv.AppendTime(nil, time.Date(2016, 11, 26, 13, 46, 31, 874e6, time.UTC))
	row = pdhcsv.AppendValue(row, pdhcsv.CSV, 86.93735103284412)
	row = pdhcsv.AppendMissing(row, pdhcsv.CSV)
	fmt.Println(string(row))
	// Output: "11/26/2016 13:46:31.874","86.93735103284412"," "
}

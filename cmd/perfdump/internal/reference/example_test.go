package reference_test

import (
	"fmt"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/reference"
)

func ExampleWords() {
	for _, a := range reference.Words("F3030000", "0x80070002", "perflib:1014", "no-terminator") {
		for _, r := range a.Readings {
			for _, m := range r.Meanings {
				fmt.Printf("%s (%s): %s, %s\n", a.Word, r.As, m.Name, m.Source.Describe())
			}
		}
	}
	// Output:
	// F3030000 (event-data): ERROR_CANTOPEN, an error code of Windows
	// 0x80070002 (number): ERROR_FILE_NOT_FOUND, an error code of Windows
	// perflib:1014 (event): perflib:1014, an event of Perflib
	// no-terminator (word): no-terminator, an anomaly that perfdump reports
}

func ExampleNumber() {
	for _, m := range reference.Number(0x800007D5) {
		fmt.Println(m.Name)
		fmt.Println(m.Text)
	}
	// Output:
	// PDH_NO_DATA
	// No data: nothing was collected, or the query has no counter that exists.
}

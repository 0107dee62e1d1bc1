package hexview_test

import (
	"fmt"
	"os"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
)

// Show the first bytes of a capture with what they mean.
func ExampleWrite() {
	data, err := os.ReadFile("../../../../testdata/captures/small.bin")
	if err != nil {
		fmt.Println(err)
		return
	}
	doc := hexview.PerfData(data, hexview.Input{})
	if _, err := hexview.Write(os.Stdout, doc, hexview.Options{Range: hexview.Range{From: 0, To: 0x28}}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0x00000 50 00 45 00 52 00 46 00                         |P.E.R.F.        | Signature = "PERF"
	// 0x00008 01 00 00 00                                     |....            | LittleEndian = 1
	// 0x0000c 01 00 00 00                                     |....            | Version = 1
	// 0x00010 01 00 00 00                                     |....            | Revision = 1
	// 0x00014 d8 c2 01 00                                     |....            | TotalByteLength = 115416  ends at 0x1c2d8
	// 0x00018 70 00 00 00                                     |p...            | HeaderLength = 112  ends at 0x70
	// 0x0001c 23 00 00 00                                     |#...            | NumObjectTypes = 35
	// 0x00020 ee 00 00 00                                     |....            | DefaultObject = 238  Processor
	// 0x00024 ea 07 03 00                                     |....            | SystemTime = 2026-03-17T09:26:40.000Z  (part of 16 bytes at 0x24)
}

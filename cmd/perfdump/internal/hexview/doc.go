// Package hexview shows every byte of an input with what it means: address,
// bytes in hex and in ASCII, and the path of the field with its value.
//
//	0x001c 01 00 00 00                                     |....            | NumObjectTypes = 1
//	0x0020 ee 00 00 00                                     |....            | DefaultObject = 238  Processor
//
// A [Document] has the bytes, what each means, and how values are written. Each
// format has a function that returns one; the table of formats lists them.
// [Write] does the rest and knows no format.
//
// Every byte is there, whether it can be read or not. What no field explains is
// a gap with the reason. Without folding, the rows have each byte of the input
// once, except those that fields share (TestEveryByteOnce). No input makes the
// package panic (FuzzWrite). It streams: memory does not grow with the output,
// and a row allocates nothing (TestGuardRowsAllocateNothing). [Input].At is for
// files that do not fit in memory (TestHexdumpOfLargeFiles).
package hexview

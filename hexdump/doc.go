// Package hexdump shows every byte of an input with what it means: address,
// bytes in hex and in ASCII, and the path of the field with its value.
//
//	0x001c 01 00 00 00                                     |....            | NumObjectTypes = 1
//	0x0020 ee 00 00 00                                     |....            | DefaultObject = 238  Processor
//
// A [Document] gives the bytes, what each means, and how values are said;
// [Open] makes the one of a format. [Write] does the rest and knows no format.
//
// Every byte stands there, read or not: what no field explains is a gap with
// the reason. Without folding, the bytes of all rows are those of the input,
// each once, but for what fields share (TestEveryByteOnce). No input makes the
// package panic (FuzzWrite). It streams: memory does not grow with the output,
// and a row allocates nothing (TestGuardRowsAllocateNothing). [OpenAt] and [RawAt]
// are for inputs that no memory holds (TestHexdumpOfLargeFiles).
package hexdump

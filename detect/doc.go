// Package detect tells which format an input has and opens it: a file, the
// standard input, what gzip or zstd have packed, each file of a directory.
// docs/formats.md lists the formats and how each is recognised.
//
//	for in, err := range detect.Walk(os.Args[1:], detect.Options{}) {
//		if err != nil {
//			fmt.Fprintf(os.Stderr, "%s: %v\n", in.Name, err)
//			continue
//		}
//		fmt.Println(in.Name, in.Format, len(in.Data))
//	}
//
// A format is found by content alone, never by a file's name; [Sniff] says how
// much of it is needed. [Open] reads an input into memory. [OpenAt] is for
// formats that are read here and there, and keeps nothing in memory.
//
// All errors are a *perfdump.FormatError. Nothing is allocated because an
// input claims a size (TestMemoryFollowsTheBytesThatCame), and packed inputs
// are bounded by [Options].MaxUnpacked and in the memory that unpacking takes
// (TestZstdWindowIsBounded).
package detect

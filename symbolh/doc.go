// Package symbolh reads, changes and writes symbol files: the .h files that
// give the objects and counters of an .ini file their offsets, in the few forms
// of C that lodctr reads. docs/symbolh.md describes them and every anomaly.
//
//	f, err := symbolh.Parse(b, symbolh.Options{})
//	if err != nil {
//		return err
//	}
//	for d := range f.Defines() {
//		fmt.Println(d.Line, d.Name, d.Value)
//	}
//
// Every byte is kept: comments, guards, text that is no C, line ends.
// [File.Defines] and [File.Lookup] give the offsets with their places,
// [File.Edit] changes lines and leaves the others alone. [AppendHeader],
// [AppendGo] and [AppendEnum] write a new symbol file, and the constants for
// people who write providers.
//
// No input makes this package panic (FuzzSymbolH) or take more than 64 MiB plus
// four times the input (TestHostileFilesStayWithinMemory); time is linear. What
// Parse accepts, [File.AppendBinary] gives back byte by byte.
package symbolh

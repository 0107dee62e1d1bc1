// Package perfstrings reads and writes PerfStringBackup.INI, in which lodctr
// /S keeps all of a machine's counter names: the values of Perflib, the range
// of indexes of each provider, and the name tables of each language.
// docs/perfstrings.md describes the file and every anomaly.
//
//	f, err := perfstrings.Parse(b, perfstrings.Options{})
//	if err != nil {
//		return err
//	}
//	names, err := f.Table("009", titles.Counter)
//	...
//	name, ok := names.Lookup(238) // "Processor", true
//
// A File is a view: every byte of the file stays what it was, and
// [File.AppendBinary] gives them back. [Append] writes a new file as lodctr
// would.
//
// No input makes this package panic or come back otherwise than it was
// (FuzzPerfStrings), nor take more than 64 MiB plus four times the input
// (TestHostileFilesStayWithinMemory). Time is linear but for the sorting of
// indexes that come out of order.
package perfstrings

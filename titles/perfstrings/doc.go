// Package perfstrings reads and writes PerfStringBackup.INI, in which lodctr
// /S keeps all counter names of a machine: the values of Perflib, the range
// of indexes of each provider, and the name tables of each language.
// docs/titles.md describes the file and every anomaly.
//
//	f, err := perfstrings.Parse(b, perfdump.Options{})
//	if err != nil {
//		return err
//	}
//	names, err := f.Table("009", titles.Counter)
//
// No input makes this package panic or take more than 64 MiB plus 24 times the
// input. [File.AppendBinary] gives the file back byte by byte.
package perfstrings

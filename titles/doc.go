// Package titles reads and writes the tables that name the counters of
// Windows: the values "Counter 009" and "Help 009" of HKEY_PERFORMANCE_DATA,
// a REG_MULTI_SZ of index, text, index, text, and lists of the same as text.
// docs/titles.md describes both forms and every anomaly.
//
//	t, err := titles.Parse(b, perfdump.Options{})
//	if err != nil {
//		return err
//	}
//	name, ok := t.Lookup(238) // "Processor", true
//
// Performance data holds numbers only. [Names] turns them into words by the
// tables it is given, then by the names of the base counters ([Base]), then by
// the number itself. [Table.Repair] corrects damaged tables, which are common.
//
// No input makes this package panic or take more than 64 MiB plus 24 times the
// input. What Parse accepts, [Table.AppendBinary] gives back byte by byte. A
// Table never changes and is safe for concurrent use.
package titles

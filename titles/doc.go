// Package titles reads and writes the tables that name the counters of
// Windows: the values "Counter 009" and "Help 009" of HKEY_PERFORMANCE_DATA,
// a REG_MULTI_SZ of index, text, index, text, and lists of the same as text.
// docs/titles.md describes both forms and every anomaly.
//
//	t, err := titles.Parse(b, titles.Options{})
//	if err != nil {
//		return err
//	}
//	name, ok := t.Lookup(238) // "Processor", true
//
// Performance data holds numbers only. [Names] turns them into words by the
// tables that are at hand, then by the names that every Windows gives its own
// counters ([Base]), then by the number itself.
//
// Damaged tables are common. [Table.Statistics] tells what is odd beside the
// anomalies, [Table.Repair] puts right what can be put right and says what it
// did. Package perfstrings reads the file that has the tables of all languages.
//
// No input makes this package panic (FuzzTitles) or take more than 64 MiB plus
// four times the input (TestHostileTablesStayWithinMemory); time is linear but
// for the sorting of indexes that come out of order. What Parse accepts,
// [Table.AppendBinary] gives back byte by byte. A Table never changes, so
// that any number of goroutines may read it.
package titles

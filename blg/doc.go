// Package blg reads the binary logs of the Performance Monitor: the .blg files
// that PDH writes. They are event traces in which each event is a sample of all
// logged counters. docs/blg.md describes the format.
//
//	f, err := blg.Open(file, size, blg.Options{})
//	if err != nil {
//		return err
//	}
//	for rec, err := range f.Records() {
//		if err != nil {
//			return err
//		}
//		for _, s := range rec.All() {
//			for _, v := range s.Values() {
//				fmt.Println(rec.Time(), s.Item.Path, v.Name(), v.Sample.First)
//			}
//		}
//	}
//
// [Open] reads a log once to index it and then returns its records in order of time,
// whatever the order of the buffers in the file. [NewReader] reads them from a stream in
// the order of the file. Either way a [Record] holds one [Series] for each item of the log:
// a single value, all instances of a counter, or a whole object as a block of package
// perfdata. A value is a countertypes.Sample, ready to be cooked.
//
// # Damage
//
// A log that was cut off or is corrupt yields all records before and after the damage.
// What could not be read is counted by reason in Lost and reported with its position in
// Anomalies.
//
// # Reading only
//
// The package does not write logs: no log written by another program has been tested on
// Windows. [File.Spans] covers each byte of a log exactly, whatever its damage.
//
// # Guarantees
//
// No input makes this package panic or hang. Each length, count and offset is checked
// against the bytes present before it is used. Memory does not grow with the log, apart
// from 32 bytes for each buffer in a [File], and stays below 64 MiB plus four times the
// input; time is linear. A File is safe for concurrent readers if its io.ReaderAt is. The
// tests named Known, Damage, Moved, Memory, Alloc, Guard and the target FuzzBLG check this.
package blg

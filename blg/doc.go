// Package blg reads the binary logs of the Performance Monitor: the .blg files
// that PDH writes, an event trace of which each event is a sample of all the
// counters that are logged. The format's page is docs/blg.md.
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
// [Open] reads a log once to index it and then gives its records in the
// order of their times, however the buffers lie in the file; [NewReader] takes
// them from a stream in the order of the file. A [Record] of either has the
// same [Series], one an item of the log: a single value, all instances of a
// counter, or a whole object as a block of package perfdata. A value is a
// countertypes.Sample, ready to be cooked.
//
// # Damage
//
// A log that was cut off or is corrupt gives all records before and after the
// damage. What could not be read is counted by reason in Lost and reported with
// its place in Anomalies.
//
// # Reading only
//
// The package encodes nothing: a log that a program wrote has never been given
// to Windows, so no writer can be promised. [File.Spans] covers each byte of a
// log exactly, whatever its damage.
//
// # Promise
//
// No input makes this package panic or hang. Each length, count and offset is
// checked against the bytes present before it is used. Memory does not grow
// with the log, but for 32 bytes a buffer in a [File], and stays below 64 MiB
// plus four times the input whatever that holds; time is linear in it. A File
// is safe for concurrent readers as far as its io.ReaderAt is. The tests named
// Known, Damage, Moved, Memory, Alloc, Guard and the target FuzzBLG hold this.
package blg

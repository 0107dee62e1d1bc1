// Package minidump reads Windows minidumps, the MDMP files that debuggers,
// Task Manager and procdump write, as far as it takes to find the performance
// counters of the .NET Framework in the memory they hold. The format's page is
// docs/minidump.md.
//
//	f, err := minidump.Open(file, size, perfdump.Options{})
//	if err != nil {
//		return err
//	}
//	pid, _ := f.PID()
//	fmt.Println(f.Arch(), pid)
//	for m, err := range f.Modules() {
//		…
//	}
//
// [Open] checks every stream that is read and keeps nothing of them but the
// map of the memory; modules, regions, handles and memory are read from the
// file on demand, so that a dump of many gigabytes costs no more
// than its map. [File.ReadVA] reads by address, [File.Tables] searches the
// memory for the tables of counters.
//
// # Promise
//
// No input makes this package panic or hang. Each count, size and address in
// the file is checked against the file's size before it is used; memory stays
// below 64 MiB plus four times the input, and time is linear in it, a search
// of ranges that share bytes included. A File is safe for concurrent readers
// as far as its io.ReaderAt is. The tests named Truncation, Mutation, Hostile
// and Memory and the target FuzzMinidump hold this.
package minidump

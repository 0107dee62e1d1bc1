// Package minidump reads Windows minidumps, the MDMP files that debuggers,
// Task Manager and procdump write, as far as needed to find the performance
// counters of the .NET Framework in their memory. The format is described in
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
// [Open] checks every stream that is read and keeps only the map of the memory; modules,
// regions, handles and memory are read from the file on demand, so that a dump of many
// gigabytes costs no more than its map. [File.ReadVA] reads by address, [File.Tables]
// searches the memory for the tables of counters.
//
// # Guarantees
//
// No input makes this package panic or hang. Each count, size and address in
// the file is checked against the file's size before it is used; memory stays
// below 64 MiB plus four times the input, and time is linear in it, a search
// of ranges that share bytes included. A File is safe for concurrent readers
// if its io.ReaderAt is. The tests named Truncation, Mutation, Hostile
// and Memory and the target FuzzMinidump check this.
package minidump

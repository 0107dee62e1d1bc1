// Package ipcblock reads and writes the shared memory in which the .NET
// Framework's runtime keeps its perfmon counters: the table
// Cor_SxSPublic_IPCBlock of CLR 4, the public and private blocks of a process
// before it, and the bare block of CLR 1.x. The format's page is
// docs/ipcblock.md.
//
// A [Table] is a view over the bytes that it was decoded from: nothing is
// copied, and what it gives is valid as long as they are. A table of a
// [Decoder] is valid until the next Decode; [Table.Clone] keeps it.
//
// # Promise
//
// No input makes this package panic or hang. Each length, count and offset is
// checked, in 64 bits, against the bytes present before it is used; memory
// does not grow with what the input claims, and time is linear in it. What is
// accepted encodes again to the same bytes. Tables are safe for concurrent
// readers. The tests of the package and the targets FuzzIPC… of the fuzz
// directory hold this.
//
// # Reading
//
// [Parse] gives the chunks with their [State]; look at [Table.Live] for those
// that count. [Chunk.Uint64] reads one counter, [Chunk.Fields] goes through
// all, [Chunk.Perf] gives them as a struct. [Field] and [Counter] say where each
// lies and how perfmon shows it. A chunk that fails its checks does not stop
// the others: see [Table.Faults]. What is odd but readable is in
// [Table.Anomalies], what is in order but misleading in [Table.Remarks].
//
// [Chunk.Cook] computes what perfmon would show, from one capture or two.
//
// # Searching
//
// [Find] looks for tables and public blocks in raw memory: images, ranges of a
// process dump, heaps.
//
// # Writing
//
// [Tree] is a table in owned, editable form. [Tree.Layout] computes its sizes
// and offsets, [Tree.AppendBinary] encodes it.
package ipcblock

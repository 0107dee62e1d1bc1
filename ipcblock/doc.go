// Package ipcblock reads and writes the shared memory in which the .NET
// Framework's runtime keeps its perfmon counters: the table
// Cor_SxSPublic_IPCBlock of CLR 4, the public and private blocks of a process
// before it, and the bare block of CLR 1.x. docs/ipcblock.md describes them.
//
// [Parse] returns the chunks with their [State]; [Table.Live] yields those of running
// runtimes. [Chunk.Uint64] reads one counter, [Chunk.Fields] yields all, [Chunk.Cook]
// computes the values that perfmon shows. [Field] and [Counter] describe the fields and
// counters. A chunk that fails its checks does not affect the others, see [Table.Faults].
// [Table.Anomalies] returns what is unusual but readable, [Table.Remarks] what is valid but
// misleading.
//
// [Find] searches raw memory for tables and public blocks. [Tree] is a table in owned,
// editable form: [Tree.Layout] computes sizes and offsets, [Tree.AppendBinary] encodes it.
//
// A [Table] is a view over the bytes that it was decoded from. A table of a [Decoder] is
// valid until the next Decode; use [Table.Clone] to keep it.
//
// No input makes this package panic or hang. Each length, count and offset is checked in 64
// bits before it is used; time is linear in the input, and memory does not depend on counts
// in the input. Accepted inputs encode to the same bytes. Tables are safe for concurrent
// readers.
package ipcblock

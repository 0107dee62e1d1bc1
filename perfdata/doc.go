// Package perfdata reads and writes HKEY_PERFORMANCE_DATA buffers: the answer
// of Windows' performance registry, a PERF_DATA_BLOCK and the objects, counter
// definitions, instances and values that follow it. The format's page is
// docs/perfdata.md.
//
// A [Block] is a view over the bytes that it was decoded from: nothing is
// copied, and results are valid as long as the bytes are. A block of a
// [Decoder] is valid until the next Decode; [Block.Clone] keeps it.
//
// # Guarantees
//
// No input makes this package panic or hang. Each length, count and offset is
// checked against the bytes present before it is used; memory stays below
// 64 MiB plus four times the input, and time is linear in it. Whatever
// tolerant and strict mode accept encodes again to the same bytes. Blocks are
// safe for concurrent readers. The tests named spec_* and the targets in the
// fuzz directory check this.
//
// # Reading
//
// [Parse] returns the objects with their counters and instances; iterators yield them
// without allocating, [Object.AppendUint64s] reads all values of an object at once. Errors
// are *perfdump.FormatErrors with a position; what is unusual but readable is an anomaly in
// [Block.Anomalies].
//
// Displayed values are computed from two samples: see [Cooker] and
// [Sampler], and the package countertypes.
//
// # Writing
//
// [Tree] is a block in owned, editable form. [Tree.Layout] computes its
// lengths and offsets, [Tree.AppendBinary] encodes it.
package perfdata

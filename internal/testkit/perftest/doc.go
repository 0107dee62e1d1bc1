// Package perftest writes buffers of HKEY_PERFORMANCE_DATA for tests and
// benchmarks. It lays out every byte by constant offsets of its own and knows
// nothing of package perfdata, so that the two can be held against each other.
//
// A [Block] is a declaration; [Block.Build] turns it into an [Image]: the
// bytes, and where each field stands in them, so that a test can damage one
// field and no other. [Busy] writes what a busy server answers, [Sized] a
// buffer of a wanted size. [Hive] and [Dump] write files of other formats, cell
// by cell and stream by stream.
//
// Beside them stands what tests of speed and memory ask in the same way, and
// the rivals: decoders as others write them.
package perftest

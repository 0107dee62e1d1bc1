// Package perfdump defines what all codecs of this module share: errors with a position
// ([FormatError]), unusual but readable data ([Anomaly]), the meaning of bytes ([Span]),
// how strict a decoder is ([Mode]) and its limits ([Limits]).
//
// Where to begin depends on the input:
//
//   - files of any format: package detect opens them, package capture reads
//     their counters, raw or cooked, and package export writes them;
//   - bytes of a known format: its own package, as perfdata for
//     HKEY_PERFORMANCE_DATA buffers, blg for binary logs, titles for the tables
//     of counter names, registry for hives and .reg files;
//   - raw samples: package countertypes has the arithmetic that turns them into
//     displayed values.
//
// Packages of formats look the same: Parse reads bytes, New and a type's name what
// is read here and there or as a stream; Options has a Mode and Limits; Spans
// gives the meaning of every byte, Anomalies what is unusual, AppendBinary the
// bytes again. The constant of an anomaly's code is Code and its word.
//
// No codec of this module panics on any input, and none takes more memory
// than 64 MiB plus four times its input.
package perfdump

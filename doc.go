// Package perfdump holds the words that all codecs of this module share: how
// an error says where it is ([FormatError]), how something odd but readable is
// told ([Anomaly]), what a run of bytes means ([Span]), how strict a decoder
// is ([Mode]) and what it may spend ([Limits]).
//
// The codecs stand in packages of their own, one a format: perfdata for
// HKEY_PERFORMANCE_DATA buffers, titles for the tables of counter names. The
// arithmetic that turns raw counters into displayed values is in countertypes.
//
// No codec of this module panics on any input, and none takes more memory
// than 64 MiB plus four times its input.
package perfdump

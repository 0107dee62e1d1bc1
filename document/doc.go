// Package document writes what was decoded as JSON documents and encodes such
// documents back to bytes: the faces of `perfdump dump -o json` and `perfdump
// encode`. docs/json.md has the keys and the rules.
//
//	err := document.WritePerfData(w, document.PerfData{Name: "x.bin", Data: b, Blocks: slices.Values(blocks)}, document.Options{})
//	...
//	err = document.Encode(out, in)
//
// # Promise
//
// A document of a format that [Encode] takes encodes to the very bytes that it
// was made from, for whatever strict and tolerant mode accept: names that are no
// text, padding, overlapping values and trailing bytes included (FuzzDocument).
// One that leaves a byte open, or says two things of one, is refused, and nothing
// is written then (FuzzEncode).
//
// Both directions stream. Writing takes a buffer and a few bytes for each
// instance of the object at hand, however long the document gets. Encoding puts
// the bytes into a scratch until the whole document is known: a file that the
// caller of [EncodeScratch] gives, memory for [Encode]. Beside that it takes
// buffers and what has to be known at once, such as the counters of an object,
// never more for a longer document or file, and nothing that a length or an
// offset only claims (TestWritingTakesNoMemory, TestEncodingAllocatesNoMore,
// TestEncodingTakesTheOutput, TestClaimsTakeNoMemory).
package document

// Package document writes decoded files as JSON documents and encodes such
// documents back to bytes, for `perfdump dump -o json` and `perfdump encode`.
// docs/outputs.md has the keys and the rules.
//
// A document of a format with a [Reader] encodes to exactly the bytes that it was
// made from, for all that strict and tolerant mode accept: names that are no text,
// padding, overlapping values and trailing bytes included (FuzzDocument). One that
// leaves a byte open, or gives two values for one, is refused before anything is
// written (FuzzEncode).
//
// An [object] lists the keys of a part of a document with the values that they
// are written from and read into, so that both directions share it. Documents are
// written through a buffer. [Encode] holds the document and the file that it
// describes in memory, and nothing for what a length or an offset only claims.
package document

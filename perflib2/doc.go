// Package perflib2 reads and writes the data of version 2 counter sets: the
// block that PerfQueryCounterData returns, which binary logs hold too, and the
// registration of a set as it stands in a binary log. The format's page is
// docs/perflib2.md.
//
// A [Block] and a [Registration] are views over the bytes that they were
// decoded from: nothing is copied, and what they give is valid as long as the
// bytes are. A block of a [Decoder] is valid until the next Decode.
//
// # Promise
//
// No input makes this package panic or hang. Each length, count and offset is
// checked against the bytes present before it is used; memory stays below
// 64 MiB plus four times the input, and time is linear in it. What is accepted
// encodes again to the same bytes. Blocks and registrations are safe for
// concurrent readers. The tests of the package and the targets FuzzPerflib2…
// of the fuzz directory hold this.
//
// # Reading
//
// [Parse] gives the results of a block, each with its instances and their
// values; a result of a single counter has one instance without a name, so
// there is one way to go through all types. [ParseRegistration] gives the name
// of a set and the names, types and bases of its counters, which a block does
// not have. A [Sampler] joins the two: it turns values into samples that
// countertypes.Cook takes.
//
// # Writing
//
// [Tree] and [RegistrationTree] are blocks and registrations in owned,
// editable form. Their AppendBinary computes all lengths and offsets.
package perflib2

// Package countertypes is the arithmetic of Windows performance counters. A
// counter's CounterType is a DWORD of bit fields that says how the raw
// numbers become the value that the Performance Monitor shows; [Type] reads
// the fields and knows the names, [Cook] computes the value from one raw
// [Sample] or two, and a [Status] says why there is none.
//
// docs/countertypes.md in this repository holds the layout of the bits, the
// formula of each named type, and every point on which documents and programs
// disagree, with the default here and the switch ([Options]) for the others.
//
// Types without a name are computed by their bits as long as each bit is
// defined. No sample makes Cook panic, return an infinity or a NaN as a value
// (doubles pass as they came), or allocate: FuzzCook, which compares it with
// a second implementation in big numbers, and TestCookAllocatesNothing hold
// it to that.
package countertypes

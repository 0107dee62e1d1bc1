// Package derive computes metrics that no counter has, by expressions over
// counters of one instance: packets a call, cycles a packet, the share of the
// requests that failed. docs/derive.md has the grammar, and the set that is
// built in.
//
//	set, err := derive.ParseString("Bytes per packet = [Bytes Total/sec] / [Packets/sec]")
//	if err != nil {
//		return err
//	}
//	columns, err := recording.Columns()
//	if err != nil {
//		return err
//	}
//	b, err := derive.Bind(set, columns)
//	if err != nil {
//		return err
//	}
//	for f, err := range b.Apply(recording.Frames()) {
//		... // cells of recorded series, then those of derived ones
//	}
//
// A derived series looks like a recorded one, so that all writers take it: it
// has the host, the object and the instance of its counters, and an ID behind
// theirs. It has no type and no raw tuple.
//
// No text makes Parse panic or take memory beyond a multiple of its length, and
// nesting is limited (FuzzDerive, TestSyntax). What is wrong comes as a
// *perfdump.FormatError of code syntax with the offset of the place, and says
// what was expected there. A Set and a Binding may be used concurrently.
package derive

// Package capture is the hub of the toolkit: whatever the format, a capture is
// an ordered stream of snapshots, and a snapshot is what all counters of a
// machine said at one moment.
//
//	for s, err := range capture.Read(in, capture.Options{}) {
//		if err != nil {
//			return err
//		}
//		for row := range s.Rows() {
//			fmt.Println(row.Object, row.Instance, row.Counter, row.First)
//		}
//	}
//
// A snapshot can be read in two ways: as rows, one a value, in the shape that
// all raw outputs share ([Row]); or as objects with counters and instances
// ([Object]), as tables show them. Both are views over the bytes of the input
// and may be read again and again; neither grows with what was read of it.
// Names replace title indexes, and only what the [Filter] lets
// through is there.
//
// Reading never panics, whatever the input (TestBadInput holds it to
// that); what is wrong comes as a *perfdump.FormatError.
package capture

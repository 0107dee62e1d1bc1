// Package capture reads captures of any format. A capture is
// an ordered stream of snapshots; a snapshot holds the values of all counters of a
// machine at one moment.
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
// A snapshot can be read in two ways: as rows, one for each value, in the shape that all
// raw outputs share ([Row]); or as objects with counters and instances ([Object]), as
// tables show them. Both are views over the bytes of the input and may be read repeatedly.
// Memory does not grow with what was read. Names replace title indexes, and only what the
// [Filter] matches is included.
//
// Reading never panics, whatever the input (TestBadInput checks this). Errors are of type
// *perfdump.FormatError.
package capture

// Package export writes counters for people and for programs. Each format is a
// writer in its own file; docs/outputs.md describes them.
//
// # Raw values
//
// A [Writer], which [NewRaw] returns, takes snapshots and writes what the source
// has of each value: [Outputs] lists the forms. JSON Lines and CSV have a row for
// each value, with the same columns in this order:
//
//	time            RFC 3339 in UTC, null if unknown
//	host            without \\
//	object          the name, or the title index where no table has a name
//	parent          the instance's parent, null without one
//	instance        without #n, null for objects without instances
//	instance_index  the n of #n, 0 for the first of a name
//	counter         as object
//	type            the name of winperf.h, or hex
//	first           the raw value, unsigned; null for texts and what is absent
//	second          its clock or base, unsigned; null if the base is missing
//	multi           the count of a MULTI type, null if it is missing
//	time_base       ticks a second of the clock
//
// Those of [RawColumns] follow on request. docs/outputs.md explains all of them.
//
//	w, err := export.NewRaw(os.Stdout, "jsonl", export.Options{})
//	if err != nil {
//		return err
//	}
//	for s, err := range capture.Read(in, capture.Options{}) {
//		if err != nil {
//			return err
//		}
//		if err := w.Write(s); err != nil {
//			return err
//		}
//	}
//	return w.Close()
//
// # Cooked values
//
// A [FrameWriter], which [NewCooked] and [NewSummary] return, takes frames and
// writes what tools would display, over time. Package parquet below this one
// writes Parquet, raw and cooked.
//
// Writers keep the names of series and nothing else, so memory does not grow with
// the output (TestMemoryDoesNotGrowWithTheOutput, TestGuardCookedAllocs,
// TestOpenMetricsOnScratch). Tables escape the control characters in names.
package export

// Package export writes counters for people and for programs. Each format is a
// writer in a file of its own; docs/rows.md and docs/outputs.md tell of them.
//
// # Raw values
//
// A [Writer] takes snapshots and writes what the source has of each value: a
// table, JSON Lines and CSV of [NewRows], SQL, OpenMetrics and line protocol of
// [NewRaw], Checkmk sections. JSON Lines and CSV have a row for each value, with
// the same columns in this order:
//
//	time            RFC 3339 in UTC, null where unknown
//	host            without \\
//	object          the name, or the title index where no table has a name
//	parent          the instance's parent, null without one
//	instance        without #n, null for objects without instances
//	instance_index  the n of #n, 0 for the first of a name
//	counter         as object
//	type            the name of winperf.h, or hex
//	first           the raw value, unsigned; null for texts and what is absent
//	second          its clock or base, unsigned; null where the base is missing
//	multi           the count of a MULTI type, null where it is missing
//	time_base       ticks a second of the clock
//
// and on request, after these, those of [OnRequest]: text (of a text counter),
// record (position of the snapshot in its source), source (the file) and others.
// docs/rows.md explains all of them.
//
//	w, err := export.NewRows(os.Stdout, "jsonl")
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
//	return w.Flush()
//
// # Cooked values
//
// A [FrameWriter] takes frames and writes what tools would display, over time:
// those of [NewCooked], and [Summary], which has a line for each series. Parquet,
// raw and cooked, is in package parquet below this one. Rows have the text of a
// text counter on request, if the frame has it: capture.CookOptions say so.
//
// Writers keep nothing of what they have written but the names of series, so
// memory does not grow with the output (TestMemoryDoesNotGrowWithTheOutput,
// TestGuardCookedAllocs, TestOpenMetricsOnScratch). What is in a name never
// reaches the terminal as a control sequence: the table writes it as \x1b.
package export

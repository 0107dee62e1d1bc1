// Package pdhcsv reads and writes PDH-CSV and PDH-TSV, the text in which
// perfmon, relog, typeperf and logman keep the values of counters over time: a
// column for each counter path, a row for each moment. The format's page is
// docs/text-logs.md.
//
//	r, err := pdhcsv.NewReader(file, pdhcsv.Options{})
//	if err != nil {
//		return err
//	}
//	for row, err := range r.Rows() {
//		if err != nil {
//			return err
//		}
//		fmt.Println(row.Time, row.Values[0]) // NaN if there is no value
//	}
//
// Values are cooked: there are no types and no raw samples. The names of
// columns are parsed by [pdhpath.Parse]. [AppendHeader], [AppendTime],
// [AppendValue], [AppendMissing] and [RowEnd] write the form of Windows.
//
// # Promise
//
// No input makes this package panic or hang. A [Reader] holds the header and
// one row; its memory stays below 64 MiB plus four times those, its time is
// linear, and a row costs no allocation. What was written reads back, and reads
// the same when it is written again. The tests named Hostile, Alloc and
// RoundTrip and the target FuzzPDHCSV hold this.
package pdhcsv

// Package reference says what the numbers and words mean that performance data,
// its registration and this toolkit give instead of an explanation: error
// codes of Windows, status codes of PDH, events of LoadPerf and Perflib with
// their data, the Configuration Flags of Perflib, the counters of the network
// that are easily misread, and the toolkit's own codes of errors, anomalies and
// statuses.
//
//	for _, a := range explain.Words("F3030000") {
//		for _, r := range a.Readings {
//			fmt.Println(r.As, r.Number, r.Meanings[0].Name) // event-data 1011 ERROR_CANTOPEN
//		}
//	}
//
// Event logs show their data as bytes, documents show numbers, and both are
// passed on without saying which: eight hex digits are read in both ways.
//
// The package is tables and a few functions over them: it reads no files and
// keeps no state. No input makes it panic (FuzzWords).
package reference

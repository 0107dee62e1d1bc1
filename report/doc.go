// Package report makes one HTML page of a recording: a summary of machines and
// inputs, a table of all counters with their least, average, greatest and last
// value and a sparkline each, charts to zoom into, what is wrong or odd with
// the inputs, and of a single small input every byte with its meaning. docs/report.md
// shows it.
//
// The page is one file that needs nothing else: script, style and data stand in
// it, a policy forbids it to load anything, and scripts run by the hash of
// their text alone. What comes from the input is text to it, whatever
// the names of counters and instances hold (TestHostileNames,
// TestBrowserHostile). The same input gives the same bytes (TestDeterministic).
//
// Missing values are gaps, counted by their status; they are never 0.
//
// A [Page] does not grow with the length of a recording, only with the number
// of its series (TestLongRecording): past a number of points neighbours become
// one, with the least, the average and the greatest of their values, and the
// page says so.
package report

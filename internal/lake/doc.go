// Package lake keeps a Parquet data set of the recordings of many machines: rows of all
// counters by host and date, findings, machines, and inputs that cannot be read.
// docs/fleet.md has its layout.
//
// The unit of work is a stretch: an input of a recording, or several that overlap in time.
// A recording is what one collector writes on one machine, in one log after the other. A
// stretch is cooked by itself, after the stretch before it, so that rates cross the border;
// what it gives depends on these two alone, not on the run or on the number of workers.
//
// A run adds what is new. It writes each file under a temporary name, then a manifest that
// says which files count, and then removes what no longer does: a run that is killed leaves
// the lake as it was, and the next one removes what it left (TestKilledRuns).
package lake

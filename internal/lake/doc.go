// Package lake keeps a Parquet data set of the recordings of many machines: rows of all
// counters by host and date, findings, machines, and inputs that cannot be read.
// docs/fleet.md has its layout.
//
// A recording is what one collector writes on one machine, in one log after the other. The
// unit of work is a piece: a log, several that overlap in time, or a part of a long log. A
// piece is cooked by itself, after what comes before it, so that rates cross the border;
// what it gives depends on these bytes alone, not on the run or on the number of workers.
//
// A run adds what is new: [Open] reads what the lake has, [Look] identifies each input,
// [Lake.Take] divides them into pieces, [Cook] writes the files of one, and [Lake.Commit]
// writes a manifest that says which files count, and then removes what no longer does. Each
// file is written under a temporary name: a run that is killed leaves the lake as it was,
// and the next one removes what it left (TestKilledRuns). [Run] does all that on one
// machine; engines that share out work call the parts, whose types are JSON.
package lake

// Package pdhpath reads, writes and matches counter paths as PDH (Performance
// Data Helper) and all tools built on it spell them:
//
//	\\host\Process(svchost#2)\% Processor Time
//
// docs/formats.md describes the form for users. The form has no escapes though
// names may hold all of its signs, so [Parse] follows a rule where a path can
// be read in several ways, and [Pattern.Match] tries each way.
//
//	p, err := pdhpath.Compile(`\Process(sql*)\% Processor Time`)
//	if err != nil {
//		return err
//	}
//	p.MatchObject("process")             // true
//	p.MatchInstance("", "sqlservr", 1)   // true
//	p.MatchCounter("% processor time")   // true
//
// No input makes this package panic, and the time of a match grows with the
// length of the name times that of the pattern, never faster (FuzzPath,
// TestMatchingIsNotExponential).
package pdhpath

package derive

import _ "embed" // the set is a file

//go:embed ndis.txt
var ndis string

// NDIS returns the built-in set: ratios of the network counters of NDIS that
// tell something. Its text is a file for [Parse], to copy and to change.
func NDIS() (set *Set, text string) {
	set, err := ParseString(ndis)
	if err != nil {
		panic(err) // TestNDIS reads it
	}
	return set, ndis
}

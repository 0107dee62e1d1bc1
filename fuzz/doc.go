// Package fuzz holds the black-box fuzz targets over the hot decode path. Each
// has a property that is stronger than not to panic, and its seeds as files
// under testdata/fuzz, where other fuzzers find them too.
//
//	go test -fuzz '^FuzzDecode$' ./fuzz
package fuzz

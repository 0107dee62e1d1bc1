// Package fuzz holds the fuzz targets of the packages above the formats. Each
// has a property that is stronger than not to panic, and its seeds as files
// under testdata/fuzz.
package fuzz

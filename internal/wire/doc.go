// Package wire has what every binary format of the module needs: bounds-checked
// little-endian loads, layouts taken from struct tags, and text in UTF-16 and
// in code pages.
//
// Nothing here trusts a length: each function takes the bytes that are there
// and says what it could not read.
package wire

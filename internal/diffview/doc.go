// Package diffview shows what differs between two inputs, as a table, a JSON
// document, or lines of JSON.
//
// Who compares gives each difference to a [Printer] as it is found, and to a
// [Total], which counts them. Neither keeps what is found.
package diffview

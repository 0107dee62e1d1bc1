// Package formattest has what the tests of all formats ask in the same way. It
// is for tests.
package formattest

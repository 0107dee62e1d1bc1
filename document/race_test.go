//go:build race

package document_test

const raceEnabled = true

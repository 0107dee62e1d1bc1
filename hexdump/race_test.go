//go:build race

package hexdump_test

const raceEnabled = true

//go:build !race

package minidump_test

const raceEnabled = false

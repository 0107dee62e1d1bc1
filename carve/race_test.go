//go:build race

package carve_test

const raceEnabled = true

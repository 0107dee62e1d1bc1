//go:build race

package symbolh_test

const raceEnabled = true

//go:build !race

package blg_test

const raceEnabled = false

//go:build !race

package lodctr_test

const raceEnabled = false

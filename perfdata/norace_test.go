//go:build !race

package perfdata_test

const raceEnabled = false

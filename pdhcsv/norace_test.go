//go:build !race

package pdhcsv_test

const raceEnabled = false

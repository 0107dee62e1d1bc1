//go:build race

package pdhcsv_test

const raceEnabled = true

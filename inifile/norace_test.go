//go:build !race

package inifile_test

const raceEnabled = false

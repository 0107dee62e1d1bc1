//go:build race

package cmd_test

const raceEnabled = true

//go:build !race

package ipcblock_test

const raceEnabled = false

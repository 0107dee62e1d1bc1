//go:build !race

package perftest

// Race tells whether the race detector is on, which makes tests slow and has
// memory of its own.
const Race = false

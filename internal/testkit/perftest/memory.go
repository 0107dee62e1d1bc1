package perftest

import "runtime"

// Allocated returns the bytes that f allocates, those included that it gives
// back: never less than its peak. It tells nothing where other goroutines run.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

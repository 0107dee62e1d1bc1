package perftest

import (
	"runtime"
	"slices"
	"time"
)

// turn is how long a function runs at a time: what the one before leaves
// behind, garbage and cold caches, is a small part of it.
const turn = 5 * time.Millisecond

// Took is what one call of a function takes.
type Took struct{ Best, Median time.Duration }

// Turns gives the functions their turns, one after the other, so that a slow
// spell of the machine meets all of them, and returns what one call of each
// takes: the best and the median of the rounds.
func Turns(rounds int, fs ...func()) []Took {
	times := make([][]time.Duration, len(fs))
	for range rounds {
		for i, f := range fs {
			f() // the caches are its own
			start, calls := time.Now(), 0
			var took time.Duration
			for took < turn {
				f()
				calls++
				took = time.Since(start)
			}
			times[i] = append(times[i], took/time.Duration(calls))
			runtime.GC() // the next does not pay for this one's garbage
		}
	}
	all := make([]Took, len(fs))
	for i := range times {
		slices.Sort(times[i])
		all[i] = Took{Best: times[i][0], Median: times[i][rounds/2]}
	}
	return all
}

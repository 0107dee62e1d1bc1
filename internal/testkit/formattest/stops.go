package formattest

import (
	"iter"
	"testing"
)

// Stops wants each sequence to yield something and to end as soon as its reader
// has had enough, be that after the first value or after the last.
func Stops[T any](t testing.TB, sequences ...iter.Seq[T]) {
	t.Helper()
	for i, seq := range sequences {
		all := 0
		for range seq {
			all++
		}
		if all == 0 {
			t.Fatalf("sequence %d is empty", i)
		}
		for n := 1; n <= all; n += 1 + n/32 {
			seen := 0
			for range seq { // a yield behind the last one panics
				if seen++; seen == n {
					break
				}
			}
			if seen != n {
				t.Fatalf("sequence %d gives %d of %d", i, seen, n)
			}
		}
	}
}

// Firsts is the sequence of the first values of pairs, for [Stops].
func Firsts[K, V any](pairs iter.Seq2[K, V]) iter.Seq[K] {
	return func(yield func(K) bool) {
		for k := range pairs {
			if !yield(k) {
				return
			}
		}
	}
}

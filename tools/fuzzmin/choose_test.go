package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func names(in []*input) string {
	var out []string
	for _, i := range in {
		out = append(out, i.name)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestChoose(t *testing.T) {
	in := func(name string, size int, reach ...int) *input {
		i := &input{name: name, data: make([]byte, size)}
		for _, n := range reach {
			i.reach = i.reach.with(n)
		}
		return i
	}
	kept := func(i *input) *input { i.kept = true; return i }
	slow := func(i *input) *input { i.took = time.Second; return i }
	many := func(n int) (out []int) {
		for i := range n {
			out = append(out, i)
		}
		return out
	}
	lim := limits{count: 10, bytes: 1000, size: 100, took: time.Millisecond}
	for _, tt := range []struct {
		name  string
		in    []*input
		count int
		bytes int
		want  string
	}{
		{name: "nothing"},
		{name: "what the seeds reach is not kept again", in: []*input{kept(in("seed", 50, 1, 2)), in("a", 1, 1), in("b", 1, 2, 1)}},
		{name: "the one that adds most", in: []*input{in("a", 9, 1), in("b", 9, 1, 2, 300), in("c", 9, 300)}, want: "b"},
		{name: "of equals the smaller", in: []*input{in("a", 9, 1), in("b", 8, 1)}, want: "b"},
		{name: "of equal sizes by name, in any order", in: []*input{in("b", 9, 1), in("a", 9, 1)}, want: "a"},
		{name: "not slow", in: []*input{slow(in("a", 9, 1, 2)), in("b", 9, 1)}, want: "b"},
		{name: "large only for what no other reaches", in: []*input{in("large", 101, 1, 3), in("more", 102, 1, 2), in("a", 9, 1), in("b", 9, 2)}, want: "b large"},
		{name: "large not for what smaller ones reach", in: []*input{in("large", 101, many(90)...), in("a", 99, many(45)...), in("b", 99, many(90)[45:]...)}, want: "a b"},
		{name: "what later ones make up for", in: []*input{in("abc", 90, 1, 2, 3, 4), in("ad", 9, 1, 2, 5, 6), in("be", 9, 3, 4, 7, 8)}, want: "ad be"},
		{name: "the count, with those that are there", in: []*input{kept(in("seed", 9, 1)), in("a", 9, 2), in("b", 9, 3, 4), in("c", 9, 5, 6, 7)}, count: 3, want: "b c"},
		{name: "the bytes", in: []*input{in("a", 99, 1, 2, 3), in("b", 99, 4, 5), in("c", 50, 6)}, bytes: 150, want: "a c"},
		{name: "no room", in: []*input{kept(in("seed", 9, 1)), kept(in("seed2", 9, 1)), in("a", 9, 2)}, count: 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lim := lim
			if tt.count > 0 {
				lim.count = tt.count
			}
			if tt.bytes > 0 {
				lim.bytes = tt.bytes
			}
			if got := names(choose(tt.in, lim)); got != tt.want {
				t.Errorf("chose %q, want %q", got, tt.want)
			}
		})
	}
}

func TestCandidates(t *testing.T) {
	var found []*input
	for n := range 100 {
		found = append(found, &input{name: "x", data: []byte(strings.Repeat("a", 100-n))})
	}
	seeds := []*input{{name: "seed", data: []byte("aaa"), kept: true}}
	all := candidates(seeds, append(found, found[50]), 1000)
	if len(all) != 100 {
		t.Errorf("%d inputs, want the seed and 99 other contents", len(all))
	}
	some := candidates(seeds, found, 10)
	if len(some) != 11 || len(some[1].data) != 1 || len(some[10].data) < 80 {
		t.Errorf("%d inputs, of %d to %d bytes", len(some), len(some[1].data), len(some[10].data))
	}
}

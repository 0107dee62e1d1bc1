package main

import (
	"cmp"
	"math/bits"
	"slices"
	"time"
)

// An input of a target, as a corpus file.
type input struct {
	name  string // by content, or as it stands in the tree
	data  []byte
	kept  bool // stands in the tree
	took  time.Duration
	reach set
	// The counter files that reach was read from: two, where the target adds
	// what stands in the tree.
	counters [][]byte
}

// limits of what is kept.
type limits struct {
	count int           // files a target, with those that are there
	bytes int           // to add
	size  int           // bytes of a file
	took  time.Duration // processor time
}

// choose gives the inputs to add to those that are kept, so that together they
// reach what all reach: again and again the one that adds most for its size.
// Inputs over the size are looked at for what no other reaches; slow ones
// never.
func choose(in []*input, lim limits) []*input {
	var have set
	var pools [2][]*input
	room, bytes := lim.count, lim.bytes
	for _, i := range in {
		switch {
		case i.kept:
			have = have.or(i.reach)
			room--
		case i.took > lim.took:
		case len(i.data) > lim.size:
			pools[1] = append(pools[1], i)
		default:
			pools[0] = append(pools[0], i)
		}
	}
	before := slices.Clone(have)
	var out []*input
	for _, pool := range pools {
		for len(out) < room {
			best := mostFor(pool, have, bytes)
			if best == nil {
				break
			}
			have = have.or(best.reach)
			bytes -= len(best.data)
			out = append(out, best)
		}
	}
	return needed(out, before)
}

// mostFor gives the input that adds most to a set for its size, of those of up
// to so many bytes, or nil if none adds anything.
func mostFor(pool []*input, have set, bytes int) *input {
	const file = 1024 // a file is worth that of bytes
	var best *input
	gain := 0
	for _, i := range pool {
		n := i.reach.beyond(have)
		if n == 0 || len(i.data) > bytes {
			continue
		}
		if best != nil {
			a, b := n*(len(best.data)+file), gain*(len(i.data)+file)
			if a < b || a == b && i.name > best.name {
				continue
			}
		}
		best, gain = i, n
	}
	return best
}

// needed leaves out, the largest first, what those that stay and the set reach
// without it: an input chosen early may be made up for by later ones.
func needed(in []*input, have set) []*input {
	slices.SortFunc(in, func(a, b *input) int {
		return cmp.Or(cmp.Compare(len(b.data), len(a.data)), cmp.Compare(a.name, b.name))
	})
	for n := 0; n < len(in); {
		others := slices.Clone(have)
		for m, i := range in {
			if m != n {
				others = others.or(i.reach)
			}
		}
		if in[n].reach.beyond(others) == 0 {
			in = slices.Delete(in, n, n+1)
		} else {
			n++
		}
	}
	return in
}

// A set of blocks by number.
type set []uint64

func (s set) with(n int) set {
	for len(s) <= n/64 {
		s = append(s, 0)
	}
	s[n/64] |= 1 << (n % 64)
	return s
}

func (s set) or(t set) set {
	for len(s) < len(t) {
		s = append(s, 0)
	}
	for i, w := range t {
		s[i] |= w
	}
	return s
}

// beyond counts what t has not.
func (s set) beyond(t set) int {
	n := 0
	for i, w := range s {
		if i < len(t) {
			w &^= t[i]
		}
		n += bits.OnesCount64(w)
	}
	return n
}

package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// mutant is one break of one site.
type mutant struct {
	site
	after string
}

// draw puts the breaks of a package into the order of a seed, the kinds by
// turns, so that numbers, of which code is full, do not crowd out the rest.
// Each site is broken in one way.
func draw(sites []site, seed uint64, name string) []mutant {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	r := rand.New(rand.NewPCG(seed, h.Sum64())) //nolint:gosec // the draw is to be the same each time

	var by [kinds][]mutant
	for _, s := range sites {
		by[s.kind] = append(by[s.kind], mutant{s, s.after[r.IntN(len(s.after))]})
	}
	for _, list := range by {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	turns := r.Perm(int(kinds))
	all := make([]mutant, 0, len(sites))
	for len(all) < len(sites) {
		for _, of := range turns {
			if list := by[of]; len(list) > 0 {
				all, by[of] = append(all, list[0]), list[1:]
			}
		}
	}
	return all
}

// code gives the whole file with the break in it.
func (m mutant) code() []byte {
	return bytes.Join([][]byte{m.source[:m.start], []byte(m.after), m.source[m.end:]}, nil)
}

// String gives the place, and the line before and after.
func (m mutant) String() string {
	from := bytes.LastIndexByte(m.source[:m.start], '\n') + 1
	to := len(m.source)
	if i := bytes.IndexByte(m.source[m.end:], '\n'); i >= 0 {
		to = m.end + i
	}
	before := bytes.TrimSpace(m.source[from:to])
	after := bytes.TrimSpace(bytes.Join([][]byte{m.source[from:m.start], []byte(m.after), m.source[m.end:to]}, nil))
	return fmt.Sprintf("%s:%d: %s -> %s", m.file, m.line, before, after)
}

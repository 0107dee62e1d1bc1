package export

import (
	"slices"
	"sort"
)

// numbers is a set of numbers in the order of their coming, which is mostly
// rising: few come late.
type numbers struct {
	all  []int32      // ^i for the one that is late.all[i]
	late *lateNumbers // nil where there are none, as in most of many sets
}

// lateNumbers are those that were not above all before them.
type lateNumbers struct {
	all   []lateNumber
	taken map[int32]struct{} // the same, once they are many
}

// lateNumber is a number, and the greatest of those before it.
type lateNumber struct{ n, top int32 }

// fewLate are found without a map.
const fewLate = 16

// at returns the number at a position.
func (s *numbers) at(i int) int32 {
	if n := s.all[i]; n >= 0 {
		return n
	}
	return s.late.all[^s.all[i]].n
}

// top returns the greatest of the numbers up to a position.
func (s *numbers) top(i int) int32 {
	if n := s.all[i]; n >= 0 {
		return n
	}
	return s.late.all[^s.all[i]].top
}

// add adds a number that is not negative. It is false where it is there already.
func (s *numbers) add(n int32) bool {
	k := len(s.all)
	if k == 0 || n > s.top(k-1) {
		s.all = append(s.all, n)
		return true
	}
	if s.late == nil {
		s.late = &lateNumbers{}
	}
	if s.all[sort.Search(k, func(i int) bool { return s.top(i) >= n })] == n || s.late.has(n) {
		return false
	}
	s.all = append(s.all, ^int32(len(s.late.all)))
	s.late.all = append(s.late.all, lateNumber{n, s.top(k - 1)})
	if s.late.taken != nil {
		s.late.taken[n] = struct{}{}
	}
	return true
}

func (s *lateNumbers) has(n int32) bool {
	if len(s.all) < fewLate {
		return slices.ContainsFunc(s.all, func(l lateNumber) bool { return l.n == n })
	}
	if s.taken == nil {
		s.taken = map[int32]struct{}{}
		for _, l := range s.all {
			s.taken[l.n] = struct{}{}
		}
	}
	_, ok := s.taken[n]
	return ok
}

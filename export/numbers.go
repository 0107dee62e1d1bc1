package export

import "slices"

// numbers is a set of numbers in the order of their coming, which is mostly
// rising.
type numbers struct {
	all   []int32
	taken map[int32]struct{} // the same, once they do not rise
}

// add adds a number. It is false where it is there already.
func (s *numbers) add(n int32) bool {
	switch k := len(s.all); {
	case s.taken != nil:
		if _, ok := s.taken[n]; ok {
			return false
		}
		s.taken[n] = struct{}{}
	case k > 0 && n <= s.all[k-1]:
		if _, ok := slices.BinarySearch(s.all, n); ok {
			return false
		}
		s.taken = map[int32]struct{}{n: {}}
		for _, old := range s.all {
			s.taken[old] = struct{}{}
		}
	}
	s.all = append(s.all, n)
	return true
}

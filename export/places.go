package export

import (
	"fmt"
	"strconv"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/paged"
)

// interned has a number for each text.
type interned struct {
	numbers map[string]int32
	texts   []string
}

func (n *interned) number(text []byte) int32 {
	i, ok := n.numbers[string(text)]
	if !ok {
		if n.numbers == nil {
			n.numbers = map[string]int32{}
		}
		i = int32(len(n.texts))
		n.texts = append(n.texts, string(text))
		n.numbers[n.texts[i]] = i
	}
	return i
}

// place is where a series is in an output: the name of the counter, and the tags
// or labels of the instance.
type place struct{ name, tags int32 }

// places finds the places of series, which are all different.
type places struct {
	name  func(*capture.Series) int32         // gives the number of a name
	tags  func([]byte, *capture.Owner) []byte // appends tags, each with a comma before it
	quote string                              // around the values of tags
	known paged.Slice[place]                  // by ID; the name is one more, 0 if the series is new
	texts interned                            // of tags
	taken pairs
	again map[place]int32 // how many more series would have the place

	owner  *capture.Owner // the last one
	number int32          // of its tags
}

// isNew reports whether a series has no place yet.
func (p *places) isNew(s *capture.Series) bool {
	return p.known.At(s.ID).name == 0
}

// find returns the place of a series. The tag duplicate distinguishes series that
// would have the same place.
func (p *places) find(s *capture.Series) place {
	known := p.known.At(s.ID)
	if known.name == 0 {
		if p.owner != s.Owner {
			p.owner, p.number = s.Owner, p.texts.number(p.tags(nil, s.Owner))
		}
		if p.taken == nil {
			p.taken, p.again = pairs{}, map[place]int32{}
		}
		first := place{p.name(s), p.number}
		*known = first
		for !p.taken.add(known.name, known.tags) {
			p.again[first]++
			known.tags = p.texts.number(fmt.Appendf(nil, "%s,duplicate=%s%d%[2]s", p.texts.texts[first.tags], p.quote, p.again[first]))
		}
		known.name++
	}
	return place{known.name - 1, known.tags}
}

// idText returns the number of a process or thread, "" for 0, which is none.
func idText(n uint64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatUint(n, 10)
}

// numberOf returns the number of a key, which is new if the key is.
func numberOf[K comparable](numbers map[K]int32, key K) int32 {
	n, ok := numbers[key]
	if !ok {
		n = int32(len(numbers))
		numbers[key] = n
	}
	return n
}

// pairs is a set of pairs of numbers: of the name of a counter, and of its instance. A
// counter mostly has instances with adjacent numbers, so 64 of these share a word.
type pairs map[[2]int32]uint64

// add adds a pair. It is false if it is there already.
func (p pairs) add(name, instance int32) bool {
	key, bit := [2]int32{name, instance / 64}, uint64(1)<<(instance%64)
	word := p[key]
	p[key] = word | bit
	return word&bit == 0
}

// at returns an element of a slice that grows if it has to.
func at[T any](of *[]T, i int) *T {
	if more := i + 1 - len(*of); more > 0 {
		*of = append(*of, make([]T, more)...)
	}
	return &(*of)[i]
}

package pdhpath

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Index finds, among many patterns, the few that may be for a path: by those of
// their parts that have no wildcards. It never changes and is safe for concurrent
// use.
type Index struct {
	// paths are the patterns by all ways to take them apart, names by the first
	// way and without instances. A key is the object, then the counter unless it
	// has a wildcard, then in paths a mark and what is known of the instance. For
	// an object with a wildcard stands anyObject or anyBracket.
	paths, names map[string][]int32
	lengths      uint64 // a bit for each length of the parts of instances in keys
	few          int    // patterns, which are all asked
}

// fewPatterns is up to how many patterns are asked sooner than they are found.
const fewPatterns = 8

// NewIndex returns an index of patterns, which are identified by their positions. One of
// a few patterns gives them all.
func NewIndex(patterns []*Pattern) *Index {
	if len(patterns) <= fewPatterns {
		return &Index{few: len(patterns)}
	}
	x := &Index{paths: map[string][]int32{}, names: map[string][]int32{}}
	for i, p := range patterns {
		for k := range p.ways {
			w := &p.ways[k]
			key := w.names()
			if k == 0 {
				add(x.names, key, i)
			}
			switch {
			case !w.has:
				add(x.paths, append(key, withoutInstance), i)
			case w.instance.any():
				add(x.paths, key, i)
			default:
				x.addInstance(key, &w.instance, i)
				x.addInstance(key, &w.plain, i)
			}
		}
	}
	return x
}

// addInstance adds a pattern by its instance: all of it, or the end of its longest
// part without a wildcard.
func (x *Index) addInstance(key []byte, g *glob, i int) {
	if g.literal() {
		add(x.paths, appendRunes(append(key, withInstance), g.parts[0]), i)
		return
	}
	var longest []byte
	for _, part := range g.parts {
		if b := appendRunes(nil, part); len(b) > len(longest) {
			longest = b
		}
	}
	longest = longest[max(0, len(longest)-maxPart):]
	x.lengths |= 1 << len(longest)
	add(x.paths, append(append(key, withPart), longest...), i)
}

// maxPart is how many bytes of a part of an instance a key has.
const maxPart = 16

// The keys of objects with a wildcard. \Process(b*)\* may be for an object called
// Process(b1), as any path with brackets: it is only asked where there are some.
const (
	anyObject  = 4
	anyBracket = 5
)

// What stands behind the parts of a key.
const (
	endOfName       = 0
	withInstance    = 1
	withoutInstance = 2
	withPart        = 3
)

// names returns the key of the object and the counter, as far as they have no
// wildcard.
func (w *way) names() []byte {
	var key []byte
	switch {
	case w.object.literal():
		key = appendRunes(nil, w.object.parts[0])
	case slices.ContainsFunc(w.object.parts, func(part []rune) bool { return slices.Contains(part, '(') }):
		key = []byte{anyBracket}
	default:
		key = []byte{anyObject}
	}
	key = append(key, endOfName)
	if !w.counter.literal() {
		return key
	}
	return append(appendRunes(key, w.counter.parts[0]), endOfName)
}

func add(m map[string][]int32, key []byte, i int) {
	all := m[string(key)]
	if n := len(all); n == 0 || all[n-1] != int32(i) {
		m[string(key)] = append(all, int32(i))
	}
}

// Each calls f for the patterns for which [Pattern.Match] may be true, for one
// several times if it can be taken apart in several ways: all others are not for
// the path. It allocates nothing unless the parts of the path exceed 512 bytes.
func (x *Index) Each(path Path, f func(i int)) {
	if x.paths == nil {
		x.all(f)
		return
	}
	var whole, folded [512]byte
	var instance []byte
	if path.Parent == "" && path.Index <= 0 {
		instance = appendFolded(folded[:0], path.Instance, true)
	} else {
		instance = appendFolded(folded[:0], AppendInstance(whole[:0], path.Parent, path.Instance, path.Index), true)
	}
	x.each(x.paths, path.Object, path.Counter, instance, path.HasInstance, f)
}

// each calls f for what m has for a counter of an object.
func (x *Index) each(m map[string][]int32, object, counter string, instance []byte, has bool, f func(i int)) {
	var buf [512]byte
	x.behind(m, append(buf[:0], anyObject, endOfName), counter, instance, has, f)
	if strings.Contains(object, "(") {
		x.behind(m, append(buf[:0], anyBracket, endOfName), counter, instance, has, f)
	}
	x.behind(m, append(appendFolded(buf[:0], object, false), endOfName), counter, instance, has, f)
}

// behind calls f for what m has behind the key of an object.
func (x *Index) behind(m map[string][]int32, key []byte, counter string, instance []byte, has bool, f func(i int)) {
	call(m[string(key)], f)
	x.instance(m, key, instance, has, f)
	key = append(appendFolded(key, counter, false), endOfName)
	call(m[string(key)], f)
	x.instance(m, key, instance, has, f)
}

// instance calls f for what m has for an instance, or none, behind a key.
func (x *Index) instance(m map[string][]int32, key, instance []byte, has bool, f func(i int)) {
	if !has {
		call(m[string(append(key, withoutInstance))], f)
		return
	}
	for rest := x.lengths; rest != 0; rest &= rest - 1 {
		for n, at := bits.TrailingZeros64(rest), 0; at+n <= len(instance); at++ {
			call(m[string(append(append(key, withPart), instance[at:at+n]...))], f)
		}
	}
	call(m[string(append(append(key, withInstance), instance...))], f)
}

// EachName is Each for a counter of an object whatever the instance, by the way in
// which [Parse] takes patterns apart: for all others [Pattern.MatchObject] or
// [Pattern.MatchCounter] is false.
func (x *Index) EachName(object, counter string, f func(i int)) {
	if x.names == nil {
		x.all(f)
		return
	}
	x.each(x.names, object, counter, nil, false, f)
}

func (x *Index) all(f func(i int)) {
	for i := range x.few {
		f(i)
	}
}

func call(all []int32, f func(i int)) {
	for _, i := range all {
		f(int(i))
	}
}

// appendFolded appends a name as appendRunes does the runes of a glob.
func appendFolded[T string | []byte](key []byte, s T, brackets bool) []byte {
	g := glob{brackets: brackets}
	for len(s) > 0 {
		r, size := decode(s)
		key = appendRune(key, g.fold(r))
		s = s[size:]
	}
	return key
}

func appendRunes(key []byte, all []rune) []byte {
	for _, r := range all {
		key = appendRune(key, r)
	}
	return key
}

// appendRune appends a rune of decode. What is no UTF-8 may give the bytes of
// something else: a key finds no fewer patterns for that.
func appendRune(key []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(key, byte(r))
	}
	return utf8.AppendRune(key, r)
}

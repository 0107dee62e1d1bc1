package pdhpath

import "strings"

// Pattern is a path with wildcards, ready to match. It is immutable and safe
// for concurrent use.
//
// Letters match without regard to case, in all alphabets, and * stands for any
// run of characters, also none. In instances ( ) and [ ] are the same, since
// PDH writes the latter for the former.
type Pattern struct {
	text string
	// ways are the ways to take text apart. The first is Parse's, and what
	// MatchObject and the others of one part go by.
	ways []way
}

// way is a pattern taken apart.
type way struct {
	machine  glob
	object   glob
	instance glob
	plain    glob // instance without a final #0
	has      bool // there is an instance part
	counter  glob
}

// withoutZero returns an instance without its final #0.
func withoutZero(instance string) string {
	parent, name, n := SplitInstance(instance)
	return string(AppendInstance(nil, parent, name, n))
}

// maxWays bounds the readings of a path full of brackets.
const maxWays = 16

// Compile makes a pattern of a path in which * stands for any run:
//
//	\Process(sql*)\% Processor Time
//	\\web*\Processor(*)\*
//	\System\*
//	*
//
// A pattern without a host is for all hosts. A lone * is everything: all
// objects, with instances or without, and all their counters. The errors are
// those of [Parse].
func Compile(s string) (*Pattern, error) {
	p := &Pattern{text: s}
	if s != "" && strings.Trim(s, "*") == "" {
		p.ways = []way{newWay("*", "*", "*", true, "*")}
		return p, nil
	}
	path, err := Parse(s)
	if err != nil {
		return nil, err
	}
	_, rest, _, _ := cutMachine(s)
	host := path.Machine
	if host == "" {
		host = "*"
	}
	for _, sp := range splits(rest) {
		object, instance, has, counter := sp.parts()
		if object != "" && counter != "" && len(p.ways) < maxWays {
			p.ways = append(p.ways, newWay(host, object, instance, has, counter))
		}
	}
	return p, nil
}

func newWay(host, object, instance string, has bool, counter string) way {
	w := way{
		machine:  newGlob(host, false),
		object:   newGlob(object, false),
		instance: newGlob(instance, true),
		has:      has,
		counter:  newGlob(counter, false),
	}
	w.plain = w.instance
	if strings.HasSuffix(instance, "#0") {
		w.plain = newGlob(withoutZero(instance), true)
	}
	return w
}

// splits returns the ways to take a path without its machine apart: that of
// Parse, then with other brackets, then as if it had no instance.
func splits(rest string) []split {
	var all []split
	for end := len(rest); len(all) < maxWays-1; {
		end = strings.LastIndex(rest[:end], `)\`)
		if end < 0 {
			break
		}
		for open := 0; len(all) < maxWays-1; open++ {
			i := strings.IndexByte(rest[open:end], '(')
			if i < 0 {
				break
			}
			open += i
			all = append(all, split{rest: rest, open: open, end: end})
		}
	}
	return append(all, split{rest: rest, open: -1, end: strings.LastIndexByte(rest, '\\')})
}

// String returns the text that p was compiled from.
func (p *Pattern) String() string { return p.text }

// MatchMachine reports whether p is for a host, with or without its \\. A
// pattern without a host is for all; one with a host is not for the unknown
// host "" unless it is *.
func (p *Pattern) MatchMachine(name string) bool { return p.ways[0].matchMachine(name) }

// MatchObject reports whether p is for an object of that name. It and its
// siblings cost no allocation; they go by the way in which [Parse] takes a
// path apart. Where names may hold brackets or backslashes, ask [Pattern.Match]
// too.
func (p *Pattern) MatchObject(name string) bool { return match(p.ways[0].object, name) }

// MatchCounter reports whether p is for a counter of that name.
func (p *Pattern) MatchCounter(name string) bool { return match(p.ways[0].counter, name) }

// MatchInstance reports whether p is for an instance, given as its parent or
// "", its name, and which of the equal names it is, from 0. No parent, no name
// and 0 stand for an object without instances.
//
// The pattern's instance is matched with the whole of parent/name#index, of
// which the signs are not special: sql* is for sqlservr#1 as well. An instance
// part is not for objects without instances unless it is *, and a pattern
// without one is for those only.
//
// It allocates nothing unless that whole exceeds 256 bytes.
func (p *Pattern) MatchInstance(parent, instance string, index int) bool {
	has := parent != "" || instance != "" || index > 0
	return p.ways[0].matchInstance(parent, instance, index, has)
}

// Match reports whether p is for the path. It tries each way in which the
// pattern can be taken apart, so that \Foo (bar)\Count is for the object
// "Foo (bar)" without instances as well as for the instance bar of "Foo ".
func (p *Pattern) Match(path Path) bool {
	for i := range p.ways {
		w := &p.ways[i]
		if match(w.object, path.Object) && match(w.counter, path.Counter) && w.matchMachine(path.Machine) &&
			w.matchInstance(path.Parent, path.Instance, path.Index, path.HasInstance) {
			return true
		}
	}
	return false
}

func (w *way) matchMachine(name string) bool {
	return w.machine.any() || match(w.machine, strings.TrimPrefix(name, `\\`))
}

func (w *way) matchInstance(parent, instance string, index int, has bool) bool {
	switch {
	case !has:
		return !w.has || w.instance.any()
	case !w.has:
		return false
	case w.instance.any():
		return true
	case parent == "" && index <= 0:
		return match(w.instance, instance) || match(w.plain, instance)
	}
	var buf [256]byte
	whole := AppendInstance(buf[:0], parent, instance, index)
	return match(w.instance, whole) || match(w.plain, whole)
}

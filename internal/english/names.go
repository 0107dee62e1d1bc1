package english

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strings"
	"sync"
)

// packed has a line for each object, its English name first and then the folded
// other ones, followed by a line that begins with a tab for each of its counters.
//
//go:embed names.tsv.gz
var packed []byte

// object is an object of the table.
type object struct {
	name     string
	counters func() map[string][]string // the English names of a folded one
}

// table has the objects by their folded names.
var table = sync.OnceValue(func() map[string][]*object {
	all := map[string][]*object{}
	var text []byte
	if r, err := gzip.NewReader(bytes.NewReader(packed)); err == nil {
		text, _ = io.ReadAll(r) // TestTable reads it whole
	}
	for rest := string(text); rest != ""; {
		var lines string
		lines, rest = cutObject(rest)
		head, lines, _ := strings.Cut(lines, "\n")
		names := strings.Split(head, "\t")
		o := &object{name: names[0], counters: sync.OnceValue(func() map[string][]string { return counters(lines) })}
		all[Fold(names[0])] = append(all[Fold(names[0])], o)
		for _, name := range names[1:] {
			all[name] = append(all[name], o)
		}
	}
	return all
})

// cutObject cuts the lines of the first object off.
func cutObject(text string) (lines, rest string) {
	for i := range len(text) - 1 {
		if text[i] == '\n' && text[i+1] != '\t' {
			return text[:i+1], text[i+1:]
		}
	}
	return text, ""
}

// counters reads the lines of the counters of an object.
func counters(lines string) map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(lines) {
		names := strings.Split(strings.Trim(line, "\t\n"), "\t")
		for i, name := range names {
			if i == 0 {
				name = Fold(name)
			}
			all[name] = append(all[name], names[0])
		}
	}
	return all
}

// Objects returns the English names of the objects that have a name, in English
// or in another language; none where the name is not known.
func Objects(name string) []string {
	var all []string
	for _, o := range table()[Fold(name)] {
		all = append(all, o.name)
	}
	return all
}

// Counters returns the English names of the counters of an object that have a
// name, in English or in another language. The object is given by its English
// name, or is "" for any.
func Counters(of, name string) []string {
	var all []string
	name = Fold(name)
	for _, o := range find(of) {
		for _, english := range o.counters()[name] {
			if !slices.Contains(all, english) {
				all = append(all, english)
			}
		}
	}
	return all
}

// find returns the object of an English name, or all for "".
func find(name string) []*object {
	if name != "" {
		return table()[Fold(name)]
	}
	return objects()
}

var objects = sync.OnceValue(func() []*object {
	var all []*object
	for _, of := range table() {
		all = append(all, of...)
	}
	slices.SortFunc(all, func(a, b *object) int { return strings.Compare(a.name, b.name) })
	return slices.Compact(all)
})

// Any returns the English names of the objects that have a name, or else those of
// the counters of any object.
func Any(name string) []string {
	if all := Objects(name); len(all) > 0 {
		return all
	}
	return Counters("", name)
}

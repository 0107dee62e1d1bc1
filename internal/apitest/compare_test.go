package apitest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// declared is the part of a line that says which name it is about.
var declared = regexp.MustCompile(`^(?:(?:const|var|func) \w+|method \(\*?\w+\) \w+|type \w+ (?:struct|interface), (?:embedded )?[\w.*]+|type \w+)`)

// compare tells what was removed from, added to and changed in the lists of
// each package, "" where nothing was.
func compare(want, have map[string]string) string {
	names := maps.Clone(want)
	maps.Copy(names, have)
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if want[name] == have[name] {
			continue
		}
		fmt.Fprintf(&b, "api/%s\n", name)
		was, is := index(want[name]), index(have[name])
		for _, key := range slices.Sorted(maps.Keys(was)) {
			switch now, ok := is[key]; {
			case !ok:
				fmt.Fprintf(&b, "  removed: %s\n", was[key])
			case now != was[key]:
				fmt.Fprintf(&b, "  changed: %s\n       to: %s\n", was[key], now)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(is)) {
			if _, ok := was[key]; !ok {
				fmt.Fprintf(&b, "  added:   %s\n", is[key])
			}
		}
	}
	return b.String()
}

func index(list string) map[string]string {
	byName := map[string]string{}
	for _, line := range lines(list) {
		byName[declared.FindString(line)] = line
	}
	return byName
}

func lines(list string) []string {
	return slices.DeleteFunc(strings.Split(list, "\n"), func(line string) bool { return line == "" })
}

package reference

import (
	_ "embed" // for the table
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// meaningsText is the table of codes and words; it begins with what it looks like.
//
//go:embed meanings.txt
var meaningsText string

// meanings is read when a word is first asked for.
var meanings = sync.OnceValue(func() map[Source][]Meaning {
	all, _ := readMeanings(meaningsText) // TestMeanings sees the error
	return all
})

// of returns the meanings of sources.
func of(sources ...Source) (all []Meaning) {
	for _, s := range sources {
		all = append(all, meanings()[s]...)
	}
	return all
}

// words are the codes of the toolkit itself. The pages of the formats in docs say
// which producers cause each.
func words() []Meaning { return of(Error, Anomaly, Status) }

func codes() []Meaning { return of(PDH, Win32, NTStatus) }

// readMeanings reads a table of meanings. The error says which line is wrong.
func readMeanings(text string) (map[Source][]Meaning, error) {
	all := map[Source][]Meaning{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		f := append(strings.Split(line, "\t"), "")
		if len(f) < 5 || len(f) > 6 {
			return nil, fmt.Errorf("line %d: %d columns", n, len(f)-1)
		}
		m := Meaning{Source: Source(f[0]), Name: f[2], Text: f[3]}
		if m.Source == Counter || m.Source == Object {
			m.Objects, m.Beware = []string{f[1]}, f[4]
		} else if m.Advice = f[4]; f[1] != "" {
			number, err := strconv.ParseUint(f[1], 0, 32)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			m.Number = uint32(number)
		}
		all[m.Source] = append(all[m.Source], m)
	}
	return all, nil
}

package blg

import (
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/titles"
)

// maxTitles limits the bytes of all titles of a log; a Windows with all features has about
// 2 MB.
const maxTitles = 32 << 20

// machineCost is about the memory of a machine in addition to its names.
const machineCost = 256

// MachineTitles holds the names of the objects and counters of a machine, as in logs of
// whole objects.
type MachineTitles struct {
	Machine string // with its backslashes
	Table   *titles.Table
}

// titleSet collects the titles of machines from their events.
type titleSet struct {
	machines []string
	raw      [][]byte // pairs, as a REG_MULTI_SZ without its end
	byName   map[string]int
	size     int
	built    []MachineTitles
}

// parseTitles adds the pairs of an event.
func (t *problems) parseTitles(e *event, set *titleSet) {
	name, rest := cutText(e.data)
	start := len(e.data) - len(rest)
	pairs := rest
	for len(rest) > 0 {
		index, after := cutText(rest)
		if !isNumber(index) || len(after) == 0 {
			t.lost[lostTitles]++
			t.report(codeTitles, e.at(start+len(pairs)-len(rest)), e.path(), "no index with a text: the last %d bytes are not read", int64(len(rest)))
			break
		}
		_, rest = cutText(after)
	}
	pairs = pairs[:len(pairs)-len(rest)]
	if set.size+len(e.data) > maxTitles {
		t.lost[lostTitles]++
		t.report(codeTitles, e.at(0), e.path(), "more than %d bytes of titles: these are not read", maxTitles)
		return
	}
	set.add(wire.UTF16(name), pairs)
}

func isNumber(b []byte) bool {
	for i := 0; i+1 < len(b); i += 2 {
		if b[i] < '0' || b[i] > '9' || b[i+1] != 0 {
			return false
		}
	}
	return len(b) > 0
}

func (s *titleSet) add(machine string, pairs []byte) {
	key := strings.ToLower(machine)
	i, ok := s.byName[key]
	if !ok {
		if s.byName == nil {
			s.byName = map[string]int{}
		}
		i = len(s.machines)
		s.byName[key] = i
		s.machines, s.raw = append(s.machines, machine), append(s.raw, nil)
	}
	s.raw[i] = append(s.raw[i], pairs...)
	if n := len(s.raw[i]); n > 1 && s.raw[i][n-1]|s.raw[i][n-2] != 0 {
		s.raw[i] = append(s.raw[i], 0, 0) // the record ended before the NUL
	}
	s.size += len(pairs) + len(machine) + machineCost
	s.built = nil
}

// tables returns the tables of the collected titles.
func (s *titleSet) tables() []MachineTitles {
	if s.built != nil || len(s.machines) == 0 {
		return s.built
	}
	for i, machine := range s.machines {
		// 1200 is UTF-16, which cannot be detected in a table of few names.
		table, err := titles.Parse(append(s.raw[i : i+1 : i+1][0], 0, 0), perfdump.Options{CodePage: 1200})
		if err == nil {
			s.built = append(s.built, MachineTitles{machine, table})
		}
	}
	return s.built
}

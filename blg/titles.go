package blg

import (
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/titles"
)

// maxTitles bounds the bytes of all names that a log's titles are kept of; a
// Windows with everything on it has some 2 MB.
const maxTitles = 32 << 20

// machineCost is about what a machine takes in addition to its names.
const machineCost = 256

// MachineTitles are the names of the objects and counters of a machine, which
// logs of whole objects hold.
type MachineTitles struct {
	Machine string // with its backslashes
	Table   *titles.Table
}

// titleSet gathers the titles of machines from their events.
type titleSet struct {
	machines []string
	raw      [][]byte // pairs, as a REG_MULTI_SZ without its end
	byName   map[string]int
	size     int
	built    []MachineTitles
}

// parseTitles adds the pairs of an event.
func (t *found) parseTitles(e *event, set *titleSet) {
	name, rest := cutText(e.data)
	start := len(e.data) - len(rest)
	pairs := rest
	for len(rest) > 0 {
		index, after := cutText(rest)
		if !isNumber(index) || len(after) == 0 {
			t.lost[lostTitles]++
			t.report(codeTitles, e.at(start+len(pairs)-len(rest)), e.path(), "no index, or none with a text: the last %d bytes are not read", int64(len(rest)))
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

// tables makes the tables of what has been gathered.
func (s *titleSet) tables() []MachineTitles {
	if s.built != nil || len(s.machines) == 0 {
		return s.built
	}
	for i, machine := range s.machines {
		// 1200 says UTF-16, which a table of few names need not look like.
		table, err := titles.Parse(append(s.raw[i : i+1 : i+1][0], 0, 0), perfdump.Options{CodePage: 1200})
		if err == nil {
			s.built = append(s.built, MachineTitles{machine, table})
		}
	}
	return s.built
}

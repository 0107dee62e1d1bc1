package capture

import (
	"cmp"
	"slices"
	"time"
)

// turn is the sort key of the next moment of a track: by time, then source.
type turn struct {
	time   time.Time // of the moment, or of the previous one
	source string
	track  int
}

func (t *turn) when() *turn { return t }

func (t *turn) compare(other *turn) int {
	return cmp.Or(t.time.Compare(other.time), cmp.Compare(t.source, other.source), cmp.Compare(t.track, other.track))
}

// turns holds the heads of the open tracks, sorted descending: the next one is last.
type turns[H interface{ when() *turn }] []H

func (q *turns[H]) add(h H) {
	i, _ := slices.BinarySearchFunc(*q, h, func(a, b H) int { return b.when().compare(a.when()) })
	*q = slices.Insert(*q, i, h)
}

func (q turns[H]) first() H { return q[len(q)-1] }

func (q *turns[H]) drop() { *q = (*q)[:len(*q)-1] }

// due reports whether a track that begins at start must be opened before the next moment is
// known.
func (q turns[H]) due(start time.Time) bool {
	return len(q) == 0 || !start.After(q.first().when().time)
}

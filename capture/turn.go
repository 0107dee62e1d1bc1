package capture

import (
	"cmp"
	"slices"
	"time"
)

// turn says when the next moment of a track comes, among those of other tracks:
// in the order of time, those of one time by their sources.
type turn struct {
	time   time.Time // of the moment, or of the one before it
	source string
	track  int
}

func (t *turn) when() *turn { return t }

func (t *turn) compare(other *turn) int {
	return cmp.Or(t.time.Compare(other.time), cmp.Compare(t.source, other.source), cmp.Compare(t.track, other.track))
}

// turns are the heads of the open tracks, the first to come last.
type turns[H interface{ when() *turn }] []H

func (q *turns[H]) add(h H) {
	i, _ := slices.BinarySearchFunc(*q, h, func(a, b H) int { return b.when().compare(a.when()) })
	*q = slices.Insert(*q, i, h)
}

func (q turns[H]) first() H { return q[len(q)-1] }

func (q *turns[H]) drop() { *q = (*q)[:len(*q)-1] }

// due reports whether a track that begins at start must be opened before it is
// known what comes first.
func (q turns[H]) due(start time.Time) bool {
	return len(q) == 0 || !start.After(q.first().when().time)
}

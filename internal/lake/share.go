package lake

import (
	"hash/fnv"
	"io"
	"math"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export/parquet"
)

// Share is what a piece has in a file.
type Share struct {
	Piece string    `json:"piece"`
	Rows  int64     `json:"rows"`
	First time.Time `json:"first,omitzero"` // of the times of its rows
	Last  time.Time `json:"last,omitzero"`
	Sum   uint64    `json:"sum,omitempty,string"` // of the hashes of its rows, in any order
}

// add counts points of a series.
func (s *Share) add(of *capture.Series, points []parquet.Point) {
	if len(points) == 0 {
		return
	}
	h := fnv.New64a()
	_, _ = io.WriteString(h, of.Host+"\x00"+of.Path())
	series := h.Sum64()
	first, last := points[0].Time, points[0].Time
	for i := range points {
		p := &points[i]
		first, last = min(first, p.Time), max(last, p.Time)
		value := uint64(p.Status)<<1 | 1
		if p.Has {
			value = mixed(math.Float64bits(p.Value)) + uint64(p.Status)<<1
		}
		s.Sum += mixed(series ^ mixed(uint64(p.Time)^mixed(value)))
	}
	s.Rows += int64(len(points))
	s.cover(time.UnixMicro(first).UTC(), time.UnixMicro(last).UTC())
}

func (s *Share) cover(first, last time.Time) {
	if s.First.IsZero() || !first.IsZero() && first.Before(s.First) {
		s.First = first
	}
	if last.After(s.Last) {
		s.Last = last
	}
}

// plus returns the share with what the same piece has elsewhere.
func (s Share) plus(o *Share) Share {
	s.Piece = o.Piece
	s.Rows += o.Rows
	s.Sum += o.Sum
	s.cover(o.First, o.Last)
	return s
}

// has reports whether a row at a time, in microseconds, is of the share.
func (s *Share) has(at int64) bool { return s.First.UnixMicro() <= at && at <= s.Last.UnixMicro() }

// mixed returns a number whose bits all depend on all of x.
func mixed(x uint64) uint64 {
	x = (x ^ x>>31) * 0x9e3779b97f4a7c15
	x = (x ^ x>>29) * 0xbf58476d1ce4e5b9
	return x ^ x>>32
}

// equal reports whether shares have the same rows.
func (s Share) equal(o Share) bool {
	return s.Piece == o.Piece && s.Rows == o.Rows && s.Sum == o.Sum && s.First.Equal(o.First) && s.Last.Equal(o.Last)
}

package parquet

import (
	"math"
	"slices"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export/internal/column"
)

// groupReader reads groups in turn.
type groupReader struct {
	r    *SeriesReader
	zstd *zstd.Decoder

	groupAt
	path perfdump.Path
	rest []byte // of the group
	page []byte // that is unpacked
	room int64  // for what is unpacked

	chunks   []values
	statuses []countertypes.Status
	series   []seen // by the index of the path
	last     *capture.Series
	id       int // the ID of a new series
	row      int64
	points   []Point
}

// seen is a series of a group and its first row.
type seen struct {
	*capture.Series
	row int64
}

func (g *groupReader) fail(code perfdump.Code, format string, args ...any) error {
	return perfdump.NewError(code, g.at+g.size-int64(len(g.rest)), g.path, format, args...)
}

// read reads a group, before its first row.
func (g *groupReader) read(i int) (err error) {
	g.groupAt, g.row, g.room = g.r.groups[i], 0, maxGroup
	if g.rest, err = g.r.bytes(g.at, g.size); err != nil {
		return err
	}
	group := levels.Root().At(0, i)
	for k := range g.chunks {
		g.path = group.Field(g.r.columns[k].Name)
		if err = g.chunk(&g.r.columns[k], &g.chunks[k]); err != nil {
			return err
		}
	}
	if g.path = group; len(g.rest) > 0 {
		return g.fail(perfdump.CodeLength, "%d bytes are after the last page", len(g.rest))
	}
	g.statuses = g.statuses[:0]
	for _, word := range g.chunks[column.Status].texts {
		status, err := countertypes.ParseStatus(word)
		if err != nil {
			return g.fail(perfdump.CodeSyntax, "%v", err)
		}
		g.statuses = append(g.statuses, status)
	}
	g.series = make([]seen, len(g.chunks[column.Value-1].texts))
	return nil
}

// chunk reads a column.
func (g *groupReader) chunk(c *column.Column, v *values) error {
	kind, n, encoding := &kinds[c.Type], 0, splitEncoding
	if c.Type == times {
		encoding = plainEncoding
	}
	*v = values{index: v.index[:0], words: v.words[:0], present: v.present[:0]}
	if kind.dict {
		entries, b, err := g.next(dictionaryPage, plainEncoding)
		if err != nil {
			return err
		}
		n, encoding = entries, dictionaryEncoding
		if !v.dictionary(kind, b, n) {
			return g.fail(perfdump.CodeLength, "a page of %d bytes is no dictionary of %d values", len(b), n)
		}
	}
	rows, b, err := g.next(dataPage, encoding)
	if err == nil && (int64(rows) != g.rows || !v.rows(kind, b, c.Null, rows, n)) {
		err = g.fail(perfdump.CodeCount, "a page of %d bytes has not the values of %d rows", len(b), g.rows)
	}
	return err
}

// next returns how many values the next page has, and its bytes until the one after it.
func (g *groupReader) next(kind, encoding int) (n int, b []byte, err error) {
	var is, by, values, size, packed int64
	t := &thriftReader{b: g.rest, end: g.at + g.size, path: g.path}
	t.leaf = func(place uint64, v int64, _ []byte) {
		switch place {
		case 0x01:
			is = v
		case 0x02:
			size = v
		case 0x03:
			packed = v
		case 0x0501, 0x0701:
			values = v
		case 0x0502, 0x0702:
			by = v
		}
	}
	t.fields(0, 0)
	switch {
	case is != int64(kind) || by != int64(encoding):
		t.fail(perfdump.CodeUnknownFormat, "a page of kind %d and encoding %d, not %d and %d", is, by, kind, encoding)
	case values < 0 || values > g.rows:
		t.fail(perfdump.CodeCount, "a page of %d values in a group of %d rows", values, g.rows)
	case size < 0 || size > g.room:
		t.fail(perfdump.CodeLimit, "a page unpacks to %d bytes, more than the %d that are left of %d", size, g.room, maxGroup)
	}
	b = t.take(uint64(packed))
	if t.err != nil {
		return 0, nil, t.err
	}
	g.rest = t.b
	g.room -= size
	g.page = slices.Grow(g.page[:0], int(size))[:size]
	switch g.r.codec {
	case zstdCodec:
		b, err = g.zstd.DecodeAll(b, g.page[:0:size])
	case snappyCodec:
		if to, _ := s2.DecodedLen(b); to <= len(g.page) {
			b, err = s2.Decode(g.page, b)
		}
	}
	if err != nil || int64(len(b)) != size {
		return 0, nil, g.fail(perfdump.CodeLength, "a page does not unpack to %d bytes: %v", size, err)
	}
	return int(values), b, nil
}

// run reads rows of a series.
func (g *groupReader) run() (Run, error) {
	paths := g.chunks[column.Value-1].index
	path := paths[g.row]
	s := &g.series[path]
	if s.Series == nil {
		if s.Series = g.newSeries(); s.Series == nil {
			return Run{}, g.fail(perfdump.CodeSyntax, "the path of row %d is not that of its other columns", g.row)
		}
		s.row = g.row
	}
	g.last = s.Series
	g.points = g.points[:0]
	for ; g.row < g.rows && paths[g.row] == path; g.row++ {
		for k := column.FirstOfSeries; k < column.Value; k++ {
			if v := g.chunks[k].index; v[g.row] != v[s.row] {
				return Run{}, g.fail(perfdump.CodeSyntax, "rows %d and %d are of one path and have not the same %s", s.row, g.row, g.r.columns[k].Name)
			}
		}
		p := Point{Time: noTime, Status: g.statuses[g.chunks[column.Status].index[g.row]]}
		if v := &g.chunks[0]; v.index[g.row] != null {
			p.Time = int64(v.words[v.index[g.row]])
		}
		if v := &g.chunks[column.Value]; v.index[g.row] != null {
			p.Value, p.Has = math.Float64frombits(v.words[v.index[g.row]]), true
		}
		g.points = append(g.points, p)
	}
	return Run{s.Series, g.points}, nil
}

// newSeries returns the series of a row, nil if it has not the path of the row.
func (g *groupReader) newSeries() *capture.Series {
	k := column.FirstOfSeries
	text := func() (string, bool) {
		v := &g.chunks[k]
		k++
		if v.index[g.row] == null {
			return "", false
		}
		return v.texts[v.index[g.row]], true
	}
	s := &capture.Series{ID: g.id, Owner: &capture.Owner{}, Metric: &capture.Metric{}}
	s.Host, _ = text()
	s.Object, _ = text()
	s.Parent, s.HasParent = text()
	s.Instance, s.HasInstance = text()
	s.InstanceIndex = int(int32(g.chunks[k].words[g.chunks[k].index[g.row]]))
	k++
	s.Counter, _ = text()
	if path, _ := text(); s.Path() != path {
		return nil
	}
	if l := g.last; l != nil && s.Object == l.Object && s.Counter == l.Counter {
		if s.Metric = l.Metric; g.row == 0 && *s.Owner == *l.Owner {
			return l // goes on
		}
	}
	g.id++
	return s
}

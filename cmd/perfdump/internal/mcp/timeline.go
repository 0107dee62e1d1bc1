package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

const (
	usualPoints = 60
	maxSeries   = 100 // of a timeline

	// epoch is the year 0, which no row is before, in milliseconds from 1970.
	epoch = -62_167_219_200_000
)

// ratios are those of the widths that parts of a timeline have, from a millisecond to
// a week: 10 ms, 100 ms, 1 s, 5, 15, 30 s, 1, 5, 10, 30 min, 1, 2, 6, 12 h, a day, a
// week. Each is a multiple of the one before, so that parts can be joined.
var ratios = [...]int64{10, 10, 10, 5, 3, 2, 2, 5, 2, 3, 2, 2, 3, 2, 2, 7}

// resampled are series in parts of one width, the least with which so many points
// cover the time.
type resampled struct {
	points    int64
	width     int64 // in milliseconds
	widened   int   // how many times
	low, high int64 // the first and the last part, counted from epoch; high is lower before there is one
	series    []*track
	byPath    map[string]*track
	note      string
}

type track struct {
	path             string
	parts            map[int64]part
	samples, missing int
}

type part struct {
	n             int
	sum, min, max float64
}

// timeline takes rows of cook. Its items are series.
func timeline(given map[string]any, a *answer) *cut {
	r := &resampled{points: int64(number(given, "points", usualPoints)), width: 1, low: 1, byPath: map[string]*track{}}
	return &cut{line: r.row, end: func() { r.add(a) }}
}

func (r *resampled) row(line []byte) error {
	var row struct {
		Time  *time.Time
		Path  string
		Value *float64
	}
	if err := json.Unmarshal(line, &row); err != nil {
		return err
	}
	t := r.byPath[row.Path]
	if t == nil {
		if len(r.series) == maxSeries {
			r.note = fmt.Sprintf("more than %d counters match, and a timeline has no more; name fewer", maxSeries)
			return nil
		}
		t = &track{path: row.Path, parts: map[int64]part{}}
		r.byPath[row.Path] = t
		r.series = append(r.series, t)
	}
	if row.Value == nil || row.Time == nil {
		t.missing++
		return nil
	}
	t.samples++
	ms := row.Time.UnixMilli() - epoch
	at := ms / r.width
	if r.high < r.low {
		r.low, r.high = at, at
	}
	r.low, r.high = min(r.low, at), max(r.high, at)
	for r.high-r.low >= r.points {
		r.widen()
	}
	join(t.parts, ms/r.width, part{1, *row.Value, *row.Value, *row.Value})
	return nil
}

// widen joins parts to the next width.
func (r *resampled) widen() {
	ratio := int64(2)
	if r.widened < len(ratios) {
		ratio = ratios[r.widened]
	}
	r.widened++
	r.width *= ratio
	r.low, r.high = r.low/ratio, r.high/ratio
	for _, t := range r.series {
		wide := map[int64]part{}
		for _, at := range slices.Sorted(maps.Keys(t.parts)) { // a sum depends on the order
			join(wide, at/ratio, t.parts[at])
		}
		t.parts = wide
	}
}

func join(parts map[int64]part, at int64, p part) {
	if is, ok := parts[at]; ok {
		p = part{is.n + p.n, is.sum + p.sum, min(is.min, p.min), max(is.max, p.max)}
	}
	parts[at] = p
}

// add adds the series to an answer.
func (r *resampled) add(a *answer) {
	if r.note != "" {
		a.notes = append(a.notes, r.note)
	}
	start := time.UnixMilli(epoch + r.low*r.width).UTC().Format(time.RFC3339Nano)
	for _, t := range r.series {
		points := [][4]rounded{}
		for _, at := range slices.Sorted(maps.Keys(t.parts)) {
			p := t.parts[at]
			points = append(points, [...]rounded{rounded((at-r.low)*r.width) / 1000, rounded(p.sum / float64(p.n)), rounded(p.min), rounded(p.max)})
		}
		item := struct {
			Path    string       `json:"path"`
			Start   string       `json:"start"`
			Step    rounded      `json:"step_s"`
			Points  [][4]rounded `json:"points"`
			Samples int          `json:"samples"`
			Missing int          `json:"missing"`
		}{t.path, start, rounded(r.width) / 1000, points, t.samples, t.missing}
		if a.add(bytes.TrimSpace(marshal(item))) != nil {
			return
		}
	}
}

// rounded is a number with seven digits.
type rounded float64

// MarshalJSON returns the number.
func (n rounded) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(n), 'g', 7, 64), nil
}

package capture

import (
	"fmt"
	"math"
	"strings"

	"github.com/perfdump/perfdump/internal/paged"
)

// A recording is what one logger writes on one machine. Its files may have the same
// snapshots, as two copies of a log that grows have: these count once. Two
// recordings of a machine may have the same counters at the same time: each is
// cooked by itself, and all values are there.

type twins struct {
	n           int
	differ      int    // values of them that are others
	file, first string // of the first of them, and of the one that it is like
	files       map[string]bool
}

func (t *twins) add(file, first string) {
	if t.files == nil {
		t.file, t.first, t.files = file, first, map[string]bool{}
	}
	t.n++
	t.files[file] = true
}

func (t *twins) report(r *Recording) {
	if t.n == 0 {
		return
	}
	snapshots := fmt.Sprintf("%d snapshots", t.n)
	if t.n == 1 {
		snapshots = "1 snapshot"
	}
	text := "given twice: " + snapshots
	switch others := len(t.files) - 1; {
	case others == 1:
		text += " of this and 1 other file"
	case others > 1:
		text += fmt.Sprintf(" of this and %d other files", others)
	case t.first != t.file:
		text += ", here and in " + t.first
	}
	text += "; counted once"
	switch {
	case t.differ == 1:
		text += ", though 1 value differs: cook the files one by one to see both"
	case t.differ > 1:
		text += fmt.Sprintf(", though %d values differ: cook the files one by one to see all", t.differ)
	}
	r.report(Remark{Code: remarkTwice, Source: t.file, Text: text})
}

// copies are the tracks of one recording.
type copies struct {
	first  int                 // the one that begins first
	source string              // its file
	shared bool                // there are several
	seen   paged.Slice[copied] // when each series was last seen
	last   copied              // when the recording was
}

type copied struct {
	ticks int64 // of 100 ns
	track int   // from 1
	value float64
}

func (c copied) twin(of copied) bool {
	return c.ticks == of.ticks && c.track != of.track && of.track > 0
}

// cut removes the cells of a frame that another track had at the same time. It
// reports whether there were any, and whether that was all of the frame, and how
// many of the values are others there.
func (c *copies) cut(f *Frame) (some, all bool, differ int) {
	if f.Time.IsZero() {
		return false, false, 0
	}
	now := copied{ticks: f.Time.Unix()*1e7 + int64(f.Time.Nanosecond()/100), track: f.Track + 1}
	n, met := 0, len(f.Cells)
	for i := range f.Cells {
		last := c.seen.At(f.Cells[i].Series.ID)
		v, ok := f.Cells[i].Number()
		if !ok {
			v = math.NaN()
		}
		if now.twin(*last) {
			if v < last.value || v > last.value { // neither is NaN
				differ++
			}
			continue
		}
		now.value = v
		*last = now
		f.Cells[n] = f.Cells[i]
		if len(f.Tuples) > 0 {
			f.Tuples[n] = f.Tuples[i]
		}
		n++
	}
	f.cut(n)
	if some = n < met || met == 0 && now.twin(c.last); n > 0 || !some {
		c.last = now
	}
	return some, some && n == 0, differ
}

type overlaps map[string]*ofMachine

type ofMachine struct {
	last  string            // whose frame came last
	files map[string]string // one of each
	told  map[string]bool
}

// look takes the next frame of a recording, and reports it where frames of another
// one of its machine came since the frame before.
func (o overlaps) look(r *Recording, f *Frame, recording string) {
	if f.Host == "" {
		return
	}
	host := strings.ToLower(f.Host)
	m := o[host]
	if m == nil {
		m = &ofMachine{last: recording, files: map[string]string{}, told: map[string]bool{}}
		o[host] = m
	}
	if m.last != recording && m.files[recording] != "" && !m.told[recording] {
		m.told[recording], m.told[m.last] = true, true
		r.report(Remark{
			Code: remarkOverlap, Source: m.files[recording], Record: f.Record,
			Text: fmt.Sprintf("another recording of %s, %s, covers the same time; they are kept separate: no value is computed across the two, and the column source (--with) says which one a row is from", f.Host, m.files[m.last]),
		})
	}
	m.last, m.files[recording] = recording, f.Source
}

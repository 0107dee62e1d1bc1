package capture

import (
	"fmt"
	"math"
	"strings"

	"github.com/perfdump/perfdump/internal/paged"
)

// A recording is what one logger writes on one machine. Its files may contain the same
// snapshots, such as two copies of a growing log: these count once. Two recordings of a
// machine may have the same counters at the same time: they are cooked separately, and all
// values are kept.

type duplicates struct {
	n           int
	differ      int    // number of values that differ
	file, first string // the first duplicate, and the file that it repeats
	files       map[string]bool
}

func (t *duplicates) add(file, first string) {
	if t.files == nil {
		t.file, t.first, t.files = file, first, map[string]bool{}
	}
	t.n++
	t.files[file] = true
}

func (t *duplicates) report(r *Recording) {
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
	first  int                 // the track that begins first
	source string              // its file
	shared bool                // there are several tracks
	seen   paged.Slice[copied] // when each series was last seen
	last   copied              // when the recording was last seen
}

type copied struct {
	ticks int64 // of 100 ns
	track int   // from 1
	value float64
}

func (c copied) duplicate(of copied) bool {
	return c.ticks == of.ticks && c.track != of.track && of.track > 0
}

// cut removes the cells of a frame that another track had at the same time. It reports
// whether there were any, whether these were all, and how many of their values differ.
func (c *copies) cut(f *Frame) (some, all bool, differ int) {
	if f.Time.IsZero() {
		return false, false, 0
	}
	now := copied{ticks: f.Time.Unix()*1e7 + int64(f.Time.Nanosecond()/100), track: f.Track + 1}
	n, seen := 0, len(f.Cells)
	for i := range f.Cells {
		last := c.seen.At(f.Cells[i].Series.ID)
		v, ok := f.Cells[i].Number()
		if !ok {
			v = math.NaN()
		}
		if now.duplicate(*last) {
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
		if len(f.Samples) > 0 {
			f.Samples[n] = f.Samples[i]
		}
		n++
	}
	f.cut(n)
	if some = n < seen || seen == 0 && now.duplicate(c.last); n > 0 || !some {
		c.last = now
	}
	return some, some && n == 0, differ
}

type overlaps map[string]*machineOverlap

type machineOverlap struct {
	last     string            // the recording of the last frame
	files    map[string]string // a file of each recording
	reported map[string]bool
}

// check takes the next frame of a recording, and reports if frames of another recording of
// its machine came since the previous one.
func (o overlaps) check(r *Recording, f *Frame, recording string) {
	if f.Host == "" {
		return
	}
	host := strings.ToLower(f.Host)
	m := o[host]
	if m == nil {
		m = &machineOverlap{last: recording, files: map[string]string{}, reported: map[string]bool{}}
		o[host] = m
	}
	if m.last != recording && m.files[recording] != "" && !m.reported[recording] {
		m.reported[recording], m.reported[m.last] = true, true
		r.report(Remark{
			Code: remarkOverlap, Source: m.files[recording], Record: f.Record,
			Text: fmt.Sprintf("another recording of %s, %s, covers the same time; they are kept separate: no value is computed across the two, and the column source (--with) says which one a row is from", f.Host, m.files[m.last]),
		})
	}
	m.last, m.files[recording] = recording, f.Source
}

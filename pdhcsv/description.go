package pdhcsv

import (
	"math"

	"github.com/perfdump/perfdump/pdhpath"
)

// Path returns the counter path that is the name of column i. It is false for a name
// that is none. One such as Processor(_Total)\% Processor Time is a path without a
// machine.
func (h *Header) Path(i int) (p pdhpath.Path, ok bool) {
	if h.described && i == h.Len()-1 {
		return p, false
	}
	return parsePath(h.Column(i))
}

func parsePath(name string) (p pdhpath.Path, ok bool) {
	p, err := pdhpath.Parse(name)
	if err != nil && name != "" && name[0] != '\\' {
		p, err = pdhpath.Parse(`\` + name)
	}
	return p, err == nil
}

// Description returns the text that Windows puts after the counters in the header
// of a collector set that has a description. Rows have no cell for it.
func (h *Header) Description() (text string, ok bool) {
	if !h.described {
		return "", false
	}
	return h.Column(h.Len() - 1), true
}

// describe finds out whether the last column is the description, where its name is
// no counter path: the first row has nothing there. at is its offset.
func (r *Reader) describe(at int64) {
	h := &r.header
	line, ok := r.line(false)
	if r.err != nil {
		return
	}
	if r.again = ok; ok {
		line = trimEnd(line)
		_, pos := r.cut(line, 0)
		n := 0
		var cell []byte
		for ; n < h.Len() && pos < len(line); n++ {
			cell, pos = r.cut(line, pos+1)
		}
		_, looks := h.Path(h.Len() - 1)
		ok = n == h.Len() && (looks || !blank(cell))
	}
	if h.described = !ok; !h.described {
		r.noPath(h.Len()-1, at)
	}
}

// noPath reports the name of column i, at an offset.
func (r *Reader) noPath(i int, at int64) {
	text := "the name of the column is no counter path: skipped"
	if _, ok := parsePath(r.header.names[i]); ok {
		text = "the name of the column does not begin with a backslash: read as that of a counter without a machine"
	} else {
		if r.skipped == nil {
			r.skipped = map[int]bool{}
		}
		r.skipped[i] = true
	}
	r.anomaly(CodeColumnPath, at, inColumn(i), text)
}

// lateValue reports once a value where the description is.
func (r *Reader) lateValue() {
	i := r.header.Len() - 1
	if r.header.described && !r.late && r.row.Cells > i && !math.IsNaN(r.row.Values[i]) {
		r.late = true
		r.noPath(i, r.row.Off)
	}
}

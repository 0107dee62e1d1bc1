package document

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/perfdump/perfdump"
)

const (
	// maxSize bounds the files that documents speak of.
	maxSize = 1 << 36
	// maxFill bounds the zeros that are filled in at once where a document
	// leaves lengths to the encoder.
	maxFill = 64 << 10
)

// write joins fields and gaps, and writes them where no byte is missing and
// none is said twice in two ways.
func (d *decoder) write(w io.Writer) error {
	if linesFormat(d.format) {
		return d.lines.write(w)
	}
	if d.format == formatIPCBlock {
		return d.ipcBlock.write(w)
	}
	if d.format == formatTitles && !d.hasGaps {
		return d.titles.write(w)
	}
	slices.SortStableFunc(d.gaps, func(a, b gap) int { return cmp.Compare(a.off, b.off) })
	runs, err := d.join()
	if err != nil {
		return err
	}
	a := assembly{runs: runs, zeros: union(d.zeros, d.zeroGap), soft: union(d.soft)}
	if len(runs) > 0 {
		a.size = runs[len(runs)-1].end()
	}
	for _, e := range [][]extent{a.zeros, a.soft} {
		if len(e) > 0 {
			a.size = max(a.size, e[len(e)-1].end)
		}
	}
	if d.sized() {
		switch {
		case d.size < a.size && d.format == formatTitles && a.trim(d.size):
		case d.size < a.size:
			return misfit(d.size, "size", "the document holds 0x%x bytes, but its size is 0x%x", a.size, d.size)
		}
		a.size = d.size
	}
	if a.size > maxSize {
		return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "a file of 0x%x bytes; the limit is 0x%x", a.size, int64(maxSize))
	}
	if err := a.walk(nil); err != nil {
		return err
	}
	return a.walk(w)
}

// sized reports whether the size that the document gives counts.
func (d *decoder) sized() bool {
	return d.size >= 0 && (d.format == formatTitles || d.perfData.explicit)
}

// misfit is an error of the bytes to be written.
func misfit(off int64, path, format string, args ...any) error {
	err := perfdump.NewError(perfdump.CodeLength, off, perfdump.Path{}, format, args...)
	err.Path = path
	return err
}

// join merges the runs of the fields and those of the gaps, which are both in
// order, to runs that do not overlap. It is linear: each gap is compared once,
// with as many bytes as it has.
func (d *decoder) join() ([]run, error) {
	if len(d.gaps) == 0 {
		return d.runs, nil
	}
	out := make([]run, 0, len(d.runs)+len(d.gaps))
	add := func(r run, index int) error {
		end := int64(0)
		if len(out) > 0 {
			end = out[len(out)-1].end()
		}
		if n := min(end-r.off, int64(len(r.b))); n > 0 {
			if c := compareRuns(out, r.off, r.b[:n]); c != nil {
				if index < 0 { // the field came second
					return misfit(c.off, "gaps", "a gap says 0x%02x of a byte that a field says is 0x%02x", c.was, c.want)
				}
				return misfit(c.off, fmt.Sprintf("gaps[%d]", index), "it says 0x%02x of a byte that is 0x%02x elsewhere", c.want, c.was)
			}
			r = run{r.off + n, r.b[n:]}
		}
		if len(r.b) > 0 {
			out = append(out, r)
		}
		return nil
	}
	i := 0
	for _, g := range d.gaps {
		for ; i < len(d.runs) && d.runs[i].off <= g.off; i++ {
			if err := add(d.runs[i], -1); err != nil {
				return nil, err
			}
		}
		if err := add(g.run, g.index); err != nil {
			return nil, err
		}
	}
	for ; i < len(d.runs); i++ {
		if err := add(d.runs[i], -1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// union returns the extents in order, those that touch made one.
func union(lists ...[]extent) []extent {
	var all []extent
	for _, l := range lists {
		if all == nil {
			all = l
		} else {
			all = append(all, l...)
		}
	}
	byOffset := func(a, b extent) int { return cmp.Compare(a.off, b.off) }
	if !slices.IsSortedFunc(all, byOffset) {
		slices.SortFunc(all, byOffset)
	}
	n := 0
	for _, e := range all {
		if n > 0 && e.off <= all[n-1].end {
			all[n-1].end = max(all[n-1].end, e.end)
			continue
		}
		all[n] = e
		n++
	}
	return all[:n]
}

// assembly is a file in parts, each list in order and without overlaps. Runs
// and zeros may overlap where they agree.
type assembly struct {
	runs  []run
	zeros []extent
	soft  []extent // counts where nothing else does
	size  int64
}

// trim drops what is filled in past size.
func (a *assembly) trim(size int64) bool {
	if n := len(a.runs); n > 0 && a.runs[n-1].end() > size {
		return false
	}
	if n := len(a.zeros); n > 0 && a.zeros[n-1].end > size {
		return false
	}
	for n := len(a.soft); n > 0 && a.soft[n-1].end > size; n-- {
		if a.soft[n-1].off < size {
			a.soft[n-1].end = size
			break
		}
		a.soft = a.soft[:n-1]
	}
	return true
}

// walk goes through the file and writes it to w, or only looks whether it is
// whole where w is nil.
func (a *assembly) walk(w io.Writer) error {
	out := newPrinter(w)
	z, s := 0, 0
	at := int64(0)
	for i := 0; i <= len(a.runs); i++ {
		next := a.size
		if i < len(a.runs) {
			next = a.runs[i].off
		}
		for at < next {
			for z < len(a.zeros) && a.zeros[z].end <= at {
				z++
			}
			for s < len(a.soft) && a.soft[s].end <= at {
				s++
			}
			to := next
			switch {
			case z < len(a.zeros) && a.zeros[z].off <= at:
				to = min(to, a.zeros[z].end)
			case s < len(a.soft) && a.soft[s].off <= at:
				to = min(to, a.soft[s].end)
				if z < len(a.zeros) {
					to = min(to, a.zeros[z].off)
				}
				if to-at > maxFill {
					return misfit(at, "", "0x%x bytes that neither a field nor a gap holds are more than are filled in with zeros", to-at)
				}
			default:
				if z < len(a.zeros) {
					to = min(to, a.zeros[z].off)
				}
				if s < len(a.soft) {
					to = min(to, a.soft[s].off)
				}
				return misfit(at, "gaps", "no field and no gap holds the 0x%x bytes from 0x%x on", to-at, at)
			}
			if w != nil {
				out.zeros(to - at)
			}
			at = to
		}
		if i == len(a.runs) {
			break
		}
		r := a.runs[i]
		if w == nil {
			if err := a.checkZeros(r, &z); err != nil {
				return err
			}
		} else {
			out.bytes(r.b)
		}
		at = r.end()
		if out.err != nil {
			return out.err
		}
	}
	if w != nil {
		out.flush()
	}
	return out.err
}

// checkZeros wants the bytes of r to be zero where a.zeros says so; z is the
// first of them that may matter.
func (a *assembly) checkZeros(r run, z *int) error {
	for ; *z < len(a.zeros) && a.zeros[*z].off < r.end(); *z++ {
		e := a.zeros[*z]
		from, to := max(e.off, r.off), min(e.end, r.end())
		if from < to && !allZero(r.b[from-r.off:to-r.off]) {
			for r.b[from-r.off] == 0 {
				from++
			}
			return misfit(from, "gaps", "a gap of zeros over a byte that is 0x%02x", r.b[from-r.off])
		}
		if e.end > r.end() {
			break
		}
	}
	return nil
}

var zeroPage [32 << 10]byte

// zeros writes n zeros.
func (p *printer) zeros(n int64) {
	for n > 0 && p.ok() {
		m := min(n, int64(len(zeroPage)))
		p.b = append(p.b, zeroPage[:m]...)
		n -= m
	}
}

// bytes writes b, past the buffer if it is long.
func (p *printer) bytes(b []byte) {
	if len(b) < flushAt/4 {
		p.b = append(p.b, b...)
		p.ok()
		return
	}
	p.flush()
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
}

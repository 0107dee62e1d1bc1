package document

import (
	"cmp"
	"fmt"
	"io"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

const (
	// maxSize bounds the files that documents speak of.
	maxSize = 1 << 36
	// maxFill bounds the zeros that are filled in at once where a document
	// leaves lengths to the encoder.
	maxFill = 64 << 10
)

// write joins fields and gaps, and writes them where no byte is missing and
// none is said twice in two ways. It goes through them twice: to look, and to
// write.
func (d *decoder) write(w io.Writer) error {
	if linesFormat(d.format) {
		return d.lines.write(w)
	}
	if d.format == formatTitles && !d.hasGaps {
		return d.titles.write(w)
	}
	hard, soft := max(d.gaps.far, d.zeroGaps.far), int64(0)
	switch d.format {
	case formatPerfData:
		hard, soft = max(hard, d.perfData.hard), d.perfData.soft
	case formatTitles:
		hard, soft = max(hard, d.titles.entries.far), d.titles.soft.far
	case formatIPCBlock:
		hard, soft = max(hard, int64(len(d.ipcBlock.bytes))), d.ipcBlock.size
	}
	size := max(hard, soft)
	var wrong error
	if d.sized() {
		if d.size < size && (d.format != formatTitles || d.size < hard) {
			wrong = misfit(d.size, "size", "the document holds 0x%x bytes, but its size is 0x%x", size, d.size)
		}
		size = d.size
	}
	if wrong == nil && size > maxSize {
		wrong = perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "a file of 0x%x bytes; the limit is 0x%x", size, int64(maxSize))
	}
	a := d.assembly(size)
	err := a.walk()
	if err = cmp.Or(d.spool.err, err, wrong, a.wrong); err != nil {
		return err
	}
	a = d.assembly(size)
	a.out = newPrinter(w)
	err = a.walk()
	if err = cmp.Or(d.spool.err, err); err != nil {
		return err
	}
	a.out.flush()
	return a.out.err
}

// assembly is what the file is made of.
func (d *decoder) assembly(size int64) *assembly {
	a := &assembly{size: size, gaps: d.gaps.reader().next}
	zeros := d.zeroGaps.all()
	none := func() (extent, bool) { return extent{}, false }
	a.soft.next = none
	switch d.format {
	case formatTitles:
		a.fields = d.titles.fields()
		a.soft.next = joined(d.titles.soft.all())
	case formatIPCBlock:
		a.fields = d.ipcBlock.fields()
		a.gaps = d.ipcBlock.behind(a.gaps)
	default:
		a.fields = d.perfData.fields()
		zeros = inOrder(d.perfData.extents(&d.zeros, false), zeros)
		a.soft.next = joined(d.perfData.extents(&d.soft, true))
	}
	a.zeros.next = joined(zeros)
	a.zeros.pass()
	a.soft.pass()
	return a
}

// sized reports whether the size that the document gives counts.
func (d *decoder) sized() bool {
	return d.size >= 0 && (d.format == formatTitles || d.perfData.explicit || d.ipcBlock.explicit)
}

// misfit is an error of the bytes to be written.
func misfit(off int64, path, format string, args ...any) error {
	err := perfdump.NewError(perfdump.CodeLength, off, perfdump.Path{}, format, args...)
	err.Path = path
	return err
}

func gapPath(index int) string { return fmt.Sprintf("gaps[%d]", index) }

// nextRun gives runs in the order of their places, which are valid until it is
// called again, and the index of the gap that they are of.
type nextRun func() (r run, gap int, ok bool)

// assembly is a file in parts, all of them in order. Gaps may overlap all but
// zeros of fields, where they agree, and each other; fields do not overlap.
type assembly struct {
	fields, gaps nextRun
	zeros        places
	soft         places // counts where nothing else does
	size         int64

	out   *printer // nil where the parts are only looked at
	at    int64    // the end of what was passed
	seen  []byte   // the last bytes before it, where they may be looked at again
	wrong error    // the first byte that is missing, or zero and not
}

// places are extents of which one is at hand.
type places struct {
	next nextExtent
	extent
	ok bool
}

func (p *places) pass() { p.extent, p.ok = p.next() }

// upTo passes those that end at or before a place, and reports whether there
// is another.
func (p *places) upTo(at int64) bool {
	for p.ok && p.end <= at {
		p.pass()
	}
	return p.ok
}

// walk goes through the file. Its error is that of two different bytes for one
// place; others stand in a.wrong.
func (a *assembly) walk() error {
	f, _, moreF := a.fields()
	g, index, moreG := a.gaps()
	end := int64(0) // of the fields
	for moreF || moreG {
		if moreF && (!moreG || f.off <= g.off) {
			if f.off < end {
				return misfit(f.off, "entries", "an entry begins inside another, which ends at 0x%x", end)
			}
			end = f.end()
			if c := a.pass(f, moreG && g.off < end); c != nil {
				return misfit(c.off, "gaps", "a gap says 0x%02x of a byte that a field says is 0x%02x", c.was, c.want)
			}
			f, _, moreF = a.fields()
		} else {
			if c := a.pass(g, true); c != nil {
				return misfit(c.off, gapPath(index), "it says 0x%02x of a byte that is 0x%02x elsewhere", c.want, c.was)
			}
			g, index, moreG = a.gaps()
		}
		if a.out != nil && a.out.err != nil {
			return a.out.err
		}
	}
	a.fill(a.size)
	return nil
}

// pass goes over a run. What it holds of bytes that were passed has to be the
// same.
func (a *assembly) pass(r run, again bool) *clash {
	if n := min(a.at-r.off, int64(len(r.b))); n > 0 {
		from := len(a.seen) - int(a.at-r.off)
		if c := differ(r.off, a.seen[from:from+int(n)], r.b[:n]); c != nil {
			return c
		}
		r = run{r.off + n, r.b[n:]}
	}
	if len(r.b) == 0 {
		return nil
	}
	if r.off > a.at {
		a.fill(r.off)
		a.seen = a.seen[:0]
	}
	a.checkZeros(r)
	if a.out != nil {
		a.out.bytes(r.b)
	}
	a.at = r.end()
	if !again {
		a.seen = a.seen[:0]
		return nil
	}
	// Pieces are no longer than a chunk and come in order, so that none
	// begins further back. They may be of a byte each.
	if over := len(a.seen) - chunkSize; over > chunkSize {
		a.seen = a.seen[:copy(a.seen, a.seen[over:])]
	}
	a.seen = append(a.seen, r.b...)
	return nil
}

func (a *assembly) fails(err error) {
	if a.wrong == nil {
		a.wrong = err
	}
}

// fill goes over what no run holds up to a place.
func (a *assembly) fill(next int64) {
	for a.at < next {
		to := next
		z, s := a.zeros.upTo(a.at), a.soft.upTo(a.at)
		if z && a.zeros.off > a.at {
			to = min(to, a.zeros.off)
		}
		switch {
		case z && a.zeros.off <= a.at:
			to = min(to, a.zeros.end)
		case s && a.soft.off <= a.at:
			if to = min(to, a.soft.end); to-a.at > maxFill {
				a.fails(misfit(a.at, "", "0x%x bytes that neither a field nor a gap holds are more than are filled in with zeros", to-a.at))
			}
		default:
			if s {
				to = min(to, a.soft.off)
			}
			a.fails(misfit(a.at, "gaps", "no field and no gap holds the 0x%x bytes from 0x%x on", to-a.at, a.at))
		}
		if a.out != nil {
			a.out.zeros(to - a.at)
		}
		a.at = to
	}
}

// checkZeros wants the bytes of r to be zero where a.zeros says so.
func (a *assembly) checkZeros(r run) {
	for a.zeros.upTo(r.off) && a.zeros.off < r.end() {
		e := a.zeros.extent
		from, to := max(e.off, r.off), min(e.end, r.end())
		if !wire.AllZero(r.b[from-r.off : to-r.off]) {
			for r.b[from-r.off] == 0 {
				from++
			}
			a.fails(misfit(from, "gaps", "a gap of zeros over a byte that is 0x%02x", r.b[from-r.off]))
		}
		if e.end > r.end() {
			return
		}
		a.zeros.pass()
	}
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

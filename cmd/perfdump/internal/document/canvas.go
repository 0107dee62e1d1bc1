package document

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

const (
	// maxSize bounds the files that documents describe.
	maxSize = 1 << 36
	// maxFill bounds the zeros that are filled in at once where a document
	// leaves lengths to the encoder.
	maxFill = 64 << 10
)

// extent is a run of bytes.
type extent struct{ off, end int64 }

// canvas is the file to be written: the bytes that fields and gaps hold, each
// in its place, and zeros after them.
type canvas struct {
	out  []byte
	set  bits     // the bytes of out that are held
	max  int64    // how long out may grow
	soft []extent // filled with zeros where nothing else is
	end  int64    // of the file
	tail []extent // zeros that gaps hold
}

// misfit is an error of the bytes to be written.
func misfit(off int64, path, format string, args ...any) *perfdump.FormatError {
	return newError(perfdump.CodeLength, off, path, format, args...)
}

func tooLong(format string, args ...any) error {
	return newError(perfdump.CodeLimit, -1, "", format, args...)
}

// grow makes out reach an end.
func (c *canvas) grow(end int64) error {
	if end > c.max {
		return tooLong("0x%x bytes of a file, which is more than the document holds; the limit is 0x%x", end, c.max)
	}
	if n := end - int64(len(c.out)); n > 0 {
		c.out = append(c.out, make([]byte, n)...)
		c.set = append(c.set, make(bits, (len(c.out)+63)/64-len(c.set))...)
	}
	return nil
}

// put holds b at a place. Bytes that are held already have to be the same.
func (c *canvas) put(off int64, b []byte) error {
	switch {
	case len(b) == 0:
		return nil
	case off < 0:
		return misfit(-1, "", "bytes before the start of the file")
	}
	if err := c.grow(off + int64(len(b))); err != nil {
		return err
	}
	for i, v := range b {
		at := off + int64(i)
		if c.set.has(at) && c.out[at] != v {
			return misfit(at, "", "0x%02x for a byte that is 0x%02x by another value", v, c.out[at])
		}
		c.set.set(at)
		c.out[at] = v
	}
	return nil
}

// fillIn lets the bytes of a range be zeros.
func (c *canvas) fillIn(off, end int64) {
	if n := len(c.soft); n > 0 && off >= c.soft[n-1].off && off <= c.soft[n-1].end {
		c.soft[n-1].end = max(c.soft[n-1].end, end) // as of most
	} else if end > off {
		c.soft = append(c.soft, extent{off, end})
	}
}

// gaps puts what the gaps of a document hold. It checks the zeros last, after
// the size of the file.
func (c *canvas) gaps(d *decoder) error {
	var zeros []extent
	for i, g := range d.gaps {
		if err := c.put(g.off, g.b); err != nil {
			err := wire.AsFormatError(err)
			if err.Code == perfdump.CodeLength {
				err = misfit(err.Off, fmt.Sprintf("gaps[%d]", i), "it says 0x%02x of a byte that is 0x%02x elsewhere", g.b[err.Off-g.off], c.out[err.Off])
			}
			return err
		}
		if g.zero > 0 {
			zeros = append(zeros, extent{g.off, g.off + g.zero})
		}
	}
	n := int64(len(c.out))
	hard := n
	for _, e := range zeros {
		hard = max(hard, e.end)
	}
	if d.size < 0 {
		for _, e := range c.soft {
			hard = max(hard, e.end)
		}
	}
	switch {
	case d.size >= 0 && d.size < hard:
		return misfit(d.size, "size", "the document holds 0x%x bytes, but its size is 0x%x", hard, d.size)
	case max(hard, d.size) > maxSize:
		return tooLong("a file of 0x%x bytes; the limit is 0x%x", max(hard, d.size), int64(maxSize))
	}
	c.end, c.tail = max(hard, d.size), merged(zeros)
	for _, e := range c.tail {
		for at := e.off; at < min(e.end, n); at++ {
			if c.set.has(at) && c.out[at] != 0 {
				return misfit(at, "gaps", "a gap of zeros over a byte that is 0x%02x", c.out[at])
			}
			c.set.set(at)
		}
	}
	return nil
}

// merged returns extents in their order, with those joined that touch.
func merged(all []extent) (joined []extent) {
	slices.SortFunc(all, func(a, b extent) int { return cmp.Compare(a.off, b.off) })
	for _, e := range all {
		if n := len(joined); n > 0 && e.off <= joined[n-1].end {
			joined[n-1].end = max(joined[n-1].end, e.end)
			continue
		}
		joined = append(joined, e)
	}
	return joined
}

// check finds the first byte that nothing holds.
func (c *canvas) check() error {
	soft, at, n := merged(c.soft), int64(0), int64(len(c.out))
	for {
		at = c.set.next(at, n, false)
		end := c.set.next(at, n, true)
		if at == n {
			break
		}
		for len(soft) > 0 && soft[0].end <= at {
			soft = soft[1:]
		}
		if len(soft) == 0 || soft[0].off > at || soft[0].end < end {
			return misfit(at, "gaps", "no field and no gap holds the 0x%x bytes from 0x%x on", end-at, at)
		}
		if end-at > maxFill {
			return misfit(at, "", "0x%x bytes that neither a field nor a gap holds are more than are filled in with zeros", end-at)
		}
		at = end
	}
	for _, e := range merged(append(c.tail, soft...)) {
		if e.off <= at {
			at = max(at, e.end)
		}
	}
	if at < c.end {
		return misfit(at, "gaps", "no field and no gap holds the 0x%x bytes from 0x%x on", c.end-at, at)
	}
	return nil
}

var zeroPage [32 << 10]byte

// write writes the file.
func (c *canvas) write(w io.Writer) error {
	if _, err := w.Write(c.out); err != nil {
		return err
	}
	for at := int64(len(c.out)); at < c.end; {
		n := min(c.end-at, int64(len(zeroPage)))
		if _, err := w.Write(zeroPage[:n]); err != nil {
			return err
		}
		at += n
	}
	return nil
}

package blg

import (
	"errors"
	"io"
)

// Part is the buffers of a log that hold a range of its bytes.
type Part struct {
	From, To int64
	// Lists says that samples that begin in the part are skipped: it is read for lists of
	// items, titles and registrations.
	Lists bool
}

// OpenParts opens a log as [Open] does, but reads only parts of it, which are in the order
// of the file. One of them must hold the list of items. An event that is not wholly in a
// part is skipped, and is not lost. Without parts it is Open.
func OpenParts(r io.ReaderAt, size int64, parts []Part, o Options) (*File, error) {
	return (&File{r: r, size: max(0, size), options: o, parts: parts}).open()
}

// parted reads the segments of the parts of a log.
type parted struct {
	*stream
	f     *File
	parts []Part // that follow
	lists bool   // of the current part
}

func (p *parted) next() (segment, error) {
	gap := false
	for {
		s, err := p.stream.next()
		if err == nil || !errors.Is(err, io.EOF) || len(p.parts) == 0 {
			s.gap, s.lists = gap, p.lists
			return s, err
		}
		gap = p.open() || gap
	}
}

// open continues with the next part and reports whether bytes are left out before it.
func (p *parted) open() (gap bool) {
	part, end, stride := p.parts[0], p.stream.size, int64(p.f.stride)
	from := max(end, part.From/stride*stride)
	to := max(from, min((part.To+stride-1)/stride*stride, p.f.size))
	p.stream = &stream{
		r: io.NewSectionReader(p.f.r, from, to-from), off: from, size: to,
		stride: p.f.stride, index: int(from / stride), buf: p.stream.buf[:0], ahead: p.stream.ahead,
	}
	p.parts, p.lists = p.parts[1:], part.Lists
	return from != end
}

// gap says that bytes of the log were not read before what follows, so that open events are
// not completed, and that others may have begun there.
func (j *joiner) gap() {
	for len(j.open) > 0 {
		j.forget(0)
	}
	j.late = true
}

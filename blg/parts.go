package blg

import (
	"errors"
	"io"
)

// Part is a range of the bytes of a log. It begins at a buffer.
type Part struct {
	From, To int64
	// Lists says that samples that begin in the part are skipped: it is read for lists of
	// items, titles and registrations.
	Lists bool
}

// OpenParts opens a log as [Open] does, but reads only parts of it, in the order of the
// file. The first one begins at 0 and holds the header; one of them must hold the list of
// items. An event that is not wholly in a part is skipped, and is not lost. Without parts
// it is Open.
func OpenParts(r io.ReaderAt, size int64, parts []Part, o Options) (*File, error) {
	return (&File{r: r, size: max(0, size), options: o, parts: parts}).open()
}

// BufferSize returns the size of the buffers of the log, one of which each part begins at.
func (f *File) BufferSize() int { return f.stride }

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
	part, end := p.parts[0], p.stream.size
	to := max(part.From, min(part.To, p.f.size))
	p.stream = &stream{
		r: io.NewSectionReader(p.f.r, part.From, to-part.From), off: part.From, size: to,
		stride: p.f.stride, index: int(part.From / int64(p.f.stride)), buf: p.stream.buf[:0], ahead: p.stream.ahead,
	}
	p.parts, p.lists = p.parts[1:], part.Lists
	return part.From != end
}

// gap says that bytes of the log were not read before what follows, so that open events are
// not completed, and that others may have begun there.
func (j *joiner) gap() {
	for len(j.open) > 0 {
		j.forget(0)
	}
	j.late = true
}

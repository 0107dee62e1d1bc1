package minidump

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"
	"sort"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/ipcblock"
)

// TableOptions say how [File.Tables] searches. The zero value is the usual choice.
type TableOptions struct {
	// Deep searches every 8 bytes, for the tables that a runtime keeps in its heap when it
	// cannot share them.
	Deep bool
	// Max is the maximum number of candidates. The default is 1,000.
	Max int
}

const (
	viewSize  = 64 << 10 // what a table takes, and what views are aligned to
	gridSize  = 2 << 10  // what chunks are aligned to
	minSize   = 308      // of a legacy block; chunks are longer
	pieceSize = 1 << 20  // of memory that is read and searched at once
)

// Tables searches the memory for the tables and blocks that package ipcblock reads and
// returns the candidates, best first; dropped is how many exceeded o.Max. A candidate's
// Addr is its address in the process, its Offset that of its first byte in the file. Use
// [File.ReadVA] and [ipcblock.Parse] to decode it.
//
// It searches the start of every committed mapped region first, or of all contiguous memory
// if the dump does not describe regions, and then the rest, except the tables that were
// found. The score takes into account what the dump knows: the process, its regions, and
// whether it has a handle to the section.
//
// It reads the memory at most twice and holds a megabyte of it, and an index of the
// regions. An error is returned with what was found before it: that of the reader, or one
// of code limit if ranges share bytes so often that their memory is more than twice the
// file.
func (f *File) Tables(o TableOptions) (found []ipcblock.Candidate, dropped int, err error) {
	s := search{f: f, o: o, left: 2*uint64(f.size) + pieceSize, limit: o.Max}
	if s.limit <= 0 {
		s.limit = 1000
	}
	if err := s.prepare(); err != nil {
		return nil, 0, err
	}
	err = s.starts()
	if err == nil {
		err = s.rest()
	}
	if err == nil && s.aside > 0 {
		err = perfdump.NewError(perfdump.CodeLimit, f.listOff(), perfdump.Path{},
			"0x%x bytes of memory were not searched: ranges share bytes repeatedly", s.aside)
	}
	s.trim()
	return s.found, s.dropped, err
}

// search is the state of [File.Tables].
type search struct {
	f    *File
	o    TableOptions
	find ipcblock.FindOptions
	buf  []byte

	regions []span // committed ones, mapped or private, by address
	named   bool   // the process holds a handle to the section

	tables  []Range // found at starts, by address
	found   []ipcblock.Candidate
	limit   int
	dropped int

	left  uint64 // bytes that may still be searched
	aside uint64 // bytes that were not
}

// span is the stored part of a region.
type span struct {
	base, size uint64
	mapped     bool
}

func (s *search) prepare() error {
	pid, _ := s.f.PID()
	s.find = ipcblock.FindOptions{Deep: s.o.Deep, Virtual: true, PID: uint64(pid), Region: s.region}
	s.buf = make([]byte, min(pieceSize, uint64(s.f.size)))
	s.regions = make([]span, 0, s.f.lists[regions].n)
	for r, err := range s.f.allRegions() {
		if err != nil {
			return err
		}
		if r.State == commit && (r.Type == mapped || r.Type == private) && r.RegionSize > 0 {
			s.regions = append(s.regions, span{r.BaseAddress, r.RegionSize, r.Type == mapped})
		}
	}
	slices.SortFunc(s.regions, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.base, b.base), cmp.Compare(a.size, b.size))
	})
	var err error
	s.named, err = s.f.hasSection("Cor_SxSPublic_IPCBlock")
	return err
}

// region describes the memory around an address.
func (s *search) region(va uint64) (ipcblock.Region, bool) {
	if !s.f.hasRegions() {
		return ipcblock.Region{Named: s.named}, s.named
	}
	i := sort.Search(len(s.regions), func(i int) bool { return s.regions[i].base > va }) - 1
	if i < 0 || va-s.regions[i].base >= s.regions[i].size {
		return ipcblock.Region{}, false
	}
	r := s.regions[i]
	return ipcblock.Region{Start: r.base, Mapped: r.mapped, Private: !r.mapped, Named: s.named && r.mapped}, true
}

// starts searches the addresses where shared memory begins.
func (s *search) starts() error {
	for start, end := range s.places() {
		if _, ok := s.f.find(start); !ok {
			continue
		}
		o := s.find
		o.Deep = start%gridSize != 0
		size := min(end-start, viewSize-1) + 1
		b, err := s.read(start, size)
		if err != nil {
			return err
		}
		o.Base = start
		for c := range ipcblock.ScanBytes(b, o) {
			if c.Offset == 0 {
				s.tables = append(s.tables, Range{VA: start, Size: uint64(c.Size)})
				s.add(c)
			}
			break
		}
	}
	return nil
}

// places yields the first and the last address of what may begin with a table.
func (s *search) places() iter.Seq2[uint64, uint64] {
	return func(yield func(uint64, uint64) bool) {
		if !s.f.hasRegions() {
			for r := range s.f.runs() {
				if !yield(r.VA, r.last()) {
					return
				}
			}
			return
		}
		for i, r := range s.regions {
			// Views begin on 64 KiB, so they do not overlap here either.
			if !r.mapped || r.base%viewSize != 0 || i > 0 && s.regions[i-1].mapped && s.regions[i-1].base == r.base {
				continue
			}
			if !yield(r.base, max(r.base, r.base+(r.size-1))) {
				return
			}
		}
	}
}

// read reads up to size bytes at va, limited to contiguous bytes and to what the search may
// still read, into the search's buffer.
func (s *search) read(va, size uint64) ([]byte, error) {
	size = min(size, uint64(len(s.buf)))
	if size > s.left {
		s.aside += size
		return nil, nil
	}
	n, err := s.f.ReadVA(s.buf[:size], va)
	s.left -= uint64(n)
	if errors.Is(err, ErrNotInDump) {
		err = nil
	}
	return s.buf[:n], err
}

// rest searches the memory between the tables that were found.
func (s *search) rest() error {
	next := 0
	for run := range s.f.runs() {
		for run.Size > 0 {
			for next < len(s.tables) && s.tables[next].VA < run.VA {
				next++
			}
			piece := run
			run.Size = 0
			if next < len(s.tables) && s.tables[next].VA <= piece.last() {
				// The run continues after the table, all of which is in it.
				last, table := piece.last(), s.tables[next]
				piece.Size = table.VA - piece.VA
				run.VA = table.VA + table.Size
				if table.last() < last {
					run.Size = last - table.last()
				}
			}
			if err := s.piece(piece); err != nil {
				return err
			}
		}
	}
	return nil
}

// piece searches contiguous memory.
func (s *search) piece(p Range) error {
	if p.Size < minSize {
		return nil
	}
	o := s.find
	o.Base = p.VA
	if p.Size <= uint64(len(s.buf)) {
		b, err := s.read(p.VA, p.Size)
		if err != nil {
			return err
		}
		for c := range ipcblock.ScanBytes(b, o) {
			s.add(c)
		}
		return nil
	}
	if p.Size > s.left {
		s.aside += p.Size - s.left
		p.Size = s.left
		if p.Size < minSize { // a search of nothing has a window, too
			return nil
		}
	}
	s.left -= p.Size
	for c, err := range ipcblock.Scan(s.reader(p), int64(p.Size), o) {
		if err != nil {
			return s.withOffset(err, p)
		}
		s.add(c)
	}
	return nil
}

// withOffset converts the offset of an error in contiguous memory to one in the file.
func (s *search) withOffset(err error, p Range) error {
	var fe *perfdump.FormatError
	if !errors.As(err, &fe) {
		return err
	}
	at := *fe
	at.Off, _ = s.f.Offset(p.VA + uint64(fe.Off))
	return &at
}

// reader returns a reader of contiguous memory, directly from the file if it is contiguous
// there.
func (s *search) reader(p Range) io.ReaderAt {
	if i, ok := s.f.find(p.VA); ok && p.last() <= s.f.ranges[i].last() {
		return io.NewSectionReader(s.f.r, s.f.ranges[i].Off+int64(p.VA-s.f.ranges[i].VA), int64(p.Size))
	}
	return &memoryReader{s.f, p}
}

func (s *search) add(c ipcblock.Candidate) {
	c.Offset, _ = s.f.Offset(c.Addr)
	if s.found = append(s.found, c); len(s.found) >= 2*s.limit {
		s.trim()
	}
}

// trim keeps the best candidates.
func (s *search) trim() {
	ipcblock.Rank(s.found)
	if n := len(s.found) - s.limit; n > 0 {
		s.dropped += n
		s.found = s.found[:s.limit]
	}
}

package ipcblock

import "github.com/perfdump/perfdump/internal/wire"

// candidate checks the bytes at b[i:].
func (s *finder) candidate(b []byte, i int, off int64) (Candidate, bool) {
	c := Candidate{Offset: off + int64(i), Addr: s.o.Base + uint64(off) + uint64(i)}
	if arch, ok := publicBlock(b[i:]); ok && c.Addr%pageSize == 0 {
		c.Layout, c.Arch, c.Chunks = LegacyPublic, arch, 1
		c.Size = [...]int{X86: publicSize32, X64: publicSize64}[arch]
		perf := b[i+c.Size-arch.PerfSize():]
		if wire.U16(b, i+2)&(flagUsed|flagInitialized) != flagUsed { // otherwise it is not published yet
			c.Live, c.PID = 1, perfPID(perf, arch)
		}
		s.score(&c, b[i:], perf)
		return c, true
	}
	arch := chunkArch(b[i:])
	if arch == NoArch {
		return c, false
	}
	c.Layout, c.Arch = SxS, arch
	i = s.tableStart(b, i, off)
	c.Offset, c.Addr = off+int64(i), s.o.Base+uint64(off)+uint64(i)
	best, ended, fitting := -1, false, 0
	shared := s.shared(b, i, off)
	for c.Chunks < tableChunks {
		at := i + c.Chunks*chunkSize
		if at+chunkSize > len(b) {
			break
		}
		chunk := b[at : at+chunkSize]
		fit, live := sibling(chunk)
		// Runtimes use the first free chunk, so nothing was used after an untouched chunk:
		// a published chunk after it belongs to another table, unless the address shows
		// that this is one.
		untouched := wire.U64(chunk, 0) == 0
		if !fit && shared {
			c.Chunks++
			c.Size += chunkSize
			continue
		}
		if !fit || ended && !untouched && c.Addr%tableSize != 0 {
			break
		}
		ended = untouched
		fitting++
		c.Chunks++
		c.Size += chunkSize
		switch a := chunkArch(chunk); {
		case a == NoArch:
			continue
		case live:
			c.Live++
		case wire.U32(chunk, 4) == 0:
			c.Stale++
		}
		if best < 0 || live && c.Live == 1 {
			best, c.Arch = at, chunkArch(chunk)
		}
		if pid := perfPID(chunk[perfOffset:], chunkArch(chunk)); live && pid != 0 && (c.PID == 0 || pid == s.o.PID) {
			c.PID = pid
		}
	}
	if best < 0 {
		return c, false
	}
	c.points[reasonSiblings] = int8(min(4, fitting-1))
	s.score(&c, b[best:], b[best+perfOffset:])
	return c, true
}

// maxDamaged is how many chunks of a table may be damaged.
const maxDamaged = 4

// shared reports whether b[i:] must be a table, even if some of its chunks are damaged: it
// is the start of a mapped region, and almost all chunks match.
func (s *finder) shared(b []byte, i int, off int64) bool {
	addr := s.o.Base + uint64(off) + uint64(i)
	if s.o.Region == nil || addr%tableSize != 0 || i+tableSize > len(b) {
		return false
	}
	if region, ok := s.o.Region(addr); !ok || !region.Mapped || region.Start != addr {
		return false
	}
	damaged := 0
	for at := i; at < i+tableSize; at += chunkSize {
		if fit, _ := sibling(b[at : at+chunkSize]); !fit {
			damaged++
		}
	}
	return damaged <= maxDamaged
}

// tableStart returns the start of the table of the chunk at b[i:]. That is the chunk, the
// first one found, unless it is within aligned 64 KiB whose chunks all match, or that are
// the start of a view of shared memory.
func (s *finder) tableStart(b []byte, i int, off int64) int {
	back := int((s.o.Base + uint64(off) + uint64(i)) % tableSize)
	if !s.o.Virtual || back == 0 || back%chunkSize != 0 || back > i || i-back+tableSize > len(b) || off+int64(i-back) < s.taken {
		return i
	}
	if s.shared(b, i-back, off) {
		return i - back
	}
	for at := i - back; at < i-back+tableSize; at += chunkSize {
		if fit, _ := sibling(b[at : at+chunkSize]); !fit {
			return i
		}
	}
	return i - back
}

func isPublicStart(b []byte, i int) bool {
	n := wire.U32(b, i+4)
	return wire.U16(b, i) == 3 && (n == publicSize32 || n == publicSize64)
}

// publicBlock returns the width of the legacy public block at the start of b, and false if
// there is none.
func publicBlock(b []byte) (Arch, bool) {
	if len(b) < publicSize32 || wire.U16(b, 0) != 3 || wire.U16(b, 2) > 7 {
		return NoArch, false
	}
	switch wire.U32(b, 4) {
	case publicSize32:
		return X86, wire.U32(b, 16) == 1 && wire.U32(b, 20) == 0 && wire.U32(b, 24) == perfSize32 &&
			wire.U16(b, 28) == perfSize32 && wire.U16(b, 30) <= 3
	case publicSize64:
		return X64, len(b) >= publicSize64 && wire.U32(b, 20) == 1 && wire.U32(b, 24) == 24 && wire.U32(b, 28) == perfSize64 &&
			wire.U16(b, 32) == perfSize64 && wire.U16(b, 34) <= 3
	default:
		return NoArch, false
	}
}

// chunkArch returns the width of the published chunk, in use or freed, at the start of b,
// or NoArch.
func chunkArch(b []byte) Arch {
	if len(b) < perfOffset+4 || wire.U64(b, anchorAt) != anchor {
		return NoArch
	}
	counter := wire.U32(b, 0)
	arch := archOfSize(wire.U32(b, 36))
	if arch == NoArch || counter == 0 || counter&1 != 0 || wire.U64(b, 8) != 0 || len(b) < perfOffset+arch.PerfSize() ||
		int(wire.U32(b, 20)) != perfOffset+arch.PerfSize() || int(wire.U16(b, perfOffset)) != arch.PerfSize() || wire.U16(b, perfOffset+2) > 3 {
		return NoArch
	}
	return arch
}

// sibling reports whether b may be a chunk of a table: published, untouched, or being
// written. live reports that a runtime owns it.
func sibling(b []byte) (fit, live bool) {
	counter, id := wire.U32(b, 0), wire.U32(b, 4)
	switch {
	case chunkArch(b) != NoArch:
		return true, id != 0 && wire.U16(b, 18)&(flagUsed|flagInitialized) != flagUsed
	case counter == 0:
		return wire.AllZero(b), false
	case wire.U64(b, 8) != 0 || !wire.AllZero(b[perfOffset+perfSize64:]):
		return false, false
	case counter&1 != 0:
		return true, false
	default:
		// Not published yet: its perf block may not have a size.
		version, flags := wire.U16(b, 16), wire.U16(b, 18)
		return version == 4 && flags&(flagUsed|flagInitialized) == flagUsed && wire.U64(b, anchorAt) == anchor, false
	}
}

func perfPID(perf []byte, a Arch) uint64 {
	switch at := ProcessID.Offset(a); a {
	case X86:
		return uint64(wire.U32(perf, at))
	case X64:
		return wire.U64(perf, at)
	default:
		return 0
	}
}

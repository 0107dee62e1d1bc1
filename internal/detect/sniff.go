package detect

import (
	"bytes"
	"strings"

	"github.com/perfdump/perfdump/internal/once"
	"github.com/perfdump/perfdump/internal/wire"
)

var (
	perfMagic    = []byte("P\x00E\x00R\x00F\x00")
	perfMagicBig = []byte("\x00P\x00E\x00R\x00F")
)

// isPerfData looks for the signature, or for the part of it that a file of
// less than 8 bytes has, so that it is called cut short and not unknown. The
// logs of Windows NT 4 begin the same and continue with a word: "PERF LOG".
func isPerfData(s *sample) bool {
	head, cut := s.head, s.cut
	if !cut && len(head) >= 4 && len(head) < len(perfMagic) {
		return bytes.HasPrefix(perfMagic, head) || bytes.HasPrefix(perfMagicBig, head)
	}
	return (bytes.HasPrefix(head, perfMagic) || bytes.HasPrefix(head, perfMagicBig)) && !isNT4Log(head)
}

func isNT4Log(head []byte) bool {
	return len(head) >= 12 && bytes.HasPrefix(head, perfMagic) && head[8] == ' ' && head[9] == 0 && head[11] == 0
}

// The places of an event trace's first buffer.
const (
	etwFilled  = 0x30
	etwRecord  = 0x48
	etwPayload = etwRecord + 0x20
	etwPointer = etwPayload + 0x2C // PointerSize
	etwStrings = etwPayload + 0x38 // two pointers are here, followed by what ends in LoggerName
	etwName    = 172 + 4 + 3*8 + 2*4
)

// isETW reports whether head begins an event trace, of which performance logs
// are one kind. It says the size of its buffers twice and then how much of the
// first is in use: one of the three may be damaged.
func isETW(head []byte) bool {
	if len(head) < etwStrings {
		return false
	}
	size, again, filled := wire.U32(head, 0), wire.U32(head, etwPayload), wire.U32(head, etwFilled)
	if !isETWSize(size) {
		size, again = again, size
	}
	return isETWSize(size) && (size == again || filled >= etwStrings && filled <= size) &&
		head[etwRecord+3] == 0xC0 && (head[etwRecord+2] == 1 || head[etwRecord+2] == 2) && wire.U16(head, etwRecord+6) == 0
}

func isETWSize(n uint32) bool { return n >= 0x400 && n <= 0x1000000 && n%0x400 == 0 }

// pdhGUID is {933f3bb3-943e-490d-9ced-3cbb14c14479}, the provider of every log.
var pdhGUID = []byte{0xB3, 0x3B, 0x3F, 0x93, 0x3E, 0x94, 0x0D, 0x49, 0x9C, 0xED, 0x3C, 0xBB, 0x14, 0xC1, 0x44, 0x79}

// isPDHLog reports whether a trace is a performance log: its logger is named
// by a GUID, or an event of PDH is near its start.
func isPDHLog(head []byte) bool {
	pointer := wire.U32(head, etwPointer)
	if pointer == 4 || pointer == 8 {
		name := etwStrings + 2*int(pointer) + etwName
		if len(head) >= name+2*37 && guid().MatchString(wire.UTF16(head[name:name+2*37])) {
			return true
		}
	}
	return bytes.Contains(head[etwStrings:], pdhGUID)
}

// guid is a GUID without braces, NUL included, as the name of a logger.
var guid = once.Regexp(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\x00$`)

const (
	ipcTable = 65536
	ipcChunk = 2048
	perfX86  = 280 // bytes of a perf block
	perfX64  = 384
)

// isIPCBlock looks for a table, one of the two legacy blocks, or a bare perf
// block. A first chunk that is in use decides; in a file of the very size of a
// table any chunk does.
func isIPCBlock(s *sample) bool {
	head, size := s.head, s.size
	if isIPCChunk(head) || isLegacyPublic(head) || isLegacyPrivate(head) {
		return true
	}
	if size == ipcTable {
		for off := ipcChunk; off < len(head); off += ipcChunk {
			if isIPCChunk(head[off:]) {
				return true
			}
		}
	}
	return (size == perfX86 || size == perfX64) && int64(len(head)) == size &&
		int64(wire.U16(head, 0)) == size && wire.U16(head, 2) <= 3
}

func isIPCChunk(b []byte) bool {
	if len(b) < 44 {
		return false
	}
	n := wire.U32(b, 36)
	return (n == perfX86 || n == perfX64) && wire.U32(b, 28) == 1 && wire.U32(b, 32) == 40 && wire.U32(b, 20) == 40+n &&
		wire.U16(b, 18) <= 7 && wire.U64(b, 8) == 0
}

func isLegacyPublic(b []byte) bool {
	if len(b) < 36 || wire.U16(b, 0) != 3 || wire.U16(b, 2) > 7 {
		return false
	}
	switch wire.U32(b, 4) {
	case 0x134:
		return wire.U32(b, 16) == 1 && wire.U32(b, 24) == perfX86 && wire.U16(b, 28) == perfX86
	case 0x1A0:
		return wire.U32(b, 20) == 1 && wire.U32(b, 28) == perfX64 && wire.U16(b, 32) == perfX64
	default:
		return false
	}
}

// isLegacyPrivate also knows the five entries of CLR 1.x.
func isLegacyPrivate(b []byte) bool {
	if len(b) < 36 || wire.U16(b, 0) != 2 || wire.U16(b, 2) > 7 {
		return false
	}
	x86 := (wire.U32(b, 16) == 7 || wire.U32(b, 16) == 5) && wire.U32(b, 20) == 0 && wire.U32(b, 24) == perfX86
	x64 := wire.U32(b, 20) == 7 && wire.U32(b, 24) == 24 && wire.U32(b, 28) == perfX64
	return x86 && wire.U32(b, 4) <= 0x10000 || x64 && wire.U32(b, 4) == 0x410
}

func isMinidump(s *sample) bool {
	return len(s.head) >= 6 && string(s.head[:4]) == "MDMP" && wire.U16(s.head, 4) == 0xA793
}

// isRegistryLog reports whether head begins a transaction log: it has the header of a
// hive, with another type, and no bins.
func isRegistryLog(s *sample) bool {
	head := s.head
	const kind, bins = 28, 4096
	if len(head) < 32 || !bytes.HasPrefix(head, []byte("regf")) || len(head) > bins && bytes.HasPrefix(head[bins:], []byte("hbin")) {
		return false
	}
	switch wire.U32(head, kind) {
	case 1, 2, 6:
		return true
	default:
		return false
	}
}

func isOwnParquet(s *sample) bool {
	return bytes.HasPrefix(s.head, []byte("PAR1")) && bytes.Contains(s.tail, []byte("perfdump"))
}

func isOwnJSONL(s *sample) bool {
	return strings.HasPrefix(s.first(), `{"`) && hasAll(s.first(), `"host":`, `"object":`, `"instance_index":`, `"counter":`)
}

func isOwnCSV(s *sample) bool {
	return hasAll(","+s.first()+",", ",host,", ",object,", ",instance_index,", ",counter,")
}

func isOwnHTML(s *sample) bool {
	return strings.HasPrefix(s.first(), "<!doctype html>") && bytes.Contains(s.text(), []byte("perfdump report</title>"))
}

func hasAll(s string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(s, part) {
			return false
		}
	}
	return true
}

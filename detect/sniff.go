package detect

import (
	"bytes"
	"strings"

	"github.com/perfdump/perfdump/internal/wire"
)

var (
	perfMagic    = []byte("P\x00E\x00R\x00F\x00")
	perfMagicBig = []byte("\x00P\x00E\x00R\x00F")
)

// Sniff tells the format of an input from its first bytes, by content only.
// size is the length of the whole input, or -1 where it is not known: then
// head is taken to be cut off somewhere. A head of 128 KiB is enough for all
// formats; whoever has less is told of fewer.
//
// It takes time in proportion to head and memory for a copy of it.
func Sniff(head []byte, size int64) (Format, bool) {
	cut := size != int64(len(head))
	switch {
	case isPerfData(head, cut):
		return PerfData, true
	case bytes.HasPrefix(head, []byte("regf")) && !isRegistryLog(head):
		return Hive, true
	case len(head) >= 6 && string(head[:4]) == "MDMP" && wire.U16(head, 4) == 0xA793:
		return Minidump, true
	case isETW(head) && isPDHLog(head):
		return BLG, true
	case isIPCBlock(head, size):
		return IPCBlock, true
	case isMultiString(head, cut):
		return Titles, true
	}
	text, clean := decodeText(head, cut)
	text = bytes.TrimLeft(text, " \t\r\n\f")
	if clean {
		return sniffText(text)
	}
	return sniffMarked(text)
}

// isPerfData looks for the signature, or for the part of it that a file of
// less than 8 bytes has, so that it is called cut short and not unknown. The
// logs of Windows NT 4 begin alike and go on with a word: "PERF LOG".
func isPerfData(head []byte, cut bool) bool {
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
	etwStrings = etwPayload + 0x38 // two pointers stand here, and what ends in LoggerName after them
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
// by a GUID, or an event of PDH stands near its start.
func isPDHLog(head []byte) bool {
	pointer := wire.U32(head, etwPointer)
	if pointer == 4 || pointer == 8 {
		name := etwStrings + 2*int(pointer) + etwName
		if len(head) >= name+2*37 && isGUID(head[name:name+2*37]) {
			return true
		}
	}
	return bytes.Contains(head[etwStrings:], pdhGUID)
}

// isGUID reports whether b is a GUID without braces in UTF-16, NUL included.
func isGUID(b []byte) bool {
	for i := range len(b) / 2 {
		c := wire.U16(b, 2*i)
		hex := c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case i == 36:
			return c == 0
		case !hex:
			return false
		}
	}
	return false
}

const (
	ipcTable = 65536
	ipcChunk = 2048
	perfX86  = 280 // bytes of a perf block
	perfX64  = 384
)

// isIPCBlock looks for a table, one of the two legacy blocks, or a bare perf
// block. A first chunk that is in use decides; in a file of the very size of a
// table any chunk does.
func isIPCBlock(head []byte, size int64) bool {
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

// decodeText returns head as UTF-8 or, where it is neither that nor UTF-16, as
// the bytes of a code page that contains ASCII. It is false where there are
// control characters, which text has none of. cut says that more follows.
func decodeText(head []byte, cut bool) ([]byte, bool) {
	switch {
	case bytes.HasPrefix(head, []byte{0xEF, 0xBB, 0xBF}):
		head = head[3:]
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		head = wire.AppendUTF16(nil, head[2:])
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		head = wire.AppendUTF16(nil, swap16(head[2:]))
	case len(head) >= 4 && head[1] == 0 && head[3] == 0: // as lodctr saves its database
		head = wire.AppendUTF16(nil, head)
	}
	head = bytes.TrimRight(head, "\x1A\x00")
	clean := !bytes.ContainsFunc(head, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r\f", r) })
	if i := bytes.LastIndexByte(head, '\n'); cut && i >= 0 {
		head = head[:i+1]
	}
	return head, clean && len(head) > 0
}

// swap16 returns b with the bytes of each unit exchanged.
func swap16(b []byte) []byte {
	s := make([]byte, len(b)&^1)
	for i := 0; i < len(s); i += 2 {
		s[i], s[i+1] = b[i+1], b[i]
	}
	return s
}

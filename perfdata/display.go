package perfdata

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"iter"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/perfdump/perfdump/internal/wire"
)

// maxShownName limits, in bytes of the raw name, how much of a name is shown in rows and
// paths, and what a parent's name adds to each of its children's: PDH cuts instance names
// at 1,024 characters. Without a limit, a name of a megabyte with a megabyte of children
// would take hours, and a name of megabytes would be copied many times before it is output.
const maxShownName = 2048

// AppendShownName appends the name to dst as PDH shows it, cut after its 1,024th character
// (its 2,048th byte in a code page).
func (in Instance) AppendShownName(dst []byte) []byte {
	raw := in.RawName()
	if len(raw) <= maxShownName {
		return in.AppendName(dst)
	}
	o := in.object
	if o.CodePage == 0 || plainlyUTF16(raw) {
		return appendShown16(dst, raw)
	}
	for n := maxShownName; n > maxShownName-4; n-- { // do not split a character
		if name, ok := nameInPage(dst, raw[:n], o.CodePage); ok {
			return name
		}
	}
	return appendShown16(dst, raw)
}

// appendShown16 appends the start of a long name in UTF-16.
func appendShown16(dst, raw []byte) []byte {
	raw = raw[:maxShownName]
	if raw[maxShownName-1]&0xfc == 0xd8 { // half of a surrogate pair
		raw = raw[:maxShownName-2]
	}
	return wire.AppendUTF16(dst, cutNUL16(raw))
}

// appendShownFullName appends the shown name with that of its parent before it.
func (in Instance) appendShownFullName(dst []byte) []byte {
	return in.AppendShownName(in.appendParent(dst))
}

// DisplayNames yields the full names of the instances, made unique as Windows does:
// repeated names, ignoring case, get #1, #2 and so on. Names are those of
// [Instance.AppendShownName]. It needs a few bytes for each instance.
func (o *Object) DisplayNames() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		var c occurrences
		c.reset(o.Len())
		var name []byte
		for i, in := range o.Instances() {
			name = in.appendShownFullName(name[:0])
			if n := c.next(name); n > 0 {
				name = strconv.AppendInt(append(name, '#'), int64(n), 10)
			}
			if !yield(i, string(name)) {
				return
			}
		}
	}
}

// InstanceByName returns the instance that [Object.DisplayNames] gives a name, whatever
// its case: _Total, svchost#1. It looks at each instance in turn, without the work of
// DisplayNames.
func (o *Object) InstanceByName(name string) (Instance, bool) {
	want := []byte(name)
	base, repeat := want, 0 // where the name is that of a later one with #n
	if at := bytes.LastIndexByte(want, '#'); at >= 0 {
		if n, err := strconv.Atoi(name[at+1:]); err == nil && n > 0 {
			base, repeat = want[:at], n
		}
	}
	seen := 0 // instances with the base's name
	var short [64]byte
	shown := short[:0]
	for _, in := range o.Instances() {
		shown = in.appendShownFullName(shown[:0])
		switch {
		case bytes.EqualFold(shown, want):
			return in, true
		case repeat > 0 && bytes.EqualFold(shown, base):
			if seen++; seen > repeat {
				return in, true
			}
		}
	}
	return Instance{}, false
}

// occurrences counts how often each name occurs, ignoring case. It stores hashes with a
// secret seed, not the names.
type occurrences struct {
	seed maphash.Seed
	seen map[uint64]int32
	key  []byte
}

func (c *occurrences) reset(n int) {
	if c.seen == nil {
		c.seed, c.seen = maphash.MakeSeed(), make(map[uint64]int32, n)
	}
	clear(c.seen)
}

// next returns how often name occurred before.
func (c *occurrences) next(name []byte) int32 {
	h := c.hash(name)
	n := c.seen[h]
	c.seen[h] = n + 1
	return n
}

func (c *occurrences) hash(name []byte) uint64 {
	c.key = appendFold(c.key[:0], name)
	return maphash.Bytes(c.seed, c.key)
}

// appendFold appends name in upper case: names that differ only in case are
// the same.
func appendFold(dst, name []byte) []byte {
	for len(name) >= 8 {
		w := binary.LittleEndian.Uint64(name)
		if w&(0x80*bytesOnes) != 0 {
			break
		}
		// The top bit of each byte from a to z.
		lower := (w + (0x80-'a')*bytesOnes) &^ (w + (0x7f-'z')*bytesOnes) & (0x80 * bytesOnes)
		dst = binary.LittleEndian.AppendUint64(dst, w-lower>>2)
		name = name[8:]
	}
	for i, c := range name {
		if c >= utf8.RuneSelf {
			return appendFoldRunes(dst, name[i:])
		}
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// bytesOnes has a 1 in each byte.
const bytesOnes = 0x0101_0101_0101_0101

func appendFoldRunes(dst, name []byte) []byte {
	for len(name) > 0 {
		r, n := utf8.DecodeRune(name)
		dst = utf8.AppendRune(dst, unicode.ToUpper(r))
		name = name[n:]
	}
	return dst
}

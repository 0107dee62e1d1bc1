package document

import (
	"slices"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

// What is known of the structs of the format. A test holds it against those of
// the package perfdata.
const (
	headerSize   = 88 // PERF_DATA_BLOCK
	padOff       = 52 // the padding after SYSTEMTIME, which no key holds
	padEnd       = 56
	objectSize   = 64
	counterSize  = 40
	instanceSize = 24
	lengthSize   = 4 // ByteLength of a counter block
	maxLength    = 1<<31 - 1
	defaultPage  = 1252 // of ANSI texts in objects that name no page
)

// column says where the value of a counter is in a counter block and what it
// is. Reader and writer of documents both go by it.
type column struct {
	index  int
	off    uint32
	size   uint32
	width  int // of the type
	text   bool
	page   uint32 // of a text, 0 for UTF-16
	multi  bool   // has a count
	base   int    // of a multi-counter: the position of the MULTI_BASE, or -1
	inline bool   // the count is the DWORD after the value
}

// columnsOf returns the columns of counters of the given types, which each
// have a size and an offset, in an object of the code page.
func columnsOf(dst []column, codePage uint32, n int, counter func(int) (t countertypes.Type, size, off uint32)) []column {
	dst = slices.Grow(dst[:0], n)[:n]
	for j := range dst {
		t, size, off := counter(j)
		c := column{index: j, off: off, size: size, width: t.ValueWidth(), text: t.Kind() == countertypes.KindText, base: -1}
		if c.text && t.Subtype() != countertypes.TextUnicode {
			c.page = defaultPage
			if _, known := wire.LookupCodePage(codePage); known {
				c.page = codePage
			}
		}
		if t.Multi() && !t.IsBase() {
			c.multi, c.inline = true, true
			if j+1 < n {
				if next, _, _ := counter(j + 1); next.IsBase() && next.Multi() {
					c.base, c.inline = j+1, false
				}
			}
		}
		dst[j] = c
	}
	return dst
}

// extent returns how many bytes the value takes in a counter block of n bytes,
// 0 if it is absent. CounterSize decides; where it runs over the block but
// the width of the type does not, that width does.
func (c *column) extent(n int64) int64 {
	switch {
	case c.size == 0 || c.off < lengthSize || c.off > maxLength:
		return 0
	case int64(c.off)+int64(c.size) <= n:
		return int64(c.size)
	case c.width > 0 && int64(c.off)+int64(c.width) <= n:
		return int64(c.width)
	default:
		return 0
	}
}

// counts reports whether the DWORD after the value is a count in a counter
// block of n bytes.
func (c *column) counts(n int64) bool {
	return c.inline && c.off >= lengthSize && int64(c.off)+12 <= n
}

package parquet

import (
	"encoding/binary"
	"math"

	"github.com/perfdump/perfdump/export/internal/column"
)

// chunk is the values of a column in a group of rows.
type chunk struct {
	index []uint32 // of each row, of its value in the dictionary; or 0 if there is none, and null
	words []uint64 // numbers without a dictionary
	texts []byte   // texts without a dictionary, as a page has them
	dict  *dictionary
	last  column.Field // and its index
	at    uint32
	edges edges
}

// null is the index of a row without a value.
const null = math.MaxUint32

// dictionary is the values of a chunk that its rows refer to.
type dictionary struct {
	of    map[string]uint32
	plain []byte // as a page has them
	n     int
}

// entry returns the index of a value as a page has it without its length.
func (d *dictionary) entry(c *chunk, kind *kind, value []byte) uint32 {
	if i, ok := d.of[string(value)]; ok {
		return i
	}
	i := d.add(c, kind, value)
	d.of[string(value)] = i
	return i
}

// add adds a value that is known to be new, or need not be found again.
func (d *dictionary) add(c *chunk, kind *kind, value []byte) uint32 {
	if kind.text {
		d.plain = binary.LittleEndian.AppendUint32(d.plain, uint32(len(value)))
		c.edges.text(string(value))
	} else {
		c.edges.number(kind, word(value))
	}
	d.plain = append(d.plain, value...)
	d.n++
	return uint32(d.n - 1)
}

func word(b []byte) uint64 {
	if len(b) == 4 {
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// reset empties a chunk, and keeps its memory.
func (c *chunk) reset() {
	*c = chunk{index: c.index[:0], words: c.words[:0], texts: c.texts[:0], dict: c.dict}
	if d := c.dict; d != nil {
		clear(d.of)
		d.plain, d.n = d.plain[:0], 0
	}
}

// put adds a row with the value that has index i.
func (c *chunk) put(i uint32) { c.index = append(c.index, i) }

// number adds a row with a number.
func (c *chunk) number(kind *kind, bits uint64) {
	c.index = append(c.index, 0)
	c.words = append(c.words, bits)
	c.edges.number(kind, bits)
}

// field adds a row with the value of a field. Numbers keep their bits; a process whose
// number an INT64 cannot hold is null.
func (c *chunk) field(col *column.Column, f column.Field) {
	kind := &kinds[col.Type]
	switch {
	case f.Kind == column.Null, col.Name == "pid" && f.Bits > math.MaxInt64:
		c.put(null)
	case c.dict != nil:
		if f != c.last {
			c.last, c.at = f, c.find(kind, f)
		}
		c.put(c.at)
	case kind.text:
		c.put(0)
		value := valid(f.Text)
		c.texts = append(binary.LittleEndian.AppendUint32(c.texts, uint32(len(value))), value...)
		c.edges.text(value)
	default:
		c.number(kind, f.Bits)
	}
}

// find returns the index of the value of a field.
func (c *chunk) find(kind *kind, f column.Field) uint32 {
	var b [8]byte
	switch {
	case kind.text:
		return c.dict.entry(c, kind, []byte(valid(f.Text)))
	case f.Kind == column.Moment || f.Kind == column.Wall:
		f.Bits = uint64(f.Time.UnixMicro())
	}
	binary.LittleEndian.PutUint64(b[:], f.Bits)
	return c.dict.entry(c, kind, b[:kind.size])
}

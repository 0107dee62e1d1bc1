package parquet

import (
	"encoding/binary"
	"slices"

	"github.com/perfdump/perfdump/export/internal/column"
)

// Encodings, and kinds of pages.
const (
	plainEncoding      = 0
	levelEncoding      = 3 // runs and packed bits
	dictionaryEncoding = 8
	splitEncoding      = 9

	dataPage       = 0
	dictionaryPage = 2
)

// packer makes the bytes of groups.
type packer struct {
	columns []column.Column
	codec   *codec
	out     []byte
	page    []byte
	packed  []byte
	index   []uint32
	levels  []uint32
}

// placed is where a chunk is in the bytes of its group, and what the footer says of it.
type placed struct {
	dictionary int64 // -1 without
	data       int64
	encoding   int
	size       int64 // of the pages before they are packed
	packed     int64
	nulls      int
	low, high  string
	edges      bool
}

// pack returns the bytes of a group, until the next call, and where its chunks are.
func (p *packer) pack(g *group) ([]byte, []placed) {
	p.out = p.out[:0]
	all := make([]placed, len(p.columns))
	for i := range p.columns {
		c := &g.chunks[i]
		index := c.index
		if g.names != nil && g.names[i] != nil {
			index = p.spread(g, i)
		}
		all[i] = p.chunk(&p.columns[i], c, index)
	}
	return p.out, all
}

// spread returns the indexes of the rows in a column of their series.
func (p *packer) spread(g *group, i int) []uint32 {
	p.index = slices.Grow(p.index[:0], g.rows)[:g.rows]
	names := g.names[i]
	for row, slot := range g.slots {
		p.index[row] = names[slot]
	}
	return p.index
}

// chunk packs a column whose rows have these indexes.
func (p *packer) chunk(col *column.Column, c *chunk, index []uint32) placed {
	kind, rows := &kinds[col.Type], len(index)
	at := placed{dictionary: -1, encoding: plainEncoding}
	at.low, at.high, at.edges = c.edges.texts(kind)
	start := len(p.out)
	if c.dict != nil {
		at.dictionary, at.encoding = int64(start), dictionaryEncoding
		at.size += p.write(c.dict.plain, dictionaryPage, c.dict.n, plainEncoding)
	}
	at.data = int64(len(p.out))
	p.page = p.page[:0]
	if col.Null {
		index = p.present(index)
		at.nulls = rows - len(index)
		p.page = appendLevels(p.page, p.levels)
	}
	switch {
	case c.dict != nil:
		width := widthOf(c.dict.n)
		p.page = appendHybrid(append(p.page, byte(width)), index, width)
	case kind.text:
		p.page = append(p.page, c.texts...)
	case kind.physical == doubleType:
		at.encoding = splitEncoding
		p.page = appendSplit(p.page, c.words)
	default:
		for _, v := range c.words {
			p.page = binary.LittleEndian.AppendUint64(p.page, v)
		}
	}
	at.size += p.write(p.page, dataPage, rows, at.encoding)
	at.packed = int64(len(p.out) - start)
	return at
}

// present returns the indexes that are not null, and notes which rows have them.
func (p *packer) present(index []uint32) []uint32 {
	p.levels = slices.Grow(p.levels[:0], len(index))[:len(index)]
	nulls := 0
	for i, x := range index {
		p.levels[i] = 1
		if x == null {
			p.levels[i] = 0
			nulls++
		}
	}
	if nulls == 0 {
		return index
	}
	some := make([]uint32, 0, len(index)-nulls)
	for _, x := range index {
		if x != null {
			some = append(some, x)
		}
	}
	return some
}

// write appends a page, packed, and returns its size before.
func (p *packer) write(page []byte, kind, values, encoding int) int64 {
	p.packed = p.codec.pack(p.packed[:0], page)
	var t thrift
	t.open()
	t.i32(1, kind)
	t.i32(2, len(page))
	t.i32(3, len(p.packed))
	if kind == dictionaryPage {
		t.structure(7)
		t.i32(1, values)
		t.i32(2, encoding)
	} else {
		t.structure(5)
		t.i32(1, values)
		t.i32(2, encoding)
		t.i32(3, levelEncoding)
		t.i32(4, levelEncoding)
	}
	t.close()
	t.close()
	p.out = append(append(p.out, t.b...), p.packed...)
	return int64(len(t.b) + len(page))
}

package ipcblock

import (
	"iter"
	"slices"

	"github.com/perfdump/perfdump"
)

// Table is a copy of one shared memory section: the table of CLR 4, or a block of another
// layout, which is treated as a table of one chunk. It is a view over the bytes that it was
// decoded from and safe for concurrent readers.
type Table struct {
	raw       []byte
	layout    Layout
	options   Options
	chunks    []Chunk
	store     [tableChunks]Chunk
	anomalies perfdump.Anomalies
	faults    []*perfdump.FormatError
}

func (t *Table) reset(o Options, b []byte) {
	t.options, t.raw = o, b[:len(b):len(b)]
	t.chunks, t.faults = nil, nil
	t.anomalies.Reset(o.Limits.MaxAnomalies())
}

// Clone returns a copy that shares no memory with t.
func (t *Table) Clone() *Table {
	c := *t
	c.raw = slices.Clone(t.raw)
	c.anomalies = t.anomalies.Clone()
	c.faults = slices.Clone(t.faults)
	c.chunks = c.store[:len(t.chunks)]
	for i := range c.chunks {
		at := int(c.chunks[i].Offset)
		end := at + len(c.chunks[i].raw)
		c.chunks[i].raw = c.raw[at:end:end]
	}
	return &c
}

// Layout returns the layout of t, never Auto.
func (t *Table) Layout() Layout { return t.layout }

// Bytes returns the bytes that t was decoded from, including those after its end. They
// alias the input.
func (t *Table) Bytes() []byte { return t.raw }

// NumChunks returns the number of chunks, including untouched ones: 32 in a whole table, 1
// in the other layouts.
func (t *Table) NumChunks() int { return len(t.chunks) }

// Chunk returns the chunk at position i.
func (t *Table) Chunk(i int) *Chunk { return &t.chunks[i] }

// Chunks yields the chunks in order, including untouched ones.
func (t *Table) Chunks() iter.Seq2[int, *Chunk] {
	return func(yield func(int, *Chunk) bool) {
		for i := range t.chunks {
			if !yield(i, &t.chunks[i]) {
				return
			}
		}
	}
}

// Live yields the chunks that hold the counters of a running runtime.
func (t *Table) Live() iter.Seq[*Chunk] {
	return func(yield func(*Chunk) bool) {
		for i := range t.chunks {
			if c := &t.chunks[i]; c.State == Live && !yield(c) {
				return
			}
		}
	}
}

// Anomalies returns what is unusual but can be read.
func (t *Table) Anomalies() *perfdump.Anomalies { return &t.anomalies }

// Faults returns the errors of [Bad] chunks in order. The other chunks can be used.
func (t *Table) Faults() iter.Seq[*perfdump.FormatError] { return slices.Values(t.faults) }

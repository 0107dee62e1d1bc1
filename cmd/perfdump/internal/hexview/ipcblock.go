package hexview

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/ipcblock"
)

// IPCBlock returns the document of a table of IPC control blocks, or of one
// such block.
func IPCBlock(b []byte, in Input) *Document {
	table, first, err := read(in, func(o perfdump.Options) (*ipcblock.Table, error) {
		return ipcblock.Parse(b, ipcblock.Options{Options: o})
	})
	if err != nil {
		return unreadable(b, in, first, err)
	}
	if faults := slices.Collect(table.Faults()); first == nil && len(faults) > 0 && in.Mode != perfdump.Salvage {
		first = faults[0]
	}
	d := blocksDocument(table, b, in, 0)
	d.Err = first
	return d
}

// blocksDocument returns the document of a table whose bytes are at base in the
// file. It has its own offsets.
func blocksDocument(table *ipcblock.Table, b []byte, in Input, base int64) *Document {
	d := newDocument(b, in, "chunk", "table")
	t := &ipcBlock{table, base}
	d.Spans, d.Heading, d.Comment = table.Spans(), t.heading, t.comment
	d.Keeps[0] = 1
	d.Unfolded = func(p perfdump.Path, level int) bool {
		c := t.chunk(&p)
		return level > 0 || c == nil || c.State != ipcblock.Untouched
	}
	d.remark(nil, table.Anomalies().Kept()...)
	d.remark(nil, slices.Collect(table.Remarks())...)
	return d
}

// ipcBlock says what is in a table of IPC control blocks.
type ipcBlock struct {
	table *ipcblock.Table
	base  int64
}

// chunk returns the chunk of a path.
func (t *ipcBlock) chunk(p *perfdump.Path) *ipcblock.Chunk {
	i, ok := p.Index(0)
	if t.table.Layout() != ipcblock.SxS {
		i, ok = 0, true
	}
	if !ok || i >= t.table.NumChunks() {
		return nil
	}
	return t.table.Chunk(i)
}

func (t *ipcBlock) heading(dst []byte, p perfdump.Path) []byte {
	c := t.chunk(&p)
	if _, entry := p.Index(1); entry || c == nil || c.State == ipcblock.Untouched {
		return dst
	}
	dst = append(dst, strings.Join(ChunkFacts(c), ", ")...)
	from := t.base + c.Offset
	return appendRange(append(dst, ", "...), from, from+int64(len(c.Bytes())))
}

// ChunkFacts says which runtime a chunk is of: its state, and what is known of
// the architecture, the runtime and the process.
func ChunkFacts(c *ipcblock.Chunk) []string {
	facts := []string{c.State.String()}
	if c.Arch != ipcblock.NoArch {
		facts = append(facts, c.Arch.String())
	}
	if c.State == ipcblock.Bad {
		return facts
	}
	if c.RuntimeID != 0 {
		facts = append(facts, fmt.Sprintf("runtime %d", c.RuntimeID))
	}
	if c.Has(ipcblock.ProcessID) && c.Uint64(ipcblock.ProcessID) != 0 {
		facts = append(facts, fmt.Sprintf("process %d", c.Uint64(ipcblock.ProcessID)))
	}
	return facts
}

func (t *ipcBlock) comment(dst []byte, s *perfdump.Span, b []byte) []byte {
	c := t.chunk(&s.Path)
	if c == nil || s.Path.FieldName() == "" {
		return dst
	}
	switch s.Path.FieldName() {
	case "header.counter":
		switch v := wire.U32(b, 0); {
		case v == 0:
			return append(dst, "never touched"...)
		case v%2 != 0:
			return append(dst, "locked"...)
		default:
			return append(dst, "stable"...)
		}
	case "header.runtimeId":
		if wire.U32(b, 0) == 0 {
			return append(dst, "free"...)
		}
	case "header.flags":
		return appendFlags(dst, c.Flags)
	case "offset", "size":
		if i, ok := s.Path.Index(1); ok && c.Entry(i).Empty() {
			return append(dst, "nothing"...)
		}
	case "perf.attributes":
		return append(dst, [4]string{"", "on", "global", "on, global"}[c.Attributes()&3]...)
	}
	return append(dst, fieldNames()[s.Path.FieldName()]...)
}

// fieldNames are the counters of perfmon that show a field, by its path.
var fieldNames = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for f := range ipcblock.Field(ipcblock.NumFields) {
		m["perf."+f.String()] = strings.ReplaceAll(f.CounterName(), "|", ", ")
	}
	return m
})

func appendFlags(dst []byte, flags uint16) []byte {
	start := len(dst)
	for i, name := range [...]string{"used", "initialized", "x86"} {
		if flags>>i&1 == 0 {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ", "...)
		}
		dst = append(dst, name...)
	}
	return dst
}

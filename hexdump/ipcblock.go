package hexdump

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/ipcblock"
)

// ipcBlock is the document of a table of IPC control blocks, or of one block.
type ipcBlock struct {
	plain
	table *ipcblock.Table
	base  int64 // where the bytes stand in the file
}

// IPCBlock returns the document of a table of IPC control blocks, or of one
// such block. What cannot be decoded is read as far as salvage mode goes, and
// Err says so; in that mode it is no error.
func IPCBlock(b []byte, in Input) Document {
	d := &ipcBlock{plain: plain{bytes: b, levels: perfdump.Levels{"chunk", "table"}}}
	o := ipcblock.Options{Mode: in.Mode}
	if d.table, d.err = ipcblock.Parse(b, o); d.err != nil {
		o.Mode = perfdump.Salvage
		t, err := ipcblock.Parse(b, o)
		if err != nil {
			return newRaw(b, d.err, err.Error())
		}
		d.table = t
	} else if faults := d.table.Faults(); len(faults) > 0 && in.Mode != perfdump.Salvage {
		d.err = faults[0]
	}
	for _, a := range d.table.Anomalies().Kept() {
		d.remarks = append(d.remarks, Remark{a.Off, a.Message})
	}
	for a := range d.table.Remarks() {
		d.remarks = append(d.remarks, Remark{a.Off, a.Message})
	}
	slices.SortStableFunc(d.remarks, func(a, b Remark) int { return cmp.Compare(a.Off, b.Off) })
	return d
}

func (d *ipcBlock) Spans() iter.Seq[perfdump.Span] { return d.table.Spans() }

// Brief is Spans with neighbouring chunks that nobody has touched in one run.
func (d *ipcBlock) Brief() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		var run perfdump.Span
		n := 0
		end := func() bool {
			if n > 1 {
				run.Path = d.levels.Root()
				run.Note = string(appendCount(nil, n, "untouched chunk"))
			}
			more := n == 0 || yield(run)
			n = 0
			return more
		}
		for s := range d.Spans() {
			if i, ok := s.Path.Index(0); ok && s.Kind == perfdump.KindPadding && d.table.Chunk(i).State == ipcblock.Untouched {
				if n == 0 {
					run = s
				} else {
					run.Size += s.Size
				}
				n++
				continue
			}
			if !end() || !yield(s) {
				return
			}
		}
		end()
	}
}

// chunkAt returns the chunk that p lies in.
func (d *ipcBlock) chunkAt(p *perfdump.Path) *ipcblock.Chunk {
	i, ok := p.Index(0)
	if d.table.Layout() != ipcblock.SxS {
		i, ok = 0, true
	}
	if !ok || i >= d.table.NumChunks() {
		return nil
	}
	return d.table.Chunk(i)
}

func (d *ipcBlock) AppendHeading(dst []byte, p perfdump.Path) []byte {
	if _, entry := p.Index(1); entry {
		return dst
	}
	c := d.chunkAt(&p)
	if c == nil || c.State == ipcblock.Untouched {
		return dst
	}
	dst = append(dst, c.State.String()...)
	if c.Arch != ipcblock.NoArch {
		dst = append(append(dst, ", "...), c.Arch.String()...)
	}
	if c.State != ipcblock.Bad && c.RuntimeID != 0 {
		dst = strconv.AppendUint(append(dst, ", runtime "...), uint64(c.RuntimeID), 10)
	}
	if c.State != ipcblock.Bad && c.Has(ipcblock.ProcessID) && c.Uint64(ipcblock.ProcessID) != 0 {
		dst = strconv.AppendUint(append(dst, ", process "...), c.Uint64(ipcblock.ProcessID), 10)
	}
	from := d.base + c.Offset
	return appendRange(append(dst, ", "...), from, from+int64(len(c.Bytes())))
}

func (d *ipcBlock) AppendComment(dst []byte, s *perfdump.Span, b []byte) []byte {
	c := d.chunkAt(&s.Path)
	if c == nil || s.Path.FieldName() == "" {
		return dst
	}
	switch s.Path.FieldName() {
	case "header.counter":
		return append(dst, seqlock(wire.U32(b, 0))...)
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
	return append(dst, fieldNames[s.Path.FieldName()]...)
}

// fieldNames are the counters of perfmon that show a field, by its path.
var fieldNames = func() map[string]string {
	m := map[string]string{}
	for f := range ipcblock.Field(ipcblock.NumFields) {
		m["perf."+f.String()] = strings.ReplaceAll(f.CounterName(), "|", ", ")
	}
	return m
}()

// seqlock says what the lock word of a chunk's header means.
func seqlock(v uint32) string {
	switch {
	case v == 0:
		return "never touched"
	case v%2 != 0:
		return "locked"
	default:
		return "stable"
	}
}

func appendFlags(dst []byte, flags uint16) []byte {
	for i, name := range [...]string{"used", "initialized", "x86"} {
		if flags>>i&1 == 0 {
			continue
		}
		if i > 0 && len(dst) > 0 && flags&(1<<i-1) != 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, name...)
	}
	return dst
}

package export

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/ipcblock"
)

// Blocks is a table of IPC control blocks to be shown.
type Blocks struct {
	Source string // the name of the file
	Table  *ipcblock.Table
	Title  string   // what it is called, "" for IPC control blocks
	Facts  []string // told beside the title
	Notes  []string // told below it, a line each
	Brief  bool     // without the counters
	Fresh  bool     // without those of chunks that are not live
	PID    uint64   // of the process where a chunk does not tell
	Show   capture.BlockFilter
}

// WriteBlocks writes the counters of each chunk that has any, by the
// categories that perfmon shows them in. It reports whether a counter was
// shown.
func (t *Table) WriteBlocks(b Blocks) (shown bool, err error) {
	if t.begun {
		t.text("\n")
	}
	t.begun = true
	facts := []string{b.Table.Layout().String()}
	if b.Table.Layout() == ipcblock.SxS {
		live := 0
		for range b.Table.Live() {
			live++
		}
		facts = append(facts, fmt.Sprintf("%d of %s live", live, plural(b.Table.NumChunks(), "chunk")))
	}
	if n := b.Table.Anomalies().Len(); n > 0 {
		facts = append(facts, plural(n, "anomaly")+` (see "perfdump check")`)
	}
	facts = append(facts, b.Facts...)
	if b.Source != "" && b.Source != "-" {
		facts = append(facts, cell.Clean(b.Source))
	}
	t.text(t.style.Bold(cmp.Or(b.Title, "IPC control blocks")) + "  " + strings.Join(facts, ", ") + "\n")
	for _, n := range b.Notes {
		t.note(n)
	}
	if b.Brief {
		return false, t.err()
	}
	for _, c := range b.Table.Chunks() {
		if c.State == ipcblock.Untouched || c.State == ipcblock.Bad {
			continue
		}
		if t.chunk(&b, c) {
			shown = true
		}
		if t.err() != nil {
			return shown, t.err()
		}
	}
	return shown, t.err()
}

func (t *Table) chunk(b *Blocks, c *ipcblock.Chunk) (shown bool) {
	var facts []string
	if c.Arch != ipcblock.NoArch {
		facts = append(facts, c.Arch.String())
	}
	if c.RuntimeID != 0 {
		facts = append(facts, fmt.Sprintf("runtime %d", c.RuntimeID))
	}
	if c.Has(ipcblock.ProcessID) && c.Uint64(ipcblock.ProcessID) != 0 {
		facts = append(facts, fmt.Sprintf("process %d", c.Uint64(ipcblock.ProcessID)))
	}
	name := "Block"
	if b.Table.Layout() == ipcblock.SxS {
		name = fmt.Sprintf("Chunk %d", c.Index)
	}
	t.text("\n" + t.style.Bold(name) + "  " + strings.Join(append([]string{c.State.String()}, facts...), ", ") + "\n")
	if path, ok := c.InstancePath(); ok {
		t.note("path " + cell.Clean(path))
	}
	if a, ok := c.AppDomain(); ok {
		t.note(fmt.Sprintf("AppDomains  %d of %s in use, the list at 0x%x in the process", a.UsedSlots, plural(int(a.TotalSlots), "slot"), a.AppDomainList))
	}
	for a := range c.Remarks() {
		t.note(fmt.Sprintf("%s: %s", a.Code, a.Message()))
	}
	// The counters of a private block are not used, and all are 0.
	if !c.HasPerf() || c.State == ipcblock.Unpublished || b.Table.Layout() == ipcblock.LegacyPrivate {
		t.note("no counters")
		return false
	}
	if b.Fresh && c.State != ipcblock.Live {
		t.note("--all shows its counters")
		return false
	}
	var lines []blockLine
	instance := capture.BlockInstance(c, b.PID)
	all := ipcblock.Counters()
	for i := range all {
		k := &all[i]
		if i > 0 && k.Category != all[i-1].Category {
			shown = t.category(all[i-1].Category, lines) || shown
			lines = lines[:0]
		}
		if (!k.IsBase() || t.o.All) && (b.Show == nil || b.Show(instance, k)) {
			lines = append(lines, newBlockLine(c, k))
		}
	}
	return t.category(all[len(all)-1].Category, lines) || shown
}

// blockLine is a counter of a chunk.
type blockLine struct {
	name, value, base string
	kind              countertypes.Type
	untyped           bool // the type is not known
}

func newBlockLine(c *ipcblock.Chunk, k *ipcblock.Counter) blockLine {
	l := blockLine{name: cell.Clean(k.Name), kind: k.Type(c.Arch)}
	s := c.Sample(k, nil, nil)
	if s.Status == countertypes.StatusInvalidData {
		l.value = "-"
		return l
	}
	l.value = strconv.FormatUint(s.First, 10)
	if !k.Derived() && k.Field.Signed() {
		l.value = strconv.FormatInt(int64(s.First), 10)
	}
	if fields := k.Fields(); !k.Derived() && len(fields) > 1 {
		l.base = " / " + strconv.FormatUint(c.Uint64(fields[1]), 10)
	}
	return l
}

func (l *blockLine) unit() string {
	if l.untyped {
		return ""
	}
	return l.kind.RawUnit()
}

func (l *blockLine) typeName() string {
	if l.untyped {
		return "type not known"
	}
	return typeName(l.kind)
}

// category writes the counters of a category, if there are any.
func (t *Table) category(name string, lines []blockLine) bool {
	if len(lines) == 0 {
		return false
	}
	t.text("\n" + t.style.Bold(name) + "\n")
	var names, values, bases, units int
	for i := range lines {
		l := &lines[i]
		names, values, bases = max(names, cell.Width(l.name)), max(values, len(l.value)), max(bases, len(l.base))
		units = max(units, len(l.unit()))
	}
	if t.o.Truncate {
		names = min(names, max(t.o.Width/2, 24))
	}
	for i := range lines {
		l := &lines[i]
		text := l.name
		if t.o.Truncate {
			text = cell.Cut(text, names)
		}
		t.line = append(append(t.line[:0], "  "...), text...)
		t.line = cell.PadRight(t.line, cell.Width(text), names)
		t.line = append(t.line, fmt.Sprintf("  %*s%-*s", values, l.value, bases, l.base)...)
		tail := fmt.Sprintf("  %-*s  %s", units, l.unit(), l.typeName())
		if t.o.Truncate {
			tail = cell.Cut(tail, max(t.o.Width-gutter-names-gutter-values-bases, 0))
		}
		t.line = t.style.AppendDim(t.line, strings.TrimRight(tail, " "))
		t.endLine()
	}
	return true
}

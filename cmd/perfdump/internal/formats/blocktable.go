package formats

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
)

// blockSheet writes the counters of IPC control blocks, and of the vectors of
// ASP.NET, for people.
type blockSheet struct {
	*table.Printer

	to   *export.Table
	all  bool // bases, too, and the counters of what is not live
	zone *time.Location
}

func newBlockSheet(t *export.Table, o *Dump) *blockSheet {
	return &blockSheet{table.NewPrinter(t.Text(), o.Page), t, o.All, o.Zone}
}

// Flush writes what is buffered, here and in what is below.
func (s *blockSheet) Flush() error { return cmp.Or(s.Printer.Flush(), s.to.Flush()) }

// blocks is a table of IPC control blocks to be shown.
type blocks struct {
	source string // the name of the file
	table  *ipcblock.Table
	title  string   // what it is called, "" for IPC control blocks
	facts  []string // after the title
	notes  []string // below it, a line each
	brief  bool     // without the counters
	fresh  bool     // without those of chunks that are not live
	pid    uint64   // of the process where a chunk does not give it
	show   document.BlockFilter
}

// head writes a title, facts and the name of a file.
func (s *blockSheet) head(title, source string, facts []string) {
	if source != "" && source != "-" {
		facts = append(facts, cell.Clean(source))
	}
	s.Heading(title, facts...)
}

func anomalyFact(n int) string {
	if n == 0 {
		return ""
	}
	return table.Plural(n, "anomaly") + ` (see "perfdump check")`
}

// blocks writes the counters of each chunk that has any, by the categories that
// perfmon shows them in. It reports whether a counter was shown.
func (s *blockSheet) blocks(b *blocks) (shown bool) {
	facts := []string{b.table.Layout().String()}
	if b.table.Layout() == ipcblock.SxS {
		live := 0
		for range b.table.Live() {
			live++
		}
		facts = append(facts, fmt.Sprintf("%d of %s live", live, table.Plural(b.table.NumChunks(), "chunk")))
	}
	if text := anomalyFact(b.table.Anomalies().Len()); text != "" {
		facts = append(facts, text)
	}
	s.head(cmp.Or(b.title, "IPC control blocks"), b.source, append(facts, b.facts...))
	for _, n := range b.notes {
		s.Note(n)
	}
	if b.brief {
		return false
	}
	for _, c := range b.table.Chunks() {
		if c.State != ipcblock.Untouched && c.State != ipcblock.Bad && s.Err() == nil {
			shown = s.chunk(b, c) || shown
		}
	}
	return shown
}

func (s *blockSheet) chunk(b *blocks, c *ipcblock.Chunk) (shown bool) {
	name := "Block"
	if b.table.Layout() == ipcblock.SxS {
		name = fmt.Sprintf("Chunk %d", c.Index)
	}
	s.Line("")
	s.Heading(name, hexview.ChunkFacts(c)...)
	if path, ok := c.InstancePath(); ok {
		s.Note("path " + cell.Clean(path))
	}
	if a, ok := c.AppDomain(); ok {
		s.Note(fmt.Sprintf("AppDomains  %d of %s in use, the list at 0x%x in the process", a.UsedSlots, table.Plural(int(a.TotalSlots), "slot"), a.AppDomainList))
	}
	for a := range c.Remarks() {
		s.Note(fmt.Sprintf("%s: %s", a.Code, a.Message()))
	}
	// The counters of a private block are not used, and all are 0.
	if !c.HasPerf() || c.State == ipcblock.Unpublished || b.table.Layout() == ipcblock.LegacyPrivate {
		s.Note("no counters")
		return false
	}
	if b.fresh && c.State != ipcblock.Live {
		s.Note("--all shows its counters")
		return false
	}
	var lines []blockLine
	instance := capture.BlockInstance(c, b.pid)
	all := ipcblock.Counters()
	for i := range all {
		k := &all[i]
		if i > 0 && k.Category != all[i-1].Category {
			shown = s.category(all[i-1].Category, lines) || shown
			lines = lines[:0]
		}
		if (!k.IsBase() || s.all) && (b.show == nil || b.show(instance, k)) {
			lines = append(lines, newBlockLine(c, k))
		}
	}
	return s.category(all[len(all)-1].Category, lines) || shown
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
	return strings.TrimPrefix(l.kind.String(), "PERF_")
}

// category writes the counters of a category, if there are any.
func (s *blockSheet) category(name string, lines []blockLine) bool {
	if len(lines) == 0 {
		return false
	}
	tab := &table.Table{Indent: 2, Columns: []table.Column{{Shrink: 24}, {Align: table.Right}, {Dim: true}, {Dim: true}}}
	s.Line("")
	s.Line(s.Style.Bold(name))
	var row table.Row
	s.Table(tab, func(yield func(*table.Row) bool) {
		for i := range lines {
			l := &lines[i]
			row.Reset().Text(l.name).Append(func(b []byte) []byte { return append(b, l.value...) }).Tail(func(b []byte) []byte { return append(b, l.base...) })
			if !yield(row.Texts(l.unit(), l.typeName())) {
				return
			}
		}
	})
	return true
}

// image writes the facts about the process and each table that was found in
// memory, the most trustworthy first, with the reasons. The counters of runtimes that
// are gone, or that were shown before, are left out except with --all. What cannot be
// decoded is reported to failed. It reports whether a counter was shown.
func (s *blockSheet) image(m *capture.Image, show document.BlockFilter, failed func(error)) (shown bool) {
	s.imageHead(m)
	for found, err := range m.Tables() {
		if err != nil {
			failed(err)
			continue
		}
		s.Line("")
		shown = s.blocks(s.found(m, show, found)) || shown
		for fault := range found.Table.Faults() {
			failed(found.Place(fault))
		}
	}
	return shown
}

func (s *blockSheet) imageHead(m *capture.Image) {
	title, facts := "Memory", []string{}
	if m.Dump != nil {
		title = "Process dump"
		if pid, ok := m.PID(); ok {
			facts = append(facts, fmt.Sprintf("process %d", pid))
		}
		facts = append(facts, m.Dump.Arch().String())
		if at := m.Dump.Time(); !at.IsZero() {
			facts = append(facts, "made "+capture.Offset{Known: true}.Format(at, s.zone, time.DateTime))
		}
		if text := anomalyFact(m.Dump.Anomalies().Len()); text != "" {
			facts = append(facts, text)
		}
	}
	s.head(title, m.File, facts)
	for module := range m.Modules() {
		if module.Runtime() {
			s.Note("runtime " + cell.Clean(module.String()))
		}
	}
	if len(m.Found) == 0 {
		s.Note(m.Why())
	}
	if len(m.Found) > 1 {
		s.Note(table.Plural(len(m.Found), "candidate") + ", the most trustworthy first")
	}
	if m.Dropped > 0 {
		s.Note(table.Plural(m.Dropped, "further candidate") + " with no better score left out")
	}
}

// found returns what is shown of a table that was found.
func (s *blockSheet) found(m *capture.Image, show document.BlockFilter, f *capture.FoundTable) *blocks {
	b := &blocks{table: f.Table, pid: f.Owner(), show: show, title: fmt.Sprintf("Table %d", f.Index), fresh: !s.all}
	b.facts = append(b.facts, fmt.Sprintf("score %d", f.Score))
	where := fmt.Sprintf("at 0x%x", f.Offset)
	if m.Dump != nil {
		where = fmt.Sprintf("at address 0x%x, 0x%x in the file", f.Addr, f.Offset)
	}
	b.notes = append(b.notes, where)
	if !f.Whole() {
		b.notes = append(b.notes, fmt.Sprintf("a part: %s of 32", table.Plural(f.Chunks, "chunk")))
	}
	for _, r := range f.Reasons() {
		b.notes = append(b.notes, fmt.Sprintf("%+d %s", r.Points, r.Text))
	}
	if f.Repeats && !s.all {
		b.brief = true
		b.notes = append(b.notes, "its runtimes are those of a table above; --all shows its counters")
	}
	return b
}

// vector writes the counters of a vector by the objects that perfmon shows them
// in; nil shows all. It reports whether a counter was shown.
func (s *blockSheet) vector(x *aspnet.Vector, source string, show func(*aspnet.Counter) bool) (shown bool) {
	s.head("ASP.NET counters", source, []string{"version " + x.Version().String(), table.Plural(x.Len(), "DWORD")})
	if x.Zero() {
		s.Note("all counters are 0: the worker could not be read, or is of another version")
	}
	var lines []blockLine
	last := aspnet.Global
	for c := range x.Values() {
		if c.Scope != last {
			shown = s.category(last.Object(), lines) || shown
			last, lines = c.Scope, lines[:0]
		}
		if (c.Name == "" || !c.Type.IsBase() || s.all) && (show == nil || show(c)) {
			lines = append(lines, newVectorLine(x, c))
		}
	}
	shown = s.category(last.Object(), lines) || shown
	return shown
}

func newVectorLine(x *aspnet.Vector, c *aspnet.Counter) blockLine {
	l := blockLine{name: cell.Clean(c.Label()), kind: c.Type, untyped: c.Name == ""}
	s := x.Sample(c, nil, nil)
	l.value = strconv.FormatUint(s.First, 10)
	if c.Type.NeedsBase() {
		l.base = " / " + strconv.FormatUint(s.Second, 10)
	}
	return l
}

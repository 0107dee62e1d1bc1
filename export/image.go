package export

import (
	"fmt"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// Image is memory whose tables of IPC control blocks are to be shown.
type Image struct {
	*capture.Image
	Show capture.BlockFilter
	// Failed is told the tables that cannot be decoded, and the chunks.
	Failed func(error)
}

// WriteImage writes what memory tells of the process and each table that was
// found in it, the most trustworthy first, with the reasons. The
// counters of runtimes that are gone, or that were shown before, are left out
// but for [TableOptions].All. It reports whether a counter was shown.
func (t *Table) WriteImage(m Image) (shown bool, err error) {
	if t.begun {
		t.text("\n")
	}
	t.begun = true
	t.imageHead(m.Image)
	for found, err := range m.Tables() {
		if err != nil {
			m.Failed(err)
			continue
		}
		some, err := t.WriteBlocks(t.found(&m, found))
		if err != nil {
			return shown, err
		}
		shown = shown || some
		for _, fault := range found.Table.Faults() {
			m.Failed(found.Place(fault))
		}
	}
	return shown, t.err()
}

func (t *Table) imageHead(m *capture.Image) {
	title, facts := "Memory", []string{}
	if m.Format == detect.Minidump {
		title = "Process dump"
		if pid, ok := m.PID(); ok {
			facts = append(facts, fmt.Sprintf("process %d", pid))
		}
		facts = append(facts, m.Dump.Arch().String())
		if at := m.Dump.Time(); !at.IsZero() {
			facts = append(facts, "made "+capture.Offset{Known: true}.Format(at, t.o.Zone, time.DateTime))
		}
		if n := m.Dump.Anomalies().Len(); n > 0 {
			facts = append(facts, plural(n, "anomaly")+` (see "perfdump check")`)
		}
	}
	if m.File != "" && m.File != "-" {
		facts = append(facts, cell.Clean(m.File))
	}
	t.text(t.style.Bold(title) + "  " + strings.Join(facts, ", ") + "\n")
	for module := range m.Modules() {
		if module.Runtime() {
			t.note("runtime " + cell.Clean(module.String()))
		}
	}
	if len(m.Found) == 0 {
		t.note(m.Why())
	}
	if len(m.Found) > 1 {
		t.note(plural(len(m.Found), "candidate") + ", the most trustworthy first")
	}
	if m.Dropped > 0 {
		t.note(plural(m.Dropped, "further candidate") + " with no better score left out")
	}
}

// found says how a table that was found is shown.
func (t *Table) found(m *Image, f *capture.FoundTable) Blocks {
	b := Blocks{Table: f.Table, PID: f.Owner(), Show: m.Show, Title: fmt.Sprintf("Table %d", f.Index), Fresh: !t.o.All}
	b.Facts = append(b.Facts, fmt.Sprintf("score %d", f.Score))
	where := fmt.Sprintf("at 0x%x", f.Offset)
	if m.Dump != nil {
		where = fmt.Sprintf("at address 0x%x, 0x%x in the file", f.Addr, f.Offset)
	}
	b.Notes = append(b.Notes, where)
	if !f.Whole() {
		b.Notes = append(b.Notes, fmt.Sprintf("a part: %s of 32 lie here", plural(f.Chunks, "chunk")))
	}
	for _, r := range f.Reasons() {
		b.Notes = append(b.Notes, fmt.Sprintf("%+d %s", r.Points, r.Text))
	}
	if f.Repeats && !t.o.All {
		b.Brief = true
		b.Notes = append(b.Notes, "its runtimes are those of a table above; --all shows its counters")
	}
	return b
}

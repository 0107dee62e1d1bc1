package formats

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/opened"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/ipcblock"
)

// Memory is searched for IPC control blocks: that of a process, in a dump, or
// raw memory.
var (
	dump   = imageFormat(detect.Minidump, hexview.Minidump, dumpContents)
	memory = imageFormat(detect.Memory, hexview.Memory, nil)
)

// imageFormat returns the entry of a kind of memory; raw memory has no contents
// to compare, and nothing to salvage.
func imageFormat(name detect.Format, bytes func([]byte, hexview.Input) *hexview.Document, contents func(*detect.Input, capture.Options) (*compare.Contents, error)) Format {
	return Format{
		Name: name, Facts: imageFacts, Check: checkImage, Values: true, ValueTable: imageTable, Document: imageDocument,
		Contents: contents, Bytes: bytes, InPlace: true, Look: LookBlocks, Salvage: contents != nil,
	}
}

// maxTables bounds the tables of the lines.
const maxTables = 12

func imageFacts(s *Summary, in *detect.Input, o capture.Options) {
	m, err := openImage(in, o)
	if err != nil {
		s.fail(err)
		if o.Mode == perfdump.Salvage {
			return
		}
		// What the dump is can still be read.
		o.Mode = perfdump.Salvage
		if m, err = openImage(in, o); err != nil {
			return
		}
	} else {
		for _, err := range m.Errors() {
			s.fail(err)
		}
	}
	processFacts(s, m)
	tables := tableFacts(s, m)
	s.key("tables", tables)
	if len(m.Found) == 0 {
		s.line("tables", "no IPC control blocks found; perfdump check says why")
	}
	s.about(table.GroupedPlural(len(tables), "table"))
}

// processFacts adds what a dump says of its process.
func processFacts(s *Summary, m *capture.Image) {
	var arch, pid, made any
	process, runtimes := "unknown", []runtimeKeys{}
	if n, ok := m.PID(); ok {
		pid, process = n, fmt.Sprint(n)
	}
	if m.Dump != nil {
		arch = m.Dump.Arch().String()
		s.line("process", process+", "+m.Dump.Arch().String())
		if t := m.Dump.Time(); !t.IsZero() {
			made = t.UTC().Format(time.RFC3339)
			s.line("made", inUTC.Format(t, s.view.Zone, table.TimeLayout))
			s.at(t, inUTC)
		}
		held := "parts of it"
		if m.Dump.FullMemory() {
			held = "all of it"
		}
		s.line("memory", held)
		s.count(m.Dump.Anomalies())
	}
	for module := range m.Modules() {
		if !module.Runtime() {
			continue
		}
		one := runtimeKeys{Name: module.Name}
		if module.HasVersion {
			one.Version = orNil(module.FileVersion.String())
		}
		runtimes = append(runtimes, one)
		s.line("runtime", cell.Clean(module.String()))
	}
	s.key("arch", arch)
	s.key("pid", pid)
	s.key("time", made)
	s.key("runtimes", runtimes)
}

type runtimeKeys struct {
	Name    string `json:"name"`
	Version any    `json:"version"`
}

// tableKeys are the keys of a table that was found.
type tableKeys struct {
	VA      any          `json:"va"`
	Offset  int64        `json:"offset"`
	Score   int          `json:"score"`
	Reasons []reasonKeys `json:"reasons"`
	Repeats bool         `json:"repeats"`
	*blockKeys
}

type reasonKeys struct {
	Points int    `json:"points"`
	Text   string `json:"text"`
}

// tableFacts adds the lines of the tables and returns their keys.
func tableFacts(s *Summary, m *capture.Image) []tableKeys {
	all := []tableKeys{}
	for t, err := range m.Tables() {
		one := tableKeys{Offset: t.Offset, Score: t.Score, Reasons: []reasonKeys{}, Repeats: t.Repeats}
		if m.Dump != nil {
			one.VA = t.Addr
		}
		for _, r := range t.Reasons() {
			one.Reasons = append(one.Reasons, reasonKeys(r))
		}
		if err != nil {
			s.fail(err)
		} else {
			one.blockKeys = newBlockKeys(t.Table)
			s.count(t.Table.Anomalies())
			for fault := range t.Table.Faults() {
				s.fail(t.Place(fault))
			}
		}
		switch i := len(all); {
		case i < maxTables:
			foundLines(s, m, t)
		case i == maxTables:
			s.line("tables", fmt.Sprintf("%d more; perfdump dump lists them", len(m.Found)-i+m.Dropped))
		}
		all = append(all, one)
	}
	return all
}

// foundLines says where a table is, how far it can be trusted, and why.
func foundLines(s *Summary, m *capture.Image, t *capture.FoundTable) {
	at := fmt.Sprintf("0x%x", t.Offset)
	if m.Dump != nil {
		at = fmt.Sprintf("address 0x%x, 0x%x in the file", t.Addr, t.Offset)
	}
	s.line(fmt.Sprintf("table %d", t.Index), fmt.Sprintf("at %s, score %d", at, t.Score))
	detail := func(text string) {
		for _, line := range cell.Wrap(text, s.view.textWidth()) {
			s.line("", line)
		}
	}
	if t.Table == nil {
		detail("cannot be decoded")
		return
	}
	what := t.Layout.String()
	if t.Layout == ipcblock.SxS {
		what += fmt.Sprintf(", %d of 32 chunks, %d live", t.Chunks, liveChunks(t.Table))
	}
	if t.Repeats {
		what += "; its runtimes are those of a table above"
	}
	detail(what)
	for i, c := range t.Table.Chunks() {
		if c.State != ipcblock.Untouched {
			detail(runtimeText(t.Layout, i, c))
		}
	}
	for _, r := range t.Reasons() {
		detail(fmt.Sprintf("%+d %s", r.Points, r.Text))
	}
	for _, text := range remarkTexts(t.Table) {
		detail(text)
	}
}

// CodeNoTables is the code of the finding that memory has no IPC control blocks.
const CodeNoTables = capture.RemarkNoTables

// checkImage checks the dump, then each table.
func checkImage(c *checker, in *detect.Input, o capture.Options) {
	m, err := openImage(in, o)
	if err != nil {
		c.fail(err)
		first := err
		o.Mode = perfdump.Salvage
		if m, err = openImage(in, o); err != nil {
			return
		}
		m.Mode = perfdump.Tolerant
		for _, err := range m.Errors() {
			if !same(err, first) {
				c.fail(err)
			}
		}
	} else if m.Err != nil {
		c.fail(m.Err)
	}
	if m.Dump != nil {
		c.anomalies(m.Dump.Anomalies())
	}
	if len(m.Found) == 0 {
		c.find(Finding{Code: CodeNoTables, Offset: -1, Severity: SeverityNote, Message: m.Why()})
	}
	for t, err := range m.Tables() {
		if err != nil {
			c.fail(err)
		} else {
			in := c.placed(func(f *Finding) { f.Path, f.Offset = t.Path(f.Path), t.At(f.Offset) })
			in.faults(slices.Collect(t.Table.Faults()), nil)
			in.anomalies(t.Table.Anomalies())
			checkRemarks(in, t.Table)
		}
		if c.done {
			return
		}
	}
}

// imageTable writes for people what was found in memory.
func imageTable(w *export.Table, in *detect.Input, o *Dump) error {
	m, err := openImage(in, o.Options)
	if err != nil {
		return err
	}
	failures := m.Errors()
	s := newBlockSheet(w, o)
	shown := s.image(m, document.NewBlockFilter(o.Patterns()), func(err error) { failures = append(failures, err) })
	if err := s.Flush(); err != nil {
		return err
	}
	if len(m.Found) > 0 {
		o.Shown(shown)
	}
	for _, err := range failures {
		o.Failed(err)
	}
	return nil
}

func openImage(in *detect.Input, o capture.Options) (*capture.Image, error) {
	return capture.OpenImage(opened.Input(in), o.Options)
}

func imageDocument(out io.Writer, in *detect.Input, o *Documents) error {
	m, err := openImage(in, o.Options)
	if err != nil {
		return err
	}
	failures := m.Errors()
	if err := document.WriteImage(out, m, o.Document, func(err error) { failures = append(failures, err) }); err != nil {
		return err
	}
	if len(m.Found) > 0 {
		o.look(o.showsFields, LookBlocks)
	} else { // the table for people says it itself
		o.Note(m.File, m.Why())
	}
	for _, err := range failures {
		o.Failed(err)
	}
	return nil
}

func dumpContents(in *detect.Input, o capture.Options) (*compare.Contents, error) {
	m, err := openImage(in, o)
	if err != nil {
		return nil, err
	}
	pid, _ := m.PID()
	c := &compare.Contents{Dump: true, Part: "their IPC control blocks", Header: []compare.Pair{
		{Key: "arch", Value: m.Dump.Arch().String()},
		{Key: "pid", Value: uint64(pid)},
	}}
	if len(m.Found) == 0 && m.Err == nil {
		c.Note = m.Why()
	}
	c.Tables, c.Err = m.Fresh()
	return c, nil
}

package formats

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/ipcblock"
)

var ipcBlock = Format{
	Name:       detect.IPCBlock,
	Bytes:      hexview.IPCBlock,
	Facts:      ipcBlockFacts,
	Check:      checkOf(parseIPCBlock, checkRemarks),
	Values:     true,
	ValueTable: blockTable,
	Look:       LookBlocks,
	Document:   blockDocument,
	Reader:     document.IPCBlockReader,
	Contents:   ipcBlockContents,
}

func parseIPCBlock(in *detect.Input, o capture.Options) (*ipcblock.Table, error) {
	return ipcblock.Parse(in.Data, ipcblock.Options{Options: o.Options})
}

func checkRemarks(c *checker, t *ipcblock.Table) {
	for a := range t.Remarks() {
		c.note(a)
	}
}

func ipcBlockFacts(s *Summary, in *detect.Input, o capture.Options) {
	t, err := parseIPCBlock(in, o)
	if err == nil {
		s.faults(slices.Collect(t.Faults()))
	} else {
		s.fail(err)
		// What the file is can still be read.
		o.Mode = perfdump.Salvage
		if t, err = parseIPCBlock(in, o); err != nil {
			return
		}
	}
	s.count(t.Anomalies())
	k := newBlockKeys(t)
	s.key("layout", k.Layout)
	s.key("chunks", k.Chunks)
	s.key("untouched", k.Empty)
	s.key("remarks", k.Remarks)
	s.line("layout", k.Layout+": "+layouts[t.Layout()])
	if t.Layout() == ipcblock.SxS {
		s.line("chunks", chunksText(t))
	}
	for i, c := range t.Chunks() {
		if c.State != ipcblock.Untouched {
			s.line("runtime", runtimeText(t.Layout(), i, c))
		}
	}
	remarks := remarkTexts(t)
	for i, text := range remarks {
		if i == maxRemarks {
			s.line("note", fmt.Sprintf("%d more; perfdump check lists them", len(remarks)-i))
			break
		}
		s.line("note", text)
	}
	s.about(fmt.Sprintf("%s, %d live", k.Layout, liveChunks(t)))
}

var layouts = map[ipcblock.Layout]string{
	ipcblock.SxS:           "the table of CLR 4",
	ipcblock.LegacyPublic:  "the counters of CLR 2.0",
	ipcblock.LegacyPrivate: "what debuggers read",
	ipcblock.Bare:          "the counters of CLR 1.x",
}

// maxRemarks bounds the remarks of the lines.
const maxRemarks = 8

// blockKeys are the keys of a table of IPC control blocks, or of one block.
type blockKeys struct {
	Layout  string                `json:"layout"`
	Chunks  []chunkKeys           `json:"chunks"`
	Empty   int                   `json:"untouched"`
	Remarks map[perfdump.Code]int `json:"remarks"`
}

// chunkKeys are the keys of a chunk that is not untouched.
type chunkKeys struct {
	Index       int    `json:"index"`
	State       string `json:"state"`
	Arch        any    `json:"arch"`
	RuntimeID   uint32 `json:"runtime_id"`
	PID         any    `json:"pid"`
	Version     uint16 `json:"version"`
	BuildYear   uint16 `json:"build_year"`
	BuildNumber uint16 `json:"build_number"`
}

func newBlockKeys(t *ipcblock.Table) *blockKeys {
	k := &blockKeys{Layout: t.Layout().String(), Chunks: []chunkKeys{}, Remarks: map[perfdump.Code]int{}}
	for i, c := range t.Chunks() {
		if c.State == ipcblock.Untouched {
			k.Empty++
			continue
		}
		chunk := chunkKeys{Index: i, State: c.State.String()}
		if c.State != ipcblock.Bad {
			chunk.RuntimeID, chunk.Version, chunk.BuildYear, chunk.BuildNumber = c.RuntimeID, c.Version, c.BuildYear, c.BuildNumber
			if c.Arch != ipcblock.NoArch {
				chunk.Arch = c.Arch.String()
			}
			if pid := processOf(c); pid != 0 {
				chunk.PID = pid
			}
		}
		k.Chunks = append(k.Chunks, chunk)
	}
	for a := range t.Remarks() {
		k.Remarks[a.Code]++
	}
	return k
}

// processOf returns the process of a chunk, 0 if it does not say.
func processOf(c *ipcblock.Chunk) uint64 {
	if !c.Has(ipcblock.ProcessID) {
		return 0
	}
	return c.Uint64(ipcblock.ProcessID)
}

func liveChunks(t *ipcblock.Table) int {
	n := 0
	for range t.Live() {
		n++
	}
	return n
}

func remarkTexts(t *ipcblock.Table) (all []string) {
	for a := range t.Remarks() {
		text := a.Message()
		if path := a.Path.String(); path != "" {
			text = path + ": " + text
		}
		all = append(all, string(a.Code)+": "+cell.Clean(text))
	}
	return all
}

// chunksText counts the chunks of a table by their states.
func chunksText(t *ipcblock.Table) string {
	counts := map[ipcblock.State]int{}
	for _, c := range t.Chunks() {
		counts[c.State]++
	}
	var parts []string
	for _, state := range []ipcblock.State{ipcblock.Live, ipcblock.Unpublished, ipcblock.Locked, ipcblock.Free, ipcblock.Bad, ipcblock.Untouched} {
		if n := counts[state]; n > 0 || state == ipcblock.Live || state == ipcblock.Untouched {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	return strings.Join(parts, ", ")
}

// runtimeText says which runtime a chunk is of.
func runtimeText(l ipcblock.Layout, index int, c *ipcblock.Chunk) string {
	parts := hexview.ChunkFacts(c)
	if l == ipcblock.SxS {
		parts[0] = fmt.Sprintf("chunk %d: %s", index, c.State)
	}
	if c.State == ipcblock.Bad {
		return parts[0]
	}
	if processOf(c) == 0 {
		parts = append(parts, "process unknown")
	}
	if l != ipcblock.Bare {
		parts = append(parts, fmt.Sprintf("build %d.%d", c.BuildYear, c.BuildNumber), fmt.Sprintf("block version %d", c.Version))
	}
	return strings.Join(parts, ", ")
}

// blockTable writes a table of IPC control blocks for people.
func blockTable(w *export.Table, in *detect.Input, o *Dump) error {
	t, err := parseIPCBlock(in, o.Options)
	if err != nil {
		return err
	}
	s := newBlockSheet(w, o)
	o.Shown(s.blocks(&blocks{source: in.Name, table: t, show: document.NewBlockFilter(o.Patterns())}))
	err = s.Flush()
	for fault := range t.Faults() {
		o.Failed(fault)
	}
	return err
}

// LookBlocks adds to c the counters of IPC control blocks, which are always
// the same.
func LookBlocks(c Choices, paths []string) {
	all := ipcblock.Counters()
	for i := range all {
		if k := &all[i]; !k.IsBase() {
			c.LookItem(k.Category, k.Name, paths)
		}
	}
}

// showsFields reports whether the filter lets a counter of IPC control blocks
// through.
func (o *Dump) showsFields() bool {
	_, some := o.Filter.Fields()
	return some
}

func blockDocument(out io.Writer, in *detect.Input, o *Documents) error {
	t, err := parseIPCBlock(in, o.Options)
	if err != nil {
		return err
	}
	if err := document.WriteIPCBlock(out, in.Name, in.Data, t, o.Document); err != nil {
		return err
	}
	o.look(o.showsFields, LookBlocks)
	for fault := range t.Faults() {
		o.Failed(fault)
	}
	return nil
}

func ipcBlockContents(in *detect.Input, o capture.Options) (*compare.Contents, error) {
	t, err := parseIPCBlock(in, o)
	if err != nil {
		return nil, err
	}
	return &compare.Contents{
		Header: []compare.Pair{{Key: "layout", Value: t.Layout().String()}},
		Tables: []*ipcblock.Table{t},
		Faults: slices.Collect(t.Faults()),
	}, nil
}

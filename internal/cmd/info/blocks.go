package info

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/ipcblock"
)

var layouts = map[ipcblock.Layout]string{
	ipcblock.SxS:           "the table of CLR 4",
	ipcblock.LegacyPublic:  "the counters of CLR 2.0",
	ipcblock.LegacyPrivate: "what debuggers read",
	ipcblock.Bare:          "the counters of CLR 1.x",
}

// maxRemarks bounds the remarks that are told in words.
const maxRemarks = 8

// blocks tells of IPC control blocks.
func (p *printer) blocks(b *capture.BlockSummary, fact func(name, value string)) {
	if b == nil {
		return
	}
	fact("layout", fmt.Sprintf("%s: %s", b.Layout, layouts[b.Layout]))
	if b.Layout == ipcblock.SxS {
		fact("chunks", chunks(b))
	}
	for i := range b.Chunks {
		fact("runtime", runtime(b.Layout, &b.Chunks[i]))
	}
	for i, r := range b.Remarks {
		if i == maxRemarks {
			fact("note", fmt.Sprintf("%d more; perfdump check lists them", len(b.Remarks)-i))
			break
		}
		fact("note", fmt.Sprintf("%s: %s", r.Code, cell.Clean(strings.TrimPrefix(r.Path+": "+r.Message, ": "))))
	}
}

// chunks counts the chunks of a table by their states.
func chunks(b *capture.BlockSummary) string {
	counts := map[ipcblock.State]int{ipcblock.Untouched: b.Empty}
	for i := range b.Chunks {
		counts[b.Chunks[i].State]++
	}
	var parts []string
	for _, state := range []ipcblock.State{ipcblock.Live, ipcblock.Unpublished, ipcblock.Locked, ipcblock.Free, ipcblock.Bad, ipcblock.Untouched} {
		if n := counts[state]; n > 0 || state == ipcblock.Live || state == ipcblock.Untouched {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	return strings.Join(parts, ", ")
}

func runtime(l ipcblock.Layout, c *capture.ChunkSummary) string {
	parts := []string{c.State.String()}
	if l == ipcblock.SxS {
		parts[0] = fmt.Sprintf("chunk %d: %s", c.Index, c.State)
	}
	if c.State == ipcblock.Bad {
		return parts[0]
	}
	if c.Arch != ipcblock.NoArch {
		parts = append(parts, c.Arch.String())
	}
	if c.RuntimeID != 0 {
		parts = append(parts, fmt.Sprintf("runtime %d", c.RuntimeID))
	}
	if c.PID != 0 {
		parts = append(parts, fmt.Sprintf("process %d", c.PID))
	} else {
		parts = append(parts, "process unknown")
	}
	if l != ipcblock.Bare {
		parts = append(parts, fmt.Sprintf("build %d.%d", c.BuildYear, c.BuildNumber), fmt.Sprintf("block version %d", c.Version))
	}
	return strings.Join(parts, ", ")
}

type blockKeys struct {
	Layout  string         `json:"layout"`
	Chunks  []chunkKeys    `json:"chunks"`
	Empty   int            `json:"untouched"`
	Remarks map[string]int `json:"remarks"`
}

type chunkKeys struct {
	Index       int     `json:"index"`
	State       string  `json:"state"`
	Arch        *string `json:"arch"`
	RuntimeID   uint32  `json:"runtime_id"`
	PID         *uint64 `json:"pid"`
	Version     uint16  `json:"version"`
	BuildYear   uint16  `json:"build_year"`
	BuildNumber uint16  `json:"build_number"`
}

func newBlockKeys(b *capture.BlockSummary) *blockKeys {
	k := &blockKeys{Layout: b.Layout.String(), Chunks: []chunkKeys{}, Empty: b.Empty, Remarks: map[string]int{}}
	for _, c := range b.Chunks {
		chunk := chunkKeys{
			Index: c.Index, State: c.State.String(), RuntimeID: c.RuntimeID,
			Version: c.Version, BuildYear: c.BuildYear, BuildNumber: c.BuildNumber,
		}
		if c.Arch != ipcblock.NoArch {
			chunk.Arch = orNull(c.Arch.String())
		}
		if c.PID != 0 {
			chunk.PID = &c.PID
		}
		k.Chunks = append(k.Chunks, chunk)
	}
	for _, r := range b.RemarkCounts() {
		k.Remarks[string(r.Code)] = r.Count
	}
	return k
}

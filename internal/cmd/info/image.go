package info

import (
	"fmt"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/ipcblock"
)

// maxTables bounds the tables that are told in words.
const maxTables = 12

// image tells of a process dump, or of raw memory.
func (p *printer) image(m *capture.ImageSummary, fact func(name, value string)) {
	if m == nil {
		return
	}
	if m.Arch != "" {
		p.process(m, fact)
	}
	for i := range m.Runtimes {
		fact("runtime", cell.Clean(m.Runtimes[i].String()))
	}
	if len(m.Tables) == 0 {
		fact("tables", "no IPC control blocks found; perfdump check says why")
	}
	for i := range m.Tables {
		if i == maxTables {
			fact("tables", fmt.Sprintf("%d more; perfdump dump lists them", len(m.Tables)-i+m.Dropped))
			break
		}
		p.found(m, i, fact)
	}
}

func (p *printer) process(m *capture.ImageSummary, fact func(name, value string)) {
	pid := "unknown"
	if m.HasPID {
		pid = fmt.Sprint(m.PID)
	}
	fact("process", pid+", "+m.Arch)
	if !m.Time.IsZero() {
		fact("made", inUTC.Format(m.Time, p.zone, clock))
	}
	memory := "parts of it"
	if m.Full {
		memory = "all of it"
	}
	fact("memory", memory)
}

// found tells of a table: where, how far to be trusted, and why.
func (p *printer) found(m *capture.ImageSummary, i int, fact func(name, value string)) {
	t := &m.Tables[i]
	at := fmt.Sprintf("0x%x", t.Offset)
	if m.Arch != "" {
		at = fmt.Sprintf("address 0x%x, 0x%x in the file", t.Addr, t.Offset)
	}
	fact(fmt.Sprintf("table %d", i), fmt.Sprintf("at %s, score %d", at, t.Score))
	detail := func(format string, args ...any) {
		const indent = 14
		for _, line := range cell.Wrap(fmt.Sprintf(format, args...), max(p.width-indent, 40)) {
			fact("", line)
		}
	}
	if t.Blocks == nil {
		detail("cannot be decoded")
		return
	}
	what := t.Layout.String()
	if t.Layout == ipcblock.SxS {
		what += fmt.Sprintf(", %d of 32 chunks, %d live", t.Chunks, t.Blocks.Live())
	}
	if t.Repeats {
		what += "; its runtimes are those of a table above"
	}
	detail("%s", what)
	for j := range t.Blocks.Chunks {
		if t.Layout == ipcblock.SxS || j == 0 {
			detail("%s", runtime(t.Layout, &t.Blocks.Chunks[j]))
		}
	}
	for _, r := range t.Reasons() {
		detail("%+d %s", r.Points, r.Text)
	}
	for _, r := range t.Blocks.Remarks {
		detail("%s: %s", r.Code, cell.Clean(strings.TrimPrefix(r.Path+": "+r.Message, ": ")))
	}
}

// vector tells of a vector of ASP.NET's counters.
func (p *printer) vector(v *capture.VectorSummary, fact func(name, value string)) {
	if v == nil {
		return
	}
	fact("version", v.Version.String())
	text := fmt.Sprintf("%d, %d of them 0", v.Counters, v.Zeros)
	if v.Zeros == v.Counters {
		text += ": so is what a collector has of a worker that it could not read"
	}
	fact("counters", text)
}

type imageKeys struct {
	Arch     *string       `json:"arch"`
	PID      *uint32       `json:"pid"`
	Time     *string       `json:"time"`
	Runtimes []runtimeKeys `json:"runtimes"`
	Tables   []tableKeys   `json:"tables"`
}

type runtimeKeys struct {
	Name    string  `json:"name"`
	Version *string `json:"version"`
}

type tableKeys struct {
	VA      *uint64      `json:"va"`
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

func newImageKeys(m *capture.ImageSummary) *imageKeys {
	k := &imageKeys{Arch: orNull(m.Arch), Runtimes: []runtimeKeys{}, Tables: []tableKeys{}}
	if m.HasPID {
		k.PID = &m.PID
	}
	if !m.Time.IsZero() {
		k.Time = orNull(m.Time.UTC().Format(time.RFC3339))
	}
	for i := range m.Runtimes {
		module := &m.Runtimes[i]
		one := runtimeKeys{Name: module.Name}
		if module.HasVersion {
			one.Version = orNull(module.FileVersion.String())
		}
		k.Runtimes = append(k.Runtimes, one)
	}
	for i := range m.Tables {
		t := &m.Tables[i]
		one := tableKeys{Offset: t.Offset, Score: t.Score, Reasons: []reasonKeys{}, Repeats: t.Repeats}
		if m.Arch != "" {
			one.VA = &t.Addr
		}
		for _, r := range t.Reasons() {
			one.Reasons = append(one.Reasons, reasonKeys(r))
		}
		if t.Blocks != nil {
			one.blockKeys = newBlockKeys(t.Blocks)
		}
		k.Tables = append(k.Tables, one)
	}
	return k
}

type vectorKeys struct {
	Version  string `json:"version"`
	Counters int    `json:"counters"`
	Zeros    int    `json:"zeros"`
}

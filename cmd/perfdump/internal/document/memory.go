package document

import (
	"io"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
	"github.com/perfdump/perfdump/minidump"
)

// WriteASPNet writes the document of a vector of ASP.NET's counters to w: each
// counter that shows one of its DWORDs, by its object in perfmon. The name and the
// type of a counter are null if they are not public. The only error is one of w.
func WriteASPNet(to io.Writer, name string, x *aspnet.Vector, o Options) error {
	w := newWriter(to)
	version := x.Version().String()
	chosen := func(yield func(object) bool) {
		for c, value := range x.Values() {
			of := c.Scope.Object()
			if o.chooses(of, 0, c.Label(), 0, false) && !yield(object{
				{"index", c.Index},
				{"offset", 4 * c.Index},
				{"scope", c.Scope.String()},
				{"object", of},
				{"symbol", c.Symbol},
				{"name", text(c.Name)},
				{"type", given(c.Type.String(), c.Name != "")},
				{"value", value},
			}) {
				return
			}
		}
	}
	return w.document(&o, "aspnet:"+version, name, int64(len(x.Bytes())), o.partial(), object{
		{"version", version}, {"counters", list(w, " ", chosen, func(c object) any { return c })},
	})
}

// WriteImage writes the document of memory that was searched for IPC control
// blocks to w: what a dump says of the process, and each table with its place, its
// score and its own document. Such a table's document encodes; that of the image
// does not. failed gets what cannot be decoded: tables, and chunks of them. The only
// error is one of w.
func WriteImage(to io.Writer, m *capture.Image, o Options, failed func(error)) error {
	w := newWriter(to)
	tables := func(yield func(*capture.FoundTable) bool) {
		for t, err := range m.Tables() {
			if err != nil {
				failed(err)
				continue
			}
			if !yield(t) {
				return
			}
			for fault := range t.Table.Faults() {
				failed(t.Place(fault))
			}
		}
	}
	var fields object
	own := &perfdump.Anomalies{}
	if m.Dump != nil {
		pid, known := m.PID()
		at := m.Dump.Time()
		fields = object{
			{"arch", m.Dump.Arch().String()},
			{"pid", given(pid, known)},
			{"time", given(at.Format("2006-01-02T15:04:05Z"), !at.IsZero())},
			{"modules", list(w, " ", m.Modules(), func(module minidump.Module) any {
				return object{{"name", module.Name}, {"version", given(module.FileVersion.String(), module.HasVersion)}}
			})},
		}
		own = m.Dump.Anomalies()
	}
	fields = append(fields, field{"tables", list(w, " ", tables, func(t *capture.FoundTable) any {
		live := 0
		for range t.Table.Live() {
			live++
		}
		reasons := func(yield func(ipcblock.Reason) bool) {
			for _, r := range t.Reasons() {
				if !yield(r) {
					return
				}
			}
		}
		return object{
			{"va", given(t.Addr, m.Dump != nil)},
			{"offset", t.Offset},
			{"score", t.Score},
			{"reasons", list(w, "", reasons, func(r ipcblock.Reason) any { return object{{"points", r.Points}, {"text", r.Text}} })},
			{"chunks", t.Chunks},
			{"live", live},
			{"document", func() { w.ipcBlock(t.Name(), t.Data, t.Table, t.Owner(), &o) }},
		}
	})}, field{"tables_left_out", when(m.Dropped > 0, m.Dropped)})
	return w.document(&o, m.Format, m.File, m.Size, o.partial(), fields, own)
}

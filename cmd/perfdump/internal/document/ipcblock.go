package document

import (
	"bytes"
	"io"
	"math"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/ipcblock"
)

// chunkDoc is a chunk of a document. The offsets in it are those in the file.
type chunkDoc struct {
	tree                                    ipcblock.TreeChunk
	hasState                                bool
	offset, domainOff                       opt
	attributes, perfSize, pathOff, pathSize opt
	path                                    bytesOrText
	fields                                  []ipcField
}

// chunkParts are the values of a chunk that are not those of one field.
type chunkParts struct {
	index, state, arch, entries, domain, path, wire, fields any
}

// object returns the keys that a chunk of a layout has; all of them for reading,
// where the layout is Auto.
func (c *chunkDoc) object(layout ipcblock.Layout, p chunkParts) object {
	all, h := layout == ipcblock.Auto, &c.tree.Header
	sxs, headed := all || layout == ipcblock.SxS, all || layout != ipcblock.Bare
	return object{
		{"index", p.index},
		{"offset", place(&c.offset)},
		{"state", p.state},
		{"arch", p.arch},
		{"counter", when(sxs, &h.Counter)},
		{"runtime_id", when(sxs, &h.RuntimeID)},
		{"version", when(headed, &h.Version)},
		{"flags", when(headed, &h.Flags)},
		{"block_size", when(headed, &h.BlockSize)},
		{"hinstance", when(all || headed && !sxs, &h.HInstance)},
		{"build_year", when(headed, &h.BuildYear)},
		{"\n  build_number", when(headed, &h.BuildNumber)},
		{"num_entries", when(headed, &h.NumEntries)},
		{"entries", when(headed, p.entries)},
		{"attributes", limited{&c.attributes, math.MaxUint16}},
		{"\n  app_domain", p.domain},
		{"\n  path", p.path},
		{"wire", p.wire},
		{"\n  fields", p.fields},
	}
}

func (c *chunkDoc) wire(reserved any) object {
	return object{
		{"reserved", reserved},
		{"perf_size", limited{&c.perfSize, math.MaxUint16}},
		{"path_offset", limited{&c.pathOff, maxIPCSize}},
		{"path_size", limited{&c.pathSize, maxIPCSize}},
	}
}

func entryFields(e *ipcblock.Entry) object { return object{{"offset", &e.Offset}, {"size", &e.Size}} }

func domainFields(offset *opt, a *ipcblock.AppDomain64) object {
	return object{
		{"offset", place(offset)},
		{"mutex", &a.Mutex},
		{"total_slots", &a.TotalSlots},
		{"used_slots", &a.UsedSlots},
		{"last_freed_slot", &a.LastFreedSlot},
		{"size_in_bytes", &a.SizeInBytes},
		{"process_name_length_in_bytes", &a.ProcessNameLengthInBytes},
		{"process_name", &a.ProcessName},
		{"app_domain_list", &a.AppDomainList},
		{"lock_invalid", &a.LockInvalid},
	}
}

// ipcField is a field of a perf block.
type ipcField struct {
	field             ipcblock.Field
	section, name     string
	off, size         opt
	value             uint64
	category, counter nullable
}

func (f *ipcField) object(value any) object {
	return object{
		{"section", &f.section},
		{"field", &f.name},
		{"offset", place(&f.off)},
		{"size", place(&f.size)},
		{"value", value},
		{"category", &f.category},
		{"counter", &f.counter},
	}
}

// WriteIPCBlock writes the document of a table of IPC control blocks, or of one
// such block, to w. The table is what ipcblock.Parse makes of data. The only error
// is one of w.
func WriteIPCBlock(to io.Writer, name string, data []byte, t *ipcblock.Table, o Options) error {
	w := newWriter(to)
	w.ipcBlock(name, data, t, 0, &o)
	w.flush(len(w.b))
	return w.err
}

// ipcBlock writes the document of a table of IPC control blocks; pid is the process
// where a chunk does not say it, for the patterns.
func (w *writer) ipcBlock(name string, data []byte, t *ipcblock.Table, pid uint64, o *Options) {
	show := NewBlockFilter(o.Counters)
	used := func(yield func(*ipcblock.Chunk) bool) {
		for _, c := range t.Chunks() {
			if c.State != ipcblock.Untouched && !yield(c) {
				return
			}
		}
	}
	var explain func(*holes)
	if o.Counters == nil && o.Query == nil {
		explain = func(h *holes) { h.spans(t.Spans(), true) }
	}
	w.head("ipcblock", name, int64(len(data)), o.partial(), object{
		{"layout", t.Layout().String()},
		{"chunks", list(w, " ", used, func(c *ipcblock.Chunk) any { return w.chunk(c, t.Layout(), capture.BlockInstance(c, pid), show) })},
		{"gaps", gapsOf(w, data, explain)},
	})
	w.end(o, slices.Values([]*perfdump.Anomalies{t.Anomalies()}))
}

func (w *writer) chunk(c *ipcblock.Chunk, layout ipcblock.Layout, instance string, show BlockFilter) any {
	if c.State == ipcblock.Bad {
		return object{{"index", c.Index}, {"offset", c.Offset}, {"state", c.State.String()}}
	}
	d := new(chunkDoc)
	d.tree, d.offset = c.Tree(), num(c.Offset) // its Arch is the one that encodes
	t := &d.tree
	p := chunkParts{index: c.Index, state: c.State.String(), arch: given(t.Arch.String(), t.Arch != ipcblock.NoArch), domain: absent{}, path: absent{}}
	p.entries = list(w, "", pointers(t.Entries), func(e *ipcblock.Entry) any { return entryFields(e) })
	if c.HasPerf() {
		d.attributes, d.perfSize = num(c.Attributes()), num(uint16(c.Uint64(ipcblock.PerfSize)))
	}
	if t.AppDomain != nil {
		d.domainOff = num(c.Offset + int64(t.DomainOff))
		p.domain = domainFields(&d.domainOff, t.AppDomain)
	}
	if t.RawPath != nil {
		text := wire.EncodeUTF16(nil, t.Path)
		d.path = textOf(t.RawPath, t.Path, bytes.HasPrefix(t.RawPath, text) && wire.AllZero(t.RawPath[len(text):]))
		d.pathOff, d.pathSize, p.path = num(t.PathOff), num(len(t.RawPath)), &d.path
	}
	p.wire = d.wire(when(layout == ipcblock.SxS, c.Reserved[:]))
	p.fields = list(w, "   ", c.Fields(), func(f ipcblock.Field) any {
		if f == ipcblock.PerfSize || f == ipcblock.PerfAttributes || !shows(show, instance, f) {
			return absent{}
		}
		d := ipcField{
			section: f.Section(), name: f.Name(), off: num(c.FieldOffset(f)), size: num(f.Size(c.Arch)),
			category: nullable{f.Category(), f.Category() != ""}, counter: nullable{f.CounterName(), f.CounterName() != ""},
		}
		if f.Signed() {
			return d.object(c.Int64(f))
		}
		return d.object(c.Uint64(f))
	})
	return d.object(layout, p)
}

// shows reports whether a field feeds a counter that is chosen.
func shows(show BlockFilter, instance string, f ipcblock.Field) bool {
	if show == nil {
		return true
	}
	all := ipcblock.Counters()
	for i := range all {
		if slices.Contains(all[i].Fields(), f) && show(instance, &all[i]) {
			return true
		}
	}
	return false
}

package document

import (
	"bytes"
	"io"
	"slices"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/ipcblock"
)

// IPCBlock is a table of IPC control blocks, or one such block. The table is
// what ipcblock.Parse makes of Data.
type IPCBlock struct {
	Name  string // its name
	Data  []byte // its bytes, unpacked
	Table *ipcblock.Table
	PID   uint64 // of the process where a chunk does not tell; for the patterns
}

// WriteIPCBlock writes the document of a table of IPC control blocks to w. The
// only error is one of w.
func WriteIPCBlock(w io.Writer, in IPCBlock, o Options) error {
	d := &ipcBlockWriter{printer: newPrinter(w), in: in, o: &o, show: capture.NewBlockFilter(o.Counters)}
	d.str(`{"format":"ipcblock","file":`, in.Name)
	d.int(`,"size":`, int64(len(in.Data)))
	if o.partial() {
		d.raw(`,"partial":true`)
	}
	d.str(`,"layout":`, in.Table.Layout().String())
	d.raw(`,"chunks":[`)
	n := 0
	for _, c := range in.Table.Chunks() {
		if c.State == ipcblock.Untouched {
			continue
		}
		if n++; n > 1 {
			d.raw(",")
		}
		if d.chunk(c); !d.ok() {
			return d.err
		}
	}
	d.raw(`],"gaps":[`)
	if o.Counters == nil && o.Query == nil {
		d.gaps()
	}
	d.raw("],")
	d.anomalies(o.Limits.MaxAnomalies(), in.Table.Anomalies())
	d.flush()
	return d.err
}

type ipcBlockWriter struct {
	*printer
	in IPCBlock
	o  *Options

	show capture.BlockFilter
}

func (d *ipcBlockWriter) chunk(c *ipcblock.Chunk) {
	d.int("\n {\"index\":", int64(c.Index))
	d.int(`,"offset":`, c.Offset)
	d.str(`,"state":`, c.State.String())
	if c.State == ipcblock.Bad {
		d.raw("}")
		return
	}
	layout := d.in.Table.Layout()
	t := c.Tree() // its Arch is the one that encodes
	d.name(`,"arch":`, t.Arch.String(), t.Arch != ipcblock.NoArch)
	if layout == ipcblock.SxS {
		d.int(`,"counter":`, int64(c.Counter))
		d.u32(`,"runtime_id":`, c.RuntimeID)
	}
	if layout != ipcblock.Bare {
		d.header(c, layout)
	}
	if c.HasPerf() {
		d.u32(`,"attributes":`, uint32(c.Attributes()))
	}
	if t.AppDomain != nil {
		d.appDomain(t.AppDomain, c.Offset+int64(t.DomainOff))
	}
	if t.RawPath != nil {
		d.instancePath(&t)
	}
	d.wire(c, &t, layout)
	d.fields(c)
	d.raw("}")
}

// header writes what the headers of all layouts but the bare one hold.
func (d *ipcBlockWriter) header(c *ipcblock.Chunk, layout ipcblock.Layout) {
	d.u32(`,"version":`, uint32(c.Version))
	d.u32(`,"flags":`, uint32(c.Flags))
	d.u32(`,"block_size":`, c.BlockSize)
	if layout != ipcblock.SxS {
		d.uint(`,"hinstance":`, c.HInstance)
	}
	d.u32(`,"build_year":`, uint32(c.BuildYear))
	d.u32(",\n  \"build_number\":", uint32(c.BuildNumber))
	d.u32(`,"num_entries":`, c.NumEntries)
	d.raw(`,"entries":[`)
	for i, e := range c.Entries() {
		if i > 0 {
			d.raw(",")
		}
		d.u32(`{"offset":`, e.Offset)
		d.u32(`,"size":`, e.Size)
		d.raw("}")
	}
	d.raw("]")
}

func (d *ipcBlockWriter) appDomain(a *ipcblock.AppDomain64, off int64) {
	d.int(",\n  \"app_domain\":{\"offset\":", off)
	d.uint(`,"mutex":`, a.Mutex)
	d.int(`,"total_slots":`, int64(a.TotalSlots))
	d.int(`,"used_slots":`, int64(a.UsedSlots))
	d.int(`,"last_freed_slot":`, int64(a.LastFreedSlot))
	d.int(`,"size_in_bytes":`, int64(a.SizeInBytes))
	d.int(`,"process_name_length_in_bytes":`, int64(a.ProcessNameLengthInBytes))
	d.uint(`,"process_name":`, a.ProcessName)
	d.uint(`,"app_domain_list":`, a.AppDomainList)
	d.int(`,"lock_invalid":`, int64(a.LockInvalid))
	d.raw("}")
}

// instancePath writes the path, as hex where it does not encode back.
func (d *ipcBlockWriter) instancePath(t *ipcblock.TreeChunk) {
	d.raw(",\n  \"path\":")
	if text := wire.EncodeUTF16(nil, t.Path); bytes.HasPrefix(t.RawPath, text) && wire.AllZero(t.RawPath[len(text):]) {
		d.b = appendString(d.b, t.Path)
		return
	}
	hexText(d.printer, t.RawPath, t.Path)
}

func (d *ipcBlockWriter) wire(c *ipcblock.Chunk, t *ipcblock.TreeChunk, layout ipcblock.Layout) {
	d.raw(`,"wire":{`)
	from := len(d.b)
	key := func(name string, v uint64) {
		if len(d.b) > from {
			d.raw(",")
		}
		d.uint(`"`+name+`":`, v)
	}
	if layout == ipcblock.SxS {
		d.u32(`"reserved":[`, c.Reserved[0])
		d.u32(`,`, c.Reserved[1])
		d.raw("]")
	}
	if c.HasPerf() {
		key("perf_size", c.Uint64(ipcblock.PerfSize))
	}
	if t.RawPath != nil {
		key("path_offset", uint64(t.PathOff))
		key("path_size", uint64(len(t.RawPath)))
	}
	d.raw("}")
}

func (d *ipcBlockWriter) fields(c *ipcblock.Chunk) {
	d.raw(",\n  \"fields\":[")
	instance := capture.BlockInstance(c, d.in.PID)
	n := 0
	for f := range c.Fields() {
		if f == ipcblock.PerfSize || f == ipcblock.PerfAttributes || !d.shows(instance, f) {
			continue
		}
		if n++; n > 1 {
			d.raw(",")
		}
		d.str("\n   {\"section\":", f.Section())
		d.str(`,"field":`, f.Name())
		d.int(`,"offset":`, c.FieldOffset(f))
		d.int(`,"size":`, int64(f.Size(c.Arch)))
		if f.Signed() {
			d.int(`,"value":`, c.Int64(f))
		} else {
			d.uint(`,"value":`, c.Uint64(f))
		}
		d.name(`,"category":`, f.Category(), f.Category() != "")
		d.name(`,"counter":`, f.CounterName(), f.CounterName() != "")
		d.raw("}")
	}
	d.raw("]")
}

// shows reports whether a field feeds a counter that was asked for.
func (d *ipcBlockWriter) shows(instance string, f ipcblock.Field) bool {
	if d.show == nil {
		return true
	}
	all := ipcblock.Counters()
	for i := range all {
		if slices.Contains(all[i].Fields(), f) && d.show(instance, &all[i]) {
			return true
		}
	}
	return false
}

// gaps writes what no key holds.
func (d *ipcBlockWriter) gaps() {
	g := &gapWriter{printer: d.printer, data: d.in.Data}
	for s := range d.in.Table.Spans() {
		if !ipcblock.IsGap(s) {
			g.field(s.Off, s.Size)
		}
	}
	g.field(int64(len(g.data)), 0)
	if g.n > 0 {
		d.raw("\n")
	}
}

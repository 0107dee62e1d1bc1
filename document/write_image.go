package document

import (
	"io"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/ipcblock"
)

// WriteImage writes the document of memory that was searched for IPC control
// blocks to w: what a dump tells of the process, and each table with its place,
// its score and its own document. Such a table's document encodes; that of the
// image does not. failed is told what cannot be decoded: tables, and chunks of
// them. The only error is one of w.
func WriteImage(w io.Writer, m *capture.Image, o Options, failed func(error)) error {
	d := newPrinter(w)
	d.str(`{"format":`, string(m.Format))
	d.str(`,"file":`, m.File)
	d.int(`,"size":`, m.Size)
	if o.partial() {
		d.raw(`,"partial":true`)
	}
	own := &perfdump.Anomalies{}
	if m.Dump != nil {
		d.process(m)
		own = m.Dump.Anomalies()
	}
	d.raw(`,"tables":[`)
	n := 0
	for t, err := range m.Tables() {
		if err != nil {
			failed(err)
			continue
		}
		if n++; n > 1 {
			d.raw(",")
		}
		d.found(m, t)
		d.raw(`,"document":`)
		d.flush()
		if d.err != nil {
			return d.err
		}
		if err := WriteIPCBlock(w, IPCBlock{Name: t.Name(), Data: t.Data, Table: t.Table, PID: t.Owner()}, o); err != nil {
			return err
		}
		d.raw("}")
		for _, fault := range t.Table.Faults() {
			failed(t.Place(fault))
		}
	}
	d.raw("],")
	if m.Dropped > 0 {
		d.int(`"tables_left_out":`, int64(m.Dropped))
		d.raw(",")
	}
	d.anomalies(o.Limits.MaxAnomalies(), own)
	d.flush()
	return d.err
}

// process writes what a dump tells of its process.
func (p *printer) process(m *capture.Image) {
	p.str(`,"arch":`, m.Dump.Arch().String())
	p.raw(`,"pid":null`)
	if pid, ok := m.PID(); ok {
		p.b = p.b[:len(p.b)-len("null")]
		p.u32("", pid)
	}
	at := m.Dump.Time()
	p.name(`,"time":`, at.Format("2006-01-02T15:04:05Z"), !at.IsZero())
	p.raw(`,"modules":[`)
	n := 0
	for module := range m.Modules() {
		if n++; n > 1 {
			p.raw(",")
		}
		p.str("\n {\"name\":", module.Name)
		p.name(`,"version":`, module.FileVersion.String(), module.HasVersion)
		p.raw("}")
		if !p.ok() {
			return
		}
	}
	p.raw("]")
}

// found writes where a table is, and why it is to be trusted.
func (p *printer) found(m *capture.Image, t *capture.FoundTable) {
	p.raw("\n {\"va\":null")
	if m.Dump != nil {
		p.b = p.b[:len(p.b)-len("null")]
		p.uint("", t.Addr)
	}
	p.int(`,"offset":`, t.Offset)
	p.int(`,"score":`, int64(t.Score))
	p.raw(`,"reasons":[`)
	for i, r := range t.Reasons() {
		if i > 0 {
			p.raw(",")
		}
		p.int(`{"points":`, int64(r.Points))
		p.str(`,"text":`, r.Text)
		p.raw("}")
	}
	p.int(`],"chunks":`, int64(t.Chunks))
	p.int(`,"live":`, int64(liveChunks(t.Table)))
}

func liveChunks(t *ipcblock.Table) (n int) {
	for range t.Live() {
		n++
	}
	return n
}

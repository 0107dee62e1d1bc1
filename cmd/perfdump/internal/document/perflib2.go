package document

import (
	"io"
	"slices"

	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/perflib2"
)

// setsDoc is a block of version 2 counter sets.
type setsDoc struct {
	head                 perflib2.DataHeader
	time100, freq, total opt
	time                 timeDoc
}

func (d *setsDoc) fields(counters any) object {
	return object{
		{"perf_time", &d.head.PerfTime},
		{"perf_time_100ns", signed{&d.time100, 64}},
		{"perf_freq", signed{&d.freq, 64}},
		d.time.field(),
		{"wire", object{{"total_size", &d.total}, d.time.exactly()}},
		{"counters", counters},
	}
}

// resultDoc is a result of a block.
type resultDoc struct {
	head                        perflib2.CounterHeader
	size, idsSize, instanceSize opt
	ids                         []uint32
	instances                   part
}

func (d *resultDoc) fields(ids, instances any) object {
	var typ any = d.head.Type.String()
	if !slices.Contains(resultTypes, d.head.Type) {
		typ = uint32(d.head.Type)
	}
	return object{
		{"type", pair{typ, d.readType}},
		{"status", &d.head.Status},
		{"ids", ids},
		{"instances", instances},
		{"wire", object{{"size", &d.size}, {"reserved", &d.head.Reserved}, {"ids_size", &d.idsSize}, {"instances_size", &d.instanceSize}}},
	}
}

var resultTypes = []perflib2.ResultType{
	perflib2.ErrorResult, perflib2.SingleCounter, perflib2.MultiCounters, perflib2.MultiInstance, perflib2.CounterSet,
}

func hasIDs(t perflib2.ResultType) bool {
	return t == perflib2.MultiCounters || t == perflib2.CounterSet
}

func hasInstances(t perflib2.ResultType) bool {
	return t == perflib2.MultiInstance || t == perflib2.CounterSet
}

// setInstanceDoc is an instance of a result.
type setInstanceDoc struct {
	name             bytesOrText
	id               uint32
	named            bool // has an id
	size             opt
	dataSizes, sizes []uint32
	values           []valueDoc // that are read
}

func (d *setInstanceDoc) fields(values, dataSizes, sizes any) object {
	return object{
		{"name", &d.name},
		{"id", pair{given(d.id, d.named), d.readID}},
		{"values", values},
		{"wire", object{{"size", &d.size}, {"data_sizes", dataSizes}, {"sizes", sizes}}},
	}
}

// WritePerfLib2 writes the document of a block of version 2 counter sets, which is
// parsed from data, to w. The only error is one of w.
func WritePerfLib2(to io.Writer, name string, data []byte, b *perflib2.Block, o Options) error {
	w := newWriter(to)
	d := setsDoc{
		head: b.DataHeader, time100: num(b.PerfTime100ns), freq: num(b.PerfFreq), time: timeOf(b.SystemTime), total: num(b.TotalSize),
	}
	var explain func(*holes)
	results := func(yield func(func()) bool) {
		c := choice{patterns: o.Counters}
		for i, r := range b.Results() {
			if c.result(i, r) && !yield(func() { w.result(data, r, &c) }) {
				return
			}
		}
	}
	if o.Counters == nil {
		explain = func(h *holes) { h.spans(b.Spans(), false) }
	}
	return w.document(&o, "perflib2", name, int64(len(data)), o.partial() || len(slices.Collect(b.Faults())) > 0,
		append(d.fields(list(w, " ", results, func(f func()) any { return f })), field{"gaps", gapsOf(w, data, explain)}), b.Anomalies())
}

func (w *writer) result(data []byte, r perflib2.Result, c *choice) {
	d := resultDoc{head: r.CounterHeader, size: num(r.Size)}
	ids := []uint32{}
	if hasIDs(r.Type) {
		for j := range r.NumCounters() {
			if c.counter(j) {
				ids = append(ids, r.ID(j))
			}
		}
	}
	at := int64(r.Offset() + resultHeaderSize)
	if hasIDs(r.Type) && at+pairSize <= int64(len(data)) {
		d.idsSize = num(wire.U32(data, int(at)))
		at += align8(d.idsSize.v)
	}
	if hasInstances(r.Type) && at+pairSize <= int64(len(data)) { // else it was cut
		d.instanceSize = num(wire.U32(data, int(at)))
	}
	instances := func(yield func(perflib2.Instance) bool) {
		for i, in := range r.Instances() {
			if c.instance(i) && !yield(in) {
				return
			}
		}
	}
	w.value(d.fields(ids, list(w, "  ", instances, func(in perflib2.Instance) any { return w.setInstance(data, in, c) })))
}

func (w *writer) setInstance(data []byte, in perflib2.Instance, c *choice) object {
	d := setInstanceDoc{id: in.ID, named: in.Named}
	if in.Named {
		d.name = wholeOf(in.RawName, 0, in.Name())
		d.size = num(wire.U32(data, in.Off))
	}
	var values []any
	for j, v := range in.Values() {
		if !c.counter(j) {
			continue
		}
		d.dataSizes, d.sizes = append(d.dataSizes, uint32(len(v.Raw))), append(d.sizes, wire.U32(data, v.Off-4))
		var value any = func() { w.bytes(v.Raw) }
		if n, ok := v.Uint64(); ok {
			value = n
		}
		values = append(values, value)
	}
	return d.fields(values, d.dataSizes, d.sizes)
}

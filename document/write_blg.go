package document

import (
	"io"
	"slices"
	"time"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/pdhpath"
)

// BLG is a binary log.
type BLG struct {
	Name string // its name
	Log  *blg.File
}

// WriteBLG writes the document of a binary log to w: what it is a log of, not
// its samples, which are rows. The machine is that of the first item; times are
// null where there is no record, and utc_offset_minutes, UTC less local time at
// the start, where the log does not say it. The only error is one of w.
func WriteBLG(w io.Writer, in BLG, o Options) error {
	d := newPrinter(w)
	d.raw(`{"format":"blg"`)
	d.str(`,"file":`, in.Name)
	d.int(`,"size":`, in.Log.Size())
	if o.partial() {
		d.raw(`,"partial":true`)
	}
	items := in.Log.Items()
	machine := ""
	if len(items) > 0 {
		machine = items[0].Path.Machine
	}
	d.name(`,"machine":`, machine, machine != "")
	d.int(`,"records":`, in.Log.NumRecords())
	some := in.Log.NumRecords() > 0
	d.time(`,"start":`, in.Log.Start().Time(), some)
	d.time(`,"end":`, in.Log.End().Time(), some)
	if start := in.Log.Start(); some && start.Source != blg.OffsetNone {
		d.int(`,"utc_offset_minutes":`, int64(start.Offset/time.Minute))
	} else {
		d.raw(`,"utc_offset_minutes":null`)
	}
	d.raw(`,"items":[`)
	n := 0
	for i := range items {
		if !d.ok() {
			break
		}
		it := &items[i]
		if !o.choosesItem(it) {
			continue
		}
		if n++; n > 1 {
			d.raw(",")
		}
		d.str("\n {\"path\":", it.Path.String())
		d.name(`,"type":`, it.CounterType.String(), it.Kind != blg.Object && it.Kind != blg.CounterSet)
		d.int(`,"time_base":`, it.TimeBase)
		d.int(`,"scale":`, int64(it.DefaultScale))
		d.str(`,"kind":`, it.Kind.String())
		d.raw("}")
	}
	titles := 0
	for _, t := range in.Log.Titles() {
		titles += t.Table.Len()
	}
	d.int(`],"titles":`, int64(titles))
	d.raw(`,"lost":{`)
	n = 0
	for reason, count := range in.Log.Lost().All() {
		if n++; n > 1 {
			d.raw(",")
		}
		d.str("", reason.String())
		d.int(":", count)
	}
	d.raw("},")
	d.anomalies(o.Limits.MaxAnomalies(), in.Log.Anomalies())
	d.flush()
	return d.err
}

// choosesItem reports whether one of the patterns is for an item. A whole object
// or counter set has all its counters.
func (o *Options) choosesItem(it *blg.Item) bool {
	names := o.both(it.Path.Object, 0, it.Path.Counter, 0)
	return o.Counters == nil || slices.ContainsFunc(o.Counters, func(p *pdhpath.Pattern) bool {
		return slices.ContainsFunc(names, func(name named) bool {
			return p.MatchObject(name.object) && (it.Kind == blg.Object || it.Kind == blg.CounterSet || p.MatchCounter(name.counter))
		})
	})
}

// time writes a time, null where there is none.
func (p *printer) time(key string, t time.Time, ok bool) {
	p.name(key, t.UTC().Format("2006-01-02T15:04:05.000Z07:00"), ok)
}

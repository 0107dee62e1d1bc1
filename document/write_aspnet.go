package document

import (
	"io"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
	"github.com/perfdump/perfdump/pdhpath"
)

// ASPNet is a vector of ASP.NET's counters.
type ASPNet struct {
	Name   string // its name
	Vector *aspnet.Vector
}

// WriteASPNet writes the document of a vector of ASP.NET's counters to w:
// each counter that shows one of its DWORDs, by its object in perfmon. The
// name and the type of a counter are null where they are not public. The only
// error is one of w.
func WriteASPNet(w io.Writer, in ASPNet, o Options) error {
	d := newPrinter(w)
	version := in.Vector.Version().String()
	d.str(`{"format":`, "aspnet:"+version)
	d.str(`,"file":`, in.Name)
	d.int(`,"size":`, int64(len(in.Vector.Bytes())))
	if o.partial() {
		d.raw(`,"partial":true`)
	}
	d.str(`,"version":`, version)
	d.raw(`,"counters":[`)
	n := 0
	for c, value := range in.Vector.Values() {
		if !o.chooses(capture.VectorObject(c.Scope), 0, capture.VectorName(c), 0) {
			continue
		}
		if n++; n > 1 {
			d.raw(",")
		}
		d.int("\n {\"index\":", int64(c.Index))
		d.int(`,"offset":`, int64(4*c.Index))
		d.str(`,"scope":`, c.Scope.String())
		d.str(`,"object":`, capture.VectorObject(c.Scope))
		d.str(`,"symbol":`, c.Symbol)
		d.name(`,"name":`, c.Name, c.Name != "")
		d.name(`,"type":`, c.Type.String(), c.Name != "")
		d.u32(`,"value":`, value)
		d.raw("}")
	}
	d.raw("],")
	d.anomalies(0, &perfdump.Anomalies{})
	d.flush()
	return d.err
}

// chooses reports whether one of the patterns is for a counter.
func (o *Options) chooses(object string, objectIndex uint32, counter string, index uint32) bool {
	names := o.both(object, objectIndex, counter, index)
	return o.Counters == nil || slices.ContainsFunc(o.Counters, func(p *pdhpath.Pattern) bool {
		return slices.ContainsFunc(names, func(name named) bool { return p.MatchObject(name.object) && p.MatchCounter(name.counter) })
	})
}

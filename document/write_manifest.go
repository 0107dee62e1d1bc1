package document

import (
	"io"

	"github.com/perfdump/perfdump/manifest"
)

// Manifest is the counters of an instrumentation manifest.
type Manifest struct {
	Name string // of the file
	Size int64  // its bytes, unpacked
	*manifest.Manifest
}

// WriteManifest writes the document of a manifest to w. It does not hold every
// byte and cannot be encoded. The only error is one of w.
func WriteManifest(w io.Writer, in Manifest, o Options) error {
	p := newPrinter(w)
	p.head("manifest", in.Name, in.Size)
	p.str(`,"encoding":`, in.Encoding())
	p.known(`,"schema_version":`, in.SchemaVersion)
	p.raw(`,"providers":[`)
	providers := list{p: p}
	for i := range in.Providers {
		v := &in.Providers[i]
		providers.next()
		p.str(`{"name":`, v.Name)
		p.known(`,"guid":`, v.GUID)
		p.known(`,"application":`, v.Application)
		p.known(`,"type":`, v.Type)
		p.known(`,"symbol":`, v.Symbol)
		p.known(`,"callback":`, v.Callback)
		p.raw(`,"counter_sets":[`)
		sets := list{p: p}
		for j := range v.CounterSets {
			sets.next()
			p.counterSet(&v.CounterSets[j])
			if !sets.end(v.CounterSets[j].Line) {
				return p.err
			}
		}
		p.raw("]")
		if !providers.end(v.Line) {
			return p.err
		}
	}
	p.raw("],")
	p.anomalies(o.Limits.MaxAnomalies(), in.Anomalies())
	p.flush()
	return p.err
}

// counterSet writes a counter set but for its line, which closes it.
func (p *printer) counterSet(s *manifest.CounterSet) {
	p.known(`{"name":`, s.Name)
	p.known(`,"guid":`, s.GUID)
	p.known(`,"uri":`, s.URI)
	p.known(`,"description":`, s.Description)
	p.known(`,"symbol":`, s.Symbol)
	p.known(`,"instances":`, s.Instances)
	p.raw(`,"counters":[`)
	counters := list{p: p}
	for i := range s.Counters {
		c := &s.Counters[i]
		counters.next()
		p.u32(`{"id":`, c.ID)
		p.known(`,"name":`, c.Name)
		p.known(`,"uri":`, c.URI)
		p.known(`,"description":`, c.Description)
		p.known(`,"symbol":`, c.Symbol)
		if c.Known {
			p.str(`,"type":`, c.Type.String())
		} else {
			p.known(`,"type":`, c.TypeName)
		}
		p.known(`,"detail_level":`, c.DetailLevel)
		p.given(`,"base":`, c.Base.ID, c.Base.Given)
		p.given(`,"perf_time":`, c.PerfTime.ID, c.PerfTime.Given)
		p.given(`,"perf_freq":`, c.PerfFreq.ID, c.PerfFreq.Given)
		p.given(`,"multi_counter":`, c.MultiCounter.ID, c.MultiCounter.Given)
		p.known(`,"aggregate":`, c.Aggregate)
		p.known(`,"scale":`, c.Scale)
		p.known(`,"struct":`, c.Struct)
		p.known(`,"field":`, c.Field)
		p.raw(`,"attributes":`)
		p.strings(c.Attributes)
		if !counters.end(c.Line) {
			return
		}
	}
	p.raw("]")
}

package document

import (
	"bytes"
	"io"

	"github.com/perfdump/perfdump/checkmk"
)

// Checkmk is the output of Checkmk agents.
type Checkmk struct {
	Name string // its name
	Data []byte
	Read checkmk.Options // how it is read
}

// WriteCheckmk writes the document of what agents have sent to w: each section
// of counters as it stands, with names for its title indexes. The names and
// types are null where they are not known. The error is one of w, or what is wrong
// with the input; then nothing is written.
func WriteCheckmk(w io.Writer, in Checkmk, o Options) error {
	whole := checkmk.NewReader(bytes.NewReader(in.Data), in.Read)
	for _, err := range whole.Sections() {
		if err != nil {
			return err // no half document stands before it
		}
	}
	d := newPrinter(w)
	d.raw(`{"format":"checkmk"`)
	d.str(`,"file":`, in.Name)
	d.int(`,"size":`, int64(len(in.Data)))
	if o.partial() {
		d.raw(`,"partial":true`)
	}
	d.raw(`,"sections":[`)
	names := o.names()
	r := checkmk.NewReader(bytes.NewReader(in.Data), in.Read)
	n := 0
	for s, err := range r.Sections() {
		if err != nil || !d.ok() {
			break
		}
		if n++; n > 1 {
			d.raw(",")
		}
		d.section(s, names, &o)
	}
	d.raw("],")
	d.anomalies(o.Limits.MaxAnomalies(), r.Anomalies())
	d.flush()
	return d.err
}

func (p *printer) section(s *checkmk.Section, names Names, o *Options) {
	p.int("\n {\"offset\":", s.Off)
	p.name(`,"host":`, s.Host, s.Host != "")
	p.str(`,"name":`, s.Name)
	p.name(`,"options":`, s.Options, s.Options != "")
	t, ok := s.Time()
	p.time(`,"time":`, t, ok)
	p.u32(`,"object_index":`, s.Object)
	object, ok := names.Lookup(s.Object)
	p.name(`,"object":`, object, ok)
	if s.HasFrequency {
		p.int(`,"frequency":`, s.Frequency)
	} else {
		p.raw(`,"frequency":null`)
	}
	if s.HasInstances {
		p.raw(`,"instances":[`)
		for i, name := range s.Instances {
			if i > 0 {
				p.raw(",")
			}
			writeString(p, name)
		}
		p.raw("]")
	} else {
		p.raw(`,"instances":null`)
	}
	p.raw(`,"counters":[`)
	n := 0
	for i := range s.Counters {
		c := &s.Counters[i]
		name, ok := names.Lookup(c.Index)
		if !o.chooses(object, s.Object, name, c.Index) {
			continue
		}
		if n++; n > 1 {
			p.raw(",")
		}
		p.u32("\n  {\"index\":", c.Index)
		p.name(`,"name":`, name, ok)
		p.str(`,"word":`, c.Word)
		p.name(`,"type":`, c.Type.String(), c.HasType)
		p.raw(`,"values":[`)
		for k, v := range c.Values {
			if k > 0 {
				p.raw(",")
			}
			p.uint("", v)
		}
		p.raw("]}")
	}
	p.raw("]}")
}

package document

import (
	"bytes"
	"io"
	"strings"

	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

// Reg is a .reg file: what registry.ParseReg makes of its bytes, and the view
// of it.
type Reg struct {
	Name string // of the file
	*registry.Reg
	View *registry.View
}

// WriteReg writes the document of a .reg file to w. The only error is one of w.
func WriteReg(w io.Writer, in Reg, o Options) error {
	p := newPrinter(w)
	text := in.Text()
	p.head("reg", in.Name, int64(len(text.Bytes())))
	p.raw(",")
	p.lines(text)
	p.str(`,"version":`, in.Version().String())
	p.regKeys(in.Reg)
	p.view(in.View)
	p.raw(",")
	p.anomalies(o.Limits.MaxAnomalies(), in.View.Anomalies())
	p.flush()
	return p.err
}

// regKeys writes the keys with their values, in the order of the file. One
// that stands there twice is there twice.
func (p *printer) regKeys(r *registry.Reg) {
	p.raw(`,"keys":[`)
	keys, values := list{p: p}, 0
	for e := range r.Entries() {
		if !p.ok() {
			return
		}
		if e.Key {
			if keys.n > 0 {
				p.raw("]}")
			}
			keys.next()
			p.str(`{"path":`, e.Path)
			p.bool(`,"deleted":`, e.Deleted)
			p.int(`,"line":`, int64(e.Line))
			p.raw(`,"values":[`)
			values = 0
			continue
		}
		if keys.n == 0 {
			continue // no key is open, and then it is no entry
		}
		if values++; values > 1 {
			p.raw(",")
		}
		p.str("\n  {\"name\":", e.Value.Name)
		if e.Deleted {
			p.raw(`,"deleted":true,"type":null,"data":null`)
		} else {
			p.str(`,"type":`, e.Value.Type.String())
			p.raw(`,"data":`)
			p.data(&e.Value)
		}
		p.int(`,"line":`, int64(e.Line))
		p.raw("}")
	}
	if keys.n > 0 {
		p.raw("]}")
	}
	p.raw("]")
}

// data writes the data of a value: a text, a number or a list of texts where
// that says all of it, else the bytes.
func (p *printer) data(v *registry.Value) {
	if v == nil {
		p.raw("null")
		return
	}
	if s, ok := v.Text(); ok {
		if whole(v.Data, s) {
			writeString(p, s)
			return
		}
		hexText(p, v.Data, s)
		return
	}
	if members, ok := v.List(); ok && whole(v.Data, strings.Join(append(members, ""), "\x00")) {
		p.strings(members)
		return
	}
	if n, ok := v.Uint64(); ok {
		p.uint("", n)
		return
	}
	p.raw(`{"hex":`)
	p.hex(v.Data)
	p.raw("}")
}

// whole reports whether data are the text s and the NUL that ends it, and no
// more. An empty text may do without.
func whole(data []byte, s string) bool {
	b := wire.EncodeUTF16(nil, s)
	rest, ok := bytes.CutPrefix(data, b)
	return ok && (len(rest) == 0 && len(b) == 0 || bytes.Equal(rest, []byte{0, 0}))
}

func (p *printer) strings(list []string) {
	p.raw("[")
	for i, s := range list {
		if i > 0 {
			p.raw(",")
		}
		writeString(p, s)
		if !p.ok() {
			return
		}
	}
	p.raw("]")
}

// Hive is a file of the registry, and the view of it.
type Hive struct {
	Name string // of the file
	*registry.Hive
	View *registry.View
}

// WriteHive writes the document of a hive to w: what it says of counters. It
// does not hold every byte and cannot be encoded. The only error is one of w.
func WriteHive(w io.Writer, in Hive, o Options) error {
	p := newPrinter(w)
	p.head("hive", in.Name, in.Size())
	if o.partial() {
		p.raw(`,"partial":true`)
	}
	p.view(in.View)
	p.raw(",")
	p.anomalies(o.Limits.MaxAnomalies(), in.View.Anomalies())
	p.flush()
	return p.err
}

// view writes what the registry says of counters.
func (p *printer) view(v *registry.View) {
	p.known(`,"computer":`, v.Computer)
	p.known(`,"control_set":`, v.ControlSet)
	p.raw(`,"providers":[`)
	l := list{p: p}
	for i := range v.Providers {
		l.next()
		p.provider(&v.Providers[i])
		if !p.ok() {
			return
		}
	}
	p.raw(`],"perflib":`)
	if v.Perflib == nil {
		p.raw("null")
		return
	}
	p.number(`{"base_index":`, v.Perflib.Value(registry.BaseIndex))
	p.number(`,"last_counter":`, v.Perflib.Value(registry.LastCounter))
	p.number(`,"last_help":`, v.Perflib.Value(registry.LastHelp))
	p.raw(`,"languages":`)
	var languages []string
	for i := range v.Perflib.Languages {
		languages = append(languages, v.Perflib.Languages[i].ID)
	}
	p.strings(languages)
	p.raw("}")
}

func (p *printer) provider(v *registry.Provider) {
	p.str(`{"service":`, v.Service)
	p.number(`,"first_counter":`, v.Value(registry.FirstCounter))
	p.number(`,"last_counter":`, v.Value(registry.LastCounter))
	p.number(`,"first_help":`, v.Value(registry.FirstHelp))
	p.number(`,"last_help":`, v.Value(registry.LastHelp))
	for _, text := range []struct{ key, name string }{
		{`,"library":`, registry.Library}, {`,"open":`, registry.Open}, {`,"collect":`, registry.Collect}, {`,"close":`, registry.Close},
	} {
		s, ok := v.Value(text.name).Text()
		p.name(text.key, s, ok)
	}
	p.raw(`,"object_list":[`)
	indexes, _ := v.ObjectList()
	for i, n := range indexes {
		if i > 0 {
			p.raw(",")
		}
		p.u32("", n)
	}
	p.u32(`],"disabled":`, v.Disabled())
	p.raw(`,"export":`)
	p.strings(v.Export())
	s, ok := v.Value(registry.PerfIniFile).Text()
	p.name(`,"ini_file":`, s, ok)
	p.raw(`,"values":{`)
	if v.Performance != nil {
		for i := range v.Performance.Values {
			if i > 0 {
				p.raw(",")
			}
			value := &v.Performance.Values[i]
			writeString(p, value.Name)
			p.raw(":")
			if p.data(value); !p.ok() {
				return
			}
		}
	}
	p.raw("}}")
}

// number writes a number of 32 bits, null where the value is none.
func (p *printer) number(key string, v *registry.Value) {
	n, ok := v.Uint32()
	if !ok {
		p.raw(key)
		p.raw("null")
		return
	}
	p.u32(key, n)
}

package document

import (
	"bytes"
	"io"
	"strings"

	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

// WriteReg writes the document of a .reg file and of the view of it to w. The only
// error is one of w.
func WriteReg(to io.Writer, name string, r *registry.Reg, v *registry.View, o Options) error {
	w := newWriter(to)
	return w.linesDocument(&o, "reg", name, r, textlines.Options{}, append(object{
		{"version", r.Version().String()}, {"keys", func() { w.regKeys(r) }},
	}, w.view(v)...), v.Anomalies())
}

// regKeys writes the keys with their values, in the order of the file. One
// that occurs twice is there twice.
func (w *writer) regKeys(r *registry.Reg) {
	w.raw("[")
	open := false
	for e := range r.Entries() {
		switch v := &e.Value; {
		case !w.ok():
		case e.Key:
			if open {
				w.raw("]}")
			}
			open = true
			w.line(" ")
			w.raw("{")
			w.fields(object{{"path", e.Path}, {"deleted", e.Deleted}, {"line", e.Line}})
			w.key("values")
			w.raw("[")
		case open: // else it is no entry
			w.line("  ")
			if e.Deleted {
				w.value(object{{"name", v.Name}, {"deleted", true}, {"type", nil}, {"data", nil}, {"line", e.Line}})
			} else {
				w.value(object{{"name", v.Name}, {"type", v.Type.String()}, {"data", w.data(v)}, {"line", e.Line}})
			}
		}
	}
	if open {
		w.raw("]}")
	}
	w.raw("]")
}

// data returns the data of a value: a text, a number or a list of texts where
// that says all of it, else the bytes.
func (w *writer) data(v *registry.Value) any {
	if s, ok := v.Text(); ok {
		t := textOf(v.Data, s, whole(v.Data, s))
		return &t
	}
	if members, ok := v.List(); ok && whole(v.Data, strings.Join(append(members, ""), "\x00")) {
		return members
	}
	if n, ok := v.Uint64(); ok {
		return n
	}
	return func() { w.bytes(v.Data) }
}

// whole reports whether data are the text s and the NUL that ends it, and no
// more. An empty text may do without.
func whole(data []byte, s string) bool {
	b := wire.EncodeUTF16(nil, s)
	rest, ok := bytes.CutPrefix(data, b)
	return ok && (len(rest) == 0 && len(b) == 0 || bytes.Equal(rest, []byte{0, 0}))
}

// WriteHive writes the document of a hive and of the view of it to w: what it says
// of counters. It does not hold every byte and cannot be encoded. The only error is
// one of w.
func WriteHive(to io.Writer, name string, h *registry.Hive, v *registry.View, o Options) error {
	w := newWriter(to)
	return w.document(&o, "hive", name, h.Size(), o.partial(), w.view(v), v.Anomalies())
}

// view returns what the registry says of counters.
func (w *writer) view(v *registry.View) object {
	var perflib any
	if p := v.Perflib; p != nil {
		var languages []string
		for i := range p.Languages {
			languages = append(languages, p.Languages[i].ID)
		}
		perflib = object{
			{"base_index", dword(p.Value(registry.BaseIndex))},
			{"last_counter", dword(p.Value(registry.LastCounter))},
			{"last_help", dword(p.Value(registry.LastHelp))},
			{"languages", languages},
		}
	}
	return object{
		{"computer", text(v.Computer)},
		{"control_set", text(v.ControlSet)},
		{"providers", list(w, " ", pointers(v.Providers), w.provider)},
		{"perflib", perflib},
	}
}

func (w *writer) provider(v *registry.Provider) any {
	indexes, _ := v.ObjectList()
	var values dictionary
	if v.Performance != nil {
		for i := range v.Performance.Values {
			value := &v.Performance.Values[i]
			values = append(values, field{value.Name, w.data(value)})
		}
	}
	return object{
		{"service", v.Service},
		{"first_counter", dword(v.Value(registry.FirstCounter))},
		{"last_counter", dword(v.Value(registry.LastCounter))},
		{"first_help", dword(v.Value(registry.FirstHelp))},
		{"last_help", dword(v.Value(registry.LastHelp))},
		{"library", words(v.Value(registry.Library))},
		{"open", words(v.Value(registry.Open))},
		{"collect", words(v.Value(registry.Collect))},
		{"close", words(v.Value(registry.Close))},
		{"object_list", indexes},
		{"disabled", v.Disabled()},
		{"export", v.Export()},
		{"ini_file", words(v.Value(registry.PerfIniFile))},
		{"values", values},
	}
}

// dword is a number of 32 bits, null if the value is none.
func dword(v *registry.Value) any {
	n, ok := v.Uint32()
	return given(n, ok)
}

// words is a text, null if the value is none.
func words(v *registry.Value) any {
	s, ok := v.Text()
	return given(s, ok)
}

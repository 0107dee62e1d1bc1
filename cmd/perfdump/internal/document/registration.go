package document

import (
	"io"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/manifest"
	"github.com/perfdump/perfdump/symbolh"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// WriteINIFile writes the document of an .ini file that registers counters to w.
// The only error is one of w.
func WriteINIFile(to io.Writer, name string, f *inifile.File, o Options) error {
	w := newWriter(to)
	return w.linesDocument(&o, "inifile", name, f, textlines.Options{}, object{
		{"driver_name", text(f.DriverName())},
		{"symbol_file", text(f.SymbolFile())},
		{"trusted", f.Trusted()},
		{"languages", list(w, " ", f.Languages(), func(v inifile.Language) any {
			return object{{"id", v.ID}, {"name", v.Name}, {"line", v.Line}}
		})},
		{"objects", list(w, " ", f.Objects(), func(v inifile.Object) any {
			return object{{"symbol", v.Symbol}, {"language", v.Language}, {"line", v.Line}}
		})},
		{"texts", list(w, " ", f.Texts(), func(v inifile.Text) any {
			return object{{"symbol", v.Symbol}, {"language", v.Language}, {"kind", v.Kind.String()}, {"text", v.Text}, {"line", v.Line}}
		})},
	}, f.Anomalies())
}

// WriteSymbolH writes the document of a symbol file to w. The only error is one
// of w.
func WriteSymbolH(to io.Writer, name string, f *symbolh.File, o Options) error {
	w := newWriter(to)
	return w.linesDocument(&o, "symbolh", name, f, textlines.Options{}, object{
		{"defines", list(w, " ", f.Defines(), func(v symbolh.Define) any {
			var value any
			switch v.Kind {
			case symbolh.Decimal:
				value = v.Offset
			case symbolh.None:
			default:
				value = v.Value
			}
			return object{{"name", v.Name}, {"value", value}, {"line", v.Line}}
		})},
	}, f.Anomalies())
}

// WritePerfStrings writes the document of a backup of counter names, which is
// parsed from data, to w. The only error is one of w.
func WritePerfStrings(to io.Writer, name string, f *perfstrings.File, o Options) error {
	w := newWriter(to)
	var perflib any
	if v := f.Perflib(); v.Line > 0 {
		perflib = object{{"base_index", number(v.BaseIndex)}, {"last_counter", number(v.LastCounter)}, {"last_help", number(v.LastHelp)}, {"line", v.Line}}
	}
	var strings dictionary
	for _, l := range f.Languages() {
		strings = append(strings, field{l.ID, l.Count})
	}
	return w.linesDocument(&o, "perfstrings", name, f, textlines.Options{OnlyCRLF: f.OnlyCRLF()}, object{
		{"perflib", perflib},
		{"providers", list(w, " ", f.Providers(), func(v perfstrings.Provider) any {
			return object{
				{"service", v.Name},
				{"first_counter", number(v.FirstCounter)},
				{"last_counter", number(v.LastCounter)},
				{"first_help", number(v.FirstHelp)},
				{"last_help", number(v.LastHelp)},
				{"disabled", number(v.Disabled)},
				{"line", v.Line},
			}
		})},
		{"strings", strings},
	}, f.Anomalies())
}

func number(n perfstrings.Number) any { return given(n.Value, n.Given) }

// WriteManifest writes the document of the counters in an instrumentation
// manifest, whose file has a size, to w. It does not hold every byte and cannot be
// encoded. The only error is one of w.
func WriteManifest(to io.Writer, name string, size int64, m *manifest.Manifest, o Options) error {
	w := newWriter(to)
	counter := func(c *manifest.Counter) any {
		var typ any = text(c.TypeName)
		if c.Known {
			typ = c.Type.String()
		}
		return object{
			{"id", c.ID},
			{"name", text(c.Name)},
			{"uri", text(c.URI)},
			{"description", text(c.Description)},
			{"symbol", text(c.Symbol)},
			{"type", typ},
			{"detail_level", text(c.DetailLevel)},
			{"base", given(c.Base.ID, c.Base.Given)},
			{"perf_time", given(c.PerfTime.ID, c.PerfTime.Given)},
			{"perf_freq", given(c.PerfFreq.ID, c.PerfFreq.Given)},
			{"multi_counter", given(c.MultiCounter.ID, c.MultiCounter.Given)},
			{"aggregate", text(c.Aggregate)},
			{"scale", text(c.Scale)},
			{"struct", text(c.Struct)},
			{"field", text(c.Field)},
			{"attributes", c.Attributes},
			{"line", c.Line},
		}
	}
	set := func(s *manifest.CounterSet) any {
		return object{
			{"name", text(s.Name)},
			{"guid", text(s.GUID)},
			{"uri", text(s.URI)},
			{"description", text(s.Description)},
			{"symbol", text(s.Symbol)},
			{"instances", text(s.Instances)},
			{"counters", list(w, " ", pointers(s.Counters), counter)},
			{"line", s.Line},
		}
	}
	return w.document(&o, "manifest", name, size, false, object{
		{"encoding", m.Encoding()},
		{"schema_version", text(m.SchemaVersion)},
		{"providers", list(w, " ", pointers(m.Providers), func(v *manifest.Provider) any {
			return object{
				{"name", v.Name},
				{"guid", text(v.GUID)},
				{"application", text(v.Application)},
				{"type", text(v.Type)},
				{"symbol", text(v.Symbol)},
				{"callback", text(v.Callback)},
				{"counter_sets", list(w, " ", pointers(v.CounterSets), set)},
				{"line", v.Line},
			}
		})},
	}, m.Anomalies())
}

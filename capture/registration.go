package capture

import (
	"bytes"
	"io"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/manifest"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/symbolh"
)

// Fact is something that is told of a file: a key of the JSON of info, and a
// string, a bool, an int, a uint32, a []string, or nil for what is not known.
type Fact struct {
	Key   string
	Value any
}

// ParseINI reads an .ini file that registers counters, with the errors of
// [inifile.Parse].
func ParseINI(b []byte, o Options) (*inifile.File, error) {
	return inifile.Parse(b, inifile.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage})
}

// ParseSymbols reads the symbol file of an .ini file, with the errors of
// [symbolh.Parse].
func ParseSymbols(b []byte, o Options) (*symbolh.File, error) {
	return symbolh.Parse(b, symbolh.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage})
}

// ParseManifest reads the counters of an instrumentation manifest, with the
// errors of [manifest.Parse].
func ParseManifest(b []byte, o Options) (*manifest.Manifest, error) {
	return manifest.Parse(b, manifest.Options{Mode: o.Mode, Limits: o.Limits})
}

func (o Options) registry() registry.Options {
	return registry.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage}
}

// ParseReg reads a .reg file and what it says of counters, with the errors of
// [registry.ParseReg] and [registry.Reg.View].
func ParseReg(b []byte, o Options) (*registry.Reg, *registry.View, error) {
	r, err := registry.ParseReg(b, o.registry())
	if err != nil {
		return nil, nil, err
	}
	v, err := r.View()
	return r, v, err
}

// OpenHive reads a file of the registry and what it says of counters, with the
// errors of [registry.NewHive] and [registry.Hive.View].
func OpenHive(in *detect.Input, o Options) (*registry.Hive, *registry.View, error) {
	var r io.ReaderAt = in.At
	if in.At == nil {
		r = bytes.NewReader(in.Data)
	}
	h, err := registry.NewHive(r, in.Size(), o.registry())
	if err != nil {
		return nil, nil, err
	}
	v, err := h.View()
	return h, v, err
}

// registration is a file that registers counters, in whichever format.
type registration struct {
	facts     func() []Fact
	anomalies *perfdump.Anomalies
	faults    []*perfdump.FormatError
}

// registers reports whether files of a format register counters.
func registers(f detect.Format) bool {
	switch f {
	case detect.INIFile, detect.SymbolH, detect.Reg, detect.Hive, detect.Manifest:
		return true
	default:
		return false
	}
}

func readRegistration(in *detect.Input, o Options) (*registration, error) {
	switch in.Format {
	case detect.INIFile:
		f, err := ParseINI(in.Data, o)
		if err != nil {
			return nil, err
		}
		return &registration{facts: func() []Fact { return iniFacts(f) }, anomalies: f.Anomalies()}, nil
	case detect.SymbolH:
		f, err := ParseSymbols(in.Data, o)
		if err != nil {
			return nil, err
		}
		return &registration{facts: func() []Fact { return symbolFacts(f) }, anomalies: f.Anomalies()}, nil
	case detect.Manifest:
		m, err := ParseManifest(in.Data, o)
		if err != nil {
			return nil, err
		}
		return &registration{facts: func() []Fact { return manifestFacts(m) }, anomalies: m.Anomalies()}, nil
	case detect.Reg:
		r, v, err := ParseReg(in.Data, o)
		if err != nil {
			return nil, err
		}
		return &registration{func() []Fact { return append(regFacts(r), viewFacts(v)...) }, v.Anomalies(), v.Faults()}, nil
	default:
		h, v, err := OpenHive(in, o)
		if err != nil {
			return nil, err
		}
		facts := func() []Fact {
			base := h.BaseBlock()
			return append([]Fact{{"version", dotted(base.Major, base.Minor)}}, viewFacts(v)...)
		}
		return &registration{facts, v.Anomalies(), v.Faults()}, nil
	}
}

func (s *Summary) registration(in *detect.Input, o Options, counts map[perfdump.Code]int) {
	r, err := readRegistration(in, o)
	if err != nil {
		s.fail(err)
		return
	}
	s.Facts = r.facts()
	s.Errors = append(s.Errors, r.faults...)
	count(counts, r.anomalies)
}

// checkRegistration goes on after an error of a hive as far as salvage mode
// does.
func checkRegistration(in *detect.Input, o Options, yield func(Finding) bool) {
	strict := o.Mode == perfdump.Strict
	o.Mode = perfdump.Salvage
	r, err := readRegistration(in, o)
	if err != nil {
		yieldError(err, yield)
		return
	}
	for _, fault := range r.faults {
		if !yieldError(fault, yield) {
			return
		}
	}
	yieldAnomalies(r.anomalies, strict, yield)
}

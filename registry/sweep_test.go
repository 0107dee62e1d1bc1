package registry_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

// TestSweepOfHives damages each place of a small hive: what is told, and all
// that can be read, is what testdata has. To review a change, look the lines of
// text up in docs/registration.md.
func TestSweepOfHives(t *testing.T) {
	b := hive(
		hkey{name: "Select", values: []hval{dword("Current", 1)}},
		hkey{name: "ControlSet001", list: "lh", keys: []hkey{
			{name: "Services", list: "ri", keys: []hkey{
				{name: "A", keys: []hkey{{name: "Performance", values: []hval{dword("First Counter", 2000), sz("Library", "a.dll"), {"B", registry.Binary, []byte("db")}}}}},
				{name: "Ω", wide: true},
				{name: "Z", list: "li", keys: []hkey{{name: "Linkage", values: []hval{multi("Export", "one", "two")}}}},
			}},
		}},
	)
	end := len(b)
	for end > 0 && b[end-1] == 0 { // what no cell uses
		end--
	}
	damage := golden.Damage(golden.Fields)
	read := func(b []byte) *golden.Reading {
		var r golden.Reading
		h, err := registry.OpenHive(bytes.NewReader(b), int64(len(b)), perfdump.Options{})
		if r.Error(err); err != nil {
			return &r
		}
		r.Note(h.Header(), h.Size())
		view, err := h.View()
		if r.Error(err); err == nil {
			noteView(&r, view)
		} else {
			r.Anomalies(h.Anomalies())
		}
		names, err := h.Subkeys(`ControlSet001\Services`)
		r.Error(err)
		r.Note(names)
		r.Spans(h.Spans())
		return &r
	}
	golden.Sweep(t, filepath.Join("testdata", "sweep-head.txt"), b, damage.Between(0, 0xC0), perftest.Race, read)
	golden.Sweep(t, filepath.Join("testdata", "sweep-cells.txt"), b, damage.Between(4096, end), perftest.Race, func(b []byte) *golden.Reading {
		return read(seal(bytes.Clone(b)))
	})
}

// TestSweepOfReg is that of .reg files.
func TestSweepOfReg(t *testing.T) {
	const text = "[HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\A\\Performance]\r\n" +
		"\"First Counter\"=dword:0000000c\r\n@=\"x\\\\y\"\r\n;n\r\n\"L\"=hex(7):41,00,00,\\\r\n  00,00,00\n\"M\"=-\r\n[-HKEY_USERS\\K]\r\n"
	for name, b := range map[string]string{
		"reg5": v5 + text, "reg4": "REGEDIT4\n\n" + text,
		"regwide": "\xFF\xFE" + string(wire.EncodeUTF16(nil, v5+"[HKEY_USERS]\r\n\"é\"=\"x\"\r\n")),
	} {
		golden.Sweep(t, filepath.Join("testdata", "sweep-"+name+".txt"), []byte(b), golden.Characters("\x00\x1a\"[]=\\:;, 0\r\n\xFF"), perftest.Race, func(b []byte) *golden.Reading {
			var r golden.Reading
			reg, err := registry.ParseReg(b, perfdump.Options{})
			if r.Error(err); err != nil {
				return &r
			}
			r.Anomalies(reg.Anomalies())
			r.Note(reg.Encoding(), reg.Version())
			for e := range reg.Entries() {
				r.Note(e)
			}
			view, err := reg.View()
			if r.Error(err); err == nil {
				noteView(&r, view)
			}
			r.Spans(reg.Spans())
			return &r
		})
	}
}

func noteView(r *golden.Reading, v *registry.View) {
	r.Anomalies(v.Anomalies())
	r.Faults(slices.Collect(v.Faults()))
	r.Note(v.ControlSet, v.Computer)
	for _, p := range v.Providers {
		r.Note(p.Service, p.Disabled(), p.Export(), p.Stamps())
		noteKey(r, p.Performance)
		noteKey(r, p.Linkage)
		noteKey(r, p.Names)
	}
	if v.Perflib != nil {
		noteKey(r, v.Perflib.Key)
		r.Note(len(v.Perflib.Languages))
	}
}

func noteKey(r *golden.Reading, k *registry.Key) {
	if k != nil {
		r.Note(*k)
	}
}

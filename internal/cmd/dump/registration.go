package dump

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/registry"
)

// registration writes a table of a file that registers counters. It has no
// values, and so no rows.
func (d *dumper) registration(in *detect.Input) error {
	table, ok := d.w.(*export.Table)
	switch {
	case !ok:
		return &cmdutil.NoVerbError{Verb: "dump -o " + d.o.Output, Format: in.Format}
	case d.o.Selection.Any():
		return &cmdutil.NoVerbError{Verb: "dump of some counters", Format: in.Format}
	}
	switch in.Format {
	case detect.INIFile:
		f, err := capture.ParseINI(in.Data, d.co)
		if err != nil {
			return err
		}
		return table.WriteINIFile(in.Name, f, d.o.Lang)
	case detect.SymbolH:
		f, err := capture.ParseSymbols(in.Data, d.co)
		if err != nil {
			return err
		}
		return table.WriteSymbolH(in.Name, f)
	case detect.Manifest:
		m, err := capture.ParseManifest(in.Data, d.co)
		if err != nil {
			return err
		}
		return table.WriteManifest(in.Name, m)
	case detect.Reg:
		r, v, err := capture.ParseReg(in.Data, d.co)
		if err != nil {
			return err
		}
		return table.WriteReg(in.Name, r, v)
	default:
		_, v, err := capture.OpenHive(in, d.co)
		if err != nil {
			return err
		}
		if err := table.WriteHive(in.Name, v); err != nil {
			return err
		}
		if err := table.Flush(); err != nil {
			return err
		}
		return d.damaged(in, v)
	}
}

// damaged tells what salvage mode has left out of a hive.
func (d *dumper) damaged(in *detect.Input, v *registry.View) error {
	for _, fault := range v.Faults() {
		d.o.Report(in.Name, fault)
	}
	if len(v.Faults()) > 0 {
		return cmdutil.ErrInput
	}
	return nil
}

// registration writes the document of a file that registers counters.
func (d *jsonDumper) registration(in *detect.Input) error {
	if d.o.Selection.Any() {
		return &cmdutil.NoVerbError{Verb: "dump of some counters", Format: in.Format}
	}
	switch in.Format {
	case detect.INIFile:
		f, err := capture.ParseINI(in.Data, d.co)
		if err != nil {
			return err
		}
		return document.WriteINIFile(d.out, document.INIFile{Name: in.Name, File: f}, d.options)
	case detect.SymbolH:
		f, err := capture.ParseSymbols(in.Data, d.co)
		if err != nil {
			return err
		}
		return document.WriteSymbolH(d.out, document.SymbolH{Name: in.Name, File: f}, d.options)
	case detect.Manifest:
		m, err := capture.ParseManifest(in.Data, d.co)
		if err != nil {
			return err
		}
		return document.WriteManifest(d.out, document.Manifest{Name: in.Name, Size: in.Size(), Manifest: m}, d.options)
	case detect.Reg:
		r, v, err := capture.ParseReg(in.Data, d.co)
		if err != nil {
			return err
		}
		return document.WriteReg(d.out, document.Reg{Name: in.Name, Reg: r, View: v}, d.options)
	default:
		h, v, err := capture.OpenHive(in, d.co)
		if err != nil {
			return err
		}
		o := d.options
		if len(v.Faults()) == 0 {
			o.Mode = perfdump.Tolerant // nothing is left out
		}
		if err := document.WriteHive(d.out, document.Hive{Name: in.Name, Hive: h, View: v}, o); err != nil {
			return err
		}
		return d.damaged(in, v)
	}
}

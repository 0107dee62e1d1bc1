package fuzz

import (
	"bytes"
	"errors"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/detect"
)

// database are files of a machine as a target takes them; empty ones are not
// there.
type database struct{ ini, h, reg, backup, table []byte }

func (d *database) add(t *testing.T) *registration.Files {
	files := &registration.Files{}
	for _, in := range []*detect.Input{
		{Name: "a.ini", Format: detect.INIFile, Data: d.ini},
		{Name: "a.h", Format: detect.SymbolH, Data: d.h},
		{Name: "a.reg", Format: detect.Reg, Data: d.reg},
		{Name: "PerfStringBackup.INI", Format: detect.PerfStrings, Data: d.backup},
		{Name: "perfc009.dat", Format: detect.Titles, Data: d.table},
	} {
		if len(in.Data) == 0 {
			continue
		}
		var fe *perfdump.FormatError
		if err := files.Add(in, registration.Options{}); err != nil && !errors.As(err, &fe) {
			t.Fatalf("%s: %T: %v", in.Name, err, err)
		}
	}
	return files
}

// take puts the files that were edited in the place of those that were.
func (d database) take(t *testing.T, edited []registration.Edited) *database {
	for _, e := range edited {
		switch e.Name {
		case "a.reg":
			d.reg = e.Data
		case "PerfStringBackup.INI":
			d.backup = e.Data
		case "perfc009.dat":
			d.table = e.Data
		default:
			t.Fatalf("%s was edited", e.Name)
		}
	}
	return &d
}

// FuzzDoctor: files give findings that each say what and what to do, the same
// each time; an .ini that can be loaded into them is loaded then, and can be
// unloaded.
func FuzzDoctor(f *testing.F) {
	f.Fuzz(func(t *testing.T, ini, h, reg, backup, table []byte, first uint32) {
		d := &database{ini, h, reg, backup, table}
		files := d.add(t)
		found := files.Examine()
		again := files.Examine()
		if len(found) != len(again) {
			t.Fatalf("%d findings, then %d", len(found), len(again))
		}
		for i, x := range found {
			if x != again[i] {
				t.Fatalf("%v, then %v", x, again[i])
			}
			if x.ID == "" || x.File == "" || x.Message == "" || x.Advice == "" || x.Line < 0 {
				t.Fatalf("%+v", x)
			}
		}
		plan, err := files.Load("a.ini", first)
		if err != nil || plan.Nothing {
			return
		}
		edited, err := files.Apply(plan)
		if err != nil {
			return
		}
		after := d.take(t, edited)
		loaded := after.add(t)
		is, err := loaded.Load("a.ini", first)
		if err != nil {
			t.Fatalf("loaded, then: %v", err)
		}
		if !is.Nothing {
			return // neither .reg nor backup has the driver
		}
		if is.FirstCounter != plan.FirstCounter || is.LastCounter != plan.LastCounter {
			t.Fatalf("loaded at %d to %d, found at %d to %d", plan.FirstCounter, plan.LastCounter, is.FirstCounter, is.LastCounter)
		}
		out, err := loaded.Unload(plan.DriverName)
		if err != nil || out.Nothing {
			t.Fatalf("loaded, and unload: %v", err)
		}
		edited, err = loaded.Apply(out)
		if err != nil {
			t.Fatalf("loaded, and unload: %v", err)
		}
		if is := after.take(t, edited); !bytes.Equal(is.table, table) {
			t.Fatalf("the table %q comes back as %q", table, is.table)
		}
	})
}

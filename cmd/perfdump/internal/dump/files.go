package dump

import (
	"cmp"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/opened"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
)

// dumper writes the files of a run.
type dumper struct {
	o       *Options
	co      capture.Options
	period  capture.CookOptions // its times alone
	all     *capture.Reader
	merged  bool // the inputs that have clocks are read together, after all others
	out     *gate
	w       export.Writer
	taken   bool // an input was read; else there is not even a header to write
	shown   bool // the filter has accepted something
	own     bool // an input was read whose counters the filter does not choose
	timed   bool // an input was read that --from and --to choose from
	matched bool // they chose a moment
	empty   cmdutil.Choices
}

func (d *dumper) file(in *detect.Input) error {
	err := d.read(in)
	d.taken = d.taken || err == nil
	return err
}

// read writes a file. The error is ErrInput if something is left out.
func (d *dumper) read(in *detect.Input) error {
	f := formats.Of(in.Format)
	if verb := d.misuse(f); verb != "" {
		return &formats.NoVerbError{Verb: verb, Format: in.Format}
	}
	if d.merged && f.Timed {
		d.timed = true
		return opened.Add(d.all, in)
	}
	failed := false
	fail := func(err error) {
		failed = true
		d.o.Report(in.Name, err)
	}
	d.own = d.own || f.Look != nil
	var err error
	switch t, ok := d.w.(*export.Table); {
	case f.Table != nil:
		err = f.Table(t.Text(), in, d.options(fail))
	case ok && f.ValueTable != nil:
		o := d.options(fail)
		o.Shown = func(shown bool) { d.look(shown, func() { f.Look(&d.empty, d.paths()) }) }
		err = f.ValueTable(t, in, o)
	default:
		err = d.values(f, in, fail)
	}
	if err == nil && failed {
		err = cmdutil.ErrInput
	}
	return err
}

// misuse returns what the flags request that files of a format do not have, ""
// for nothing.
func (d *dumper) misuse(f *formats.Format) string {
	_, sheet := d.w.(*export.Table)
	json := d.o.Output == "json"
	switch {
	case json && f.Document == nil && f.Values:
		return "dump -o json"
	case json && f.Document == nil, !json && !f.Values && f.Table == nil:
		return "dump"
	case !f.Values && f.Table != nil && !json && !sheet:
		return "dump -o " + d.o.Output
	case f.Registration && d.o.Selection.Any():
		return "dump of some counters"
	case d.o.Query != "" && !f.Query:
		return "dump --query"
	case d.o.Output == "checkmk" && !f.Sections:
		return "dump -o checkmk"
	case d.o.Output == "checkmk" && f.Whole && d.o.Selection.Any():
		return "dump -o checkmk of some counters"
	default:
		return ""
	}
}

func (d *dumper) options(failed func(error)) *formats.Dump {
	return &formats.Dump{
		Options: d.co, Counters: d.o.Counters, Lang: d.o.Lang, Failed: failed,
		Page: table.Options{Width: d.o.IO.Width(), Cut: d.o.IO.StdoutTTY(), Color: d.o.IO.Color()},
		All:  d.o.All, Zone: d.o.Period.Zone.Location,
		Note: func(file, text string) { d.o.Note("%s: %s", cmdutil.FileName(file), text) },
	}
}

// values writes the raw values of a file.
func (d *dumper) values(f *formats.Format, in *detect.Input, failed func(error)) error {
	for s, err := range d.all.Read(opened.Input(in)) {
		if err != nil {
			// What was read is written before the error after it.
			if d.taken {
				err = cmp.Or(d.w.Flush(), err)
			}
			return err
		}
		if err := d.snapshot(s, failed); err != nil {
			return err
		}
		if f.Look != nil {
			d.look(formats.Shown(s), func() { f.Look(&d.empty, d.paths()) })
		}
	}
	d.timed = d.timed || f.Timed
	return nil
}

// snapshot writes what was recorded at one moment.
func (d *dumper) snapshot(s *capture.Snapshot, failed func(error)) error {
	d.taken, d.matched = true, true
	if err := d.w.Write(s); err != nil {
		return err
	}
	if d.o.Selection.Any() && !d.shown {
		d.look(formats.Shown(s), func() { formats.Look(&d.empty, s, d.paths()) })
	}
	flushed := false
	for fault := range s.Faults() {
		if !flushed {
			flushed = true
			if err := d.w.Flush(); err != nil {
				return err
			}
		}
		failed(fault)
	}
	return nil
}

// look remembers what the paths could choose until they choose something.
func (d *dumper) look(shown bool, look func()) {
	switch {
	case d.shown || !d.o.Selection.Any():
	case shown:
		d.shown, d.empty = true, cmdutil.Choices{}
	default:
		look()
	}
}

// paths returns the paths that advice is about: none with a query, which may have
// left out what they choose.
func (d *dumper) paths() []string {
	if d.o.Query != "" {
		return nil
	}
	return d.o.Counters
}

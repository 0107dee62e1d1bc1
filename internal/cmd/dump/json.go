package dump

import (
	"cmp"
	"context"
	"strconv"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/perfdata"
)

// runJSON writes a document for each file.
func (o *Options) runJSON(ctx context.Context, plain *dumper) error {
	co := plain.co
	d := &jsonDumper{
		dumper:  *plain,
		options: document.Options{Names: names{co.Names}, Mode: co.Mode, Limits: co.Limits},
	}
	patterns, err := o.patterns(co.Names)
	if err != nil {
		return err
	}
	d.options.Counters = patterns
	if o.Query != "" {
		d.options.Query = &d.co.Query
	}
	if o.Lang != document.DefaultLanguage {
		d.options.Language = o.Lang
	}
	err = o.Each(ctx, o.Factory, o.Files, d.file)
	if nothing := d.unmatched(); nothing != nil && ctx.Err() == nil {
		return cmp.Or(err, nothing)
	}
	err = cmp.Or(d.out.release(), err)
	if n := d.co.Names.Missing(); n > 0 && !o.Selection.Any() && co.Names.BuiltIn() {
		o.Note("%s no name in the built-in table: null in the document; --titles FILE gives the names", cmdutil.Has(n, "index", "indexes"))
	}
	return err
}

// jsonDumper writes the documents of a run.
type jsonDumper struct {
	dumper
	options document.Options
}

func (d *jsonDumper) file(in *detect.Input) error {
	if err := d.queried(in); err != nil {
		return err
	}
	if d.o.Selection.Any() && (in.Format == detect.Titles || in.Format == detect.PerfStrings) {
		return &cmdutil.NoVerbError{Verb: "dump of some counters", Format: in.Format}
	}
	switch in.Format {
	case detect.Minidump, detect.Memory:
		return d.image(in)
	case detect.ASPNet2, detect.ASPNet4:
		return d.vector(in)
	case detect.PerfData:
		return d.perfData(in)
	case detect.Titles:
		table, err := capture.ParseTitles(in.Data, d.co)
		if err != nil {
			return err
		}
		d.shown = true
		return document.WriteTitles(d.out, document.Titles{Name: in.Name, Data: in.Data, Table: table}, d.options)
	case detect.IPCBlock:
		return d.blocks(in)
	case detect.PerfStrings:
		backup, err := capture.ParsePerfStrings(in.Data, d.co)
		if err != nil {
			return err
		}
		d.shown = true
		return document.WritePerfStrings(d.out, document.PerfStrings{Name: in.Name, Data: in.Data, Backup: backup}, d.options)
	case detect.INIFile, detect.SymbolH, detect.Reg, detect.Hive, detect.Manifest:
		return d.registration(in)
	case detect.BLG:
		return d.log(in)
	case detect.Checkmk:
		return d.sections(in)
	case detect.PDHCSV, detect.PDHTSV:
		return d.text(in)
	case detect.PerfLib2:
		return &cmdutil.NoVerbError{Verb: "dump -o json", Format: in.Format}
	default:
		return &cmdutil.NoVerbError{Verb: "dump", Format: in.Format}
	}
}

// perfData writes a document of blocks. They are all read first: no half
// document stands before an error.
func (d *jsonDumper) perfData(in *detect.Input) error {
	read := perfdata.Blocks(in.Data, perfdata.Options{Mode: d.co.Mode, Limits: d.co.Limits, CodePage: d.co.CodePage})
	some, faulty := false, false
	for b, err := range read {
		if err != nil {
			if d.co.Mode != perfdump.Salvage || !some {
				return err
			}
			faulty = true
			continue
		}
		some = true
		d.look(capture.FromBlock(b, d.co))
		faulty = faulty || b.NumFaults() > 0
	}
	blocks := func(yield func(*perfdata.Block) bool) { // again, since a small block takes much more than its bytes
		for b, err := range read {
			if err == nil && !yield(b) {
				return
			}
		}
	}
	if err := document.WritePerfData(d.out, document.PerfData{Name: in.Name, Data: in.Data, Blocks: blocks}, d.options); err != nil {
		return err
	}
	if !faulty {
		return nil
	}
	for b, err := range read { // again, since faults take as much as objects do
		if err != nil {
			d.o.Report(in.Name, err)
			continue
		}
		for i := range b.NumFaults() {
			d.o.Report(in.Name, b.Fault(i))
		}
	}
	return cmdutil.ErrInput
}

// names finds names in the tables of a capture. That counts those that are
// missing.
type names struct{ *capture.Names }

func (n names) Lookup(index uint32) (string, bool) {
	name := n.Name(index)
	return name, name != strconv.FormatUint(uint64(index), 10)
}

// Package dump is the verb that shows what is in a capture.
package dump

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// Options are the flags of dump.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs
	cmdutil.Selection
	cmdutil.Period
	cmdutil.Parquet
	cmdutil.SQL

	Files   []string
	Output  string
	Columns []string
	Write   string
	All     bool
}

// outputs are the words of -o.
func outputs() []string {
	return append([]string{"table", "json", "jsonl", "csv", "parquet", "checkmk"}, export.RawFormats()...)
}

// NewCmd returns the command. runF is run in the place of the verb, for tests.
func NewCmd(f *cmdutil.Factory, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "dump FILE...",
		Short:      "Show the raw values of all counters",
		SuggestFor: []string{"cat", "show", "print", "decode"},
		Long: `Dump shows what is in captures: objects, instances, counters and their raw
values, as they were recorded. A raw value is a running total or a reading,
not yet the rate or the percentage that the Performance Monitor shows.

FILE may be - for standard input, a directory, and packed by gzip or zstd.

Outputs (-o):
  table   for reading: instances as lines and counters as columns, or the other
          way round, as they fit the page. Bases, which only other counters
          use, stand behind a slash; --all gives them columns of their own.
  jsonl   a line of JSON for each value, with exact integers
  csv     the same columns with a header
  json    a document for each file that holds every byte: perfdump encode makes
          the file of it again. Tables of names have one too. Those of blg,
          pdh-csv, checkmk, dumps and memory say what they hold, and do not
          encode.
  parquet the columns of csv in a file for DuckDB, Spark and pandas
  sql, openmetrics, influx
          as perfdump cook -o writes them, with raw values; --dialect names the
          database that sql is for
  checkmk sections as a Checkmk agent sends them

A binary log (blg) is shown record by record; the values that are no part of
whole objects stand there by their paths, with both numbers of their samples.
Names are those of --titles, else the log's own. Text logs (pdh-csv) hold no
raw values: perfdump cook shows them.

IPC control blocks of the CLR (ipcblock) hold no time and no names of processes:
the time of a row is null, its instance p4242_r16 for process 4242 and runtime
16, p0 where the process is not known. Rows have live chunks only. The (...) of
a path is not looked at.

A process dump (minidump) or raw memory (--format memory) is searched for such
blocks. The table shows where each was found and why it is to be trusted, the
best first; a runtime that stands in several is shown, and gives rows, once.
Documents have all of them: tables[0].document is one that encode takes.

A block of version 2 counter sets (--format perflib2) has no names and no types
of counters: a set is called by its place in the block, #0, and a counter by its
id, #5. It has no document.

Files that register counters (inifile, symbolh, reg, hive, manifest) hold no
values: the table shows what they register, json every line of the first three.
The table of an .ini has the names of one language, 009 or that of --lang.

Columns of jsonl, csv and parquet: time, host, object, parent, instance,
instance_index, counter, type, first, second, multi, time_base; on request
(--with) text, pdh_status, time_local, utc_offset_min, record, object_index,
counter_index, source, pid. A value that is text has no first; it stands in the
column text.

Tables, documents and sections show file by file. All other outputs have the
records of several files in the order of time, with those that have no time in
front; what two copies of a log both have comes once. A duration (--from, --to)
counts from the start of the first file in time.

` + cmdutil.PeriodHelp + `

Paths (-c) are those of PDH: \Processor(_Total)\% Processor Time, with * for any
run of characters and without regard to case.`,
		Example: `  # Everything, by names
  perfdump dump testdata/captures/small.bin --titles testdata/captures/titles-009.bin

  # One counter of all processes whose name begins with svc
  perfdump dump testdata/captures/small.bin -c '\Process(svc*)\% Processor Time'

  # Rows for another program, from a packed file on standard input
  gzip -c testdata/captures/sys-238-x86_64-1.bin | perfdump dump -o jsonl -

  # The counters of the .NET Framework in the memory of a process dump
  perfdump dump testdata/minidump/service_x64.dmp -c '\.NET CLR Memory\*'

  # Every second record of a log, as rows
  perfdump dump --every 2 -o csv testdata/blg/small.blg

  # What can still be read of a broken file
  perfdump dump --mode salvage testdata/captures/inst-x86_64-1.bin`,
		Args: cmdutil.AtLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			if err := cmdutil.Promised(cmd, o.Write); err != nil {
				return err
			}
			if o.Write != "" && !o.Partition {
				return o.ToFile(o.Write, slices.Concat(o.Files, o.Titles, o.EnglishOf, o.CounterFiles), o.FailFast, func(f *cmdutil.Factory) error {
					to := *o
					to.Factory = f
					return run(cmd.Context(), &to)
				})
			}
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", outputs()...)
	cmd.Flags().StringVarP(&o.Write, "write", "w", "", "write to `FILE`, whole or not at all, in the place of standard output")
	cmd.Flags().StringSliceVar(&o.Columns, "with", nil, "further `COLUMNS` for jsonl, csv and parquet: "+strings.Join(export.OnRequest(), ", "))
	cmd.Flags().BoolVar(&o.All, "all", false, "bases and labels without data in the table, too")
	o.Selection.AddFlags(cmd)
	o.Period.AddFlags(cmd)
	o.Parquet.AddFlags(cmd)
	o.SQL.AddFlags(cmd)
	o.Inputs.AddFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options) error {
	if err := o.check(); err != nil {
		return err
	}
	co, err := o.Capture(o.Factory)
	if err != nil {
		return err
	}
	if err := o.Selection.Apply(&co); err != nil {
		return err
	}
	co.PID = slices.Contains(o.Columns, "pid")
	d := &dumper{o: o, co: co}
	if err := o.Period.Apply(&d.period); err != nil {
		return err
	}
	d.out = &gate{w: cmdutil.Output(ctx, o.IO.Out), open: !o.Selection.Any()}
	if o.Output == "json" {
		return o.runJSON(ctx, d)
	}
	var scratch cmdutil.Scratch
	defer func() { _ = scratch.Close() }()
	w, err := o.writer(d.out, &scratch)
	if err != nil {
		return err
	}
	defer cmdutil.Discard(w) // what is not closed by then
	d.w, d.window = w, capture.NewWindow(d.period)
	if err := d.together(); err != nil {
		return err
	}
	inputErr := o.Each(ctx, o.Factory, o.Files, d.file)
	if d.all != nil {
		o.NoteReadings(o.Factory, d.all)
		inputErr = d.entries(ctx, inputErr)
	}
	if d.shown {
		if err := d.out.release(); err != nil {
			return err
		}
	}
	if ctx.Err() != nil || errors.Is(inputErr, cmdutil.ErrOutput) || errors.Is(inputErr, cmdutil.ErrInput) && o.FailFast {
		return cmp.Or(w.Flush(), inputErr)
	}
	if err := d.unmatched(); err != nil {
		return cmp.Or(inputErr, err)
	}
	if inputErr == nil || d.taken {
		if err := cmp.Or(d.out.release(), end(w)); err != nil {
			return err
		}
		o.LeftOut(w)
	}
	d.advise(ctx)
	return inputErr
}

// check refuses flags that do not go together.
func (o *Options) check() error {
	switch {
	case len(o.Columns) > 0 && o.Output != "jsonl" && o.Output != "csv" && o.Output != "parquet":
		return &cmdutil.UsageError{Text: "--with is for rows", Hint: "add -o jsonl or -o csv"}
	case o.Period.Any() && o.Output == "json":
		return &cmdutil.UsageError{Text: "--from, --to and --every are not for -o json, whose documents are of whole files", Hint: "-o jsonl has a line for each value"}
	}
	if err := o.SQL.Check(o.Output); err != nil {
		return err
	}
	return o.Parquet.Check(o.Factory, o.Output, o.Write)
}

// end writes what ends the output, which some have.
func end(w export.Writer) error {
	err := w.Flush()
	if c, ok := w.(interface{ Close() error }); ok && err == nil {
		err = c.Close()
	}
	return err
}

func (o *Options) writer(out io.Writer, scratch *cmdutil.Scratch) (export.Writer, error) {
	switch {
	case o.Output == "table":
		return export.NewTable(out, export.TableOptions{
			Width: o.IO.Width(), Truncate: o.IO.StdoutTTY(), Color: o.IO.Color(), All: o.All, Zone: o.Period.Zone.Location,
		}), nil
	case o.Output == "checkmk":
		return export.NewCheckmk(out), nil
	case o.Output == "parquet":
		return o.Parquet.Raw(o.Factory, out, o.Write, o.Columns, o.Files)
	case slices.Contains(export.RawFormats(), o.Output):
		return export.NewRaw(out, o.Output, export.CookedOptions{
			Metrics: export.MetricsOptions{Scratch: scratch},
			SQL:     export.SQLOptions{Dialect: o.Dialect, Every: o.Every},
		})
	}
	w, err := export.NewRows(out, o.Output, o.Columns...)
	if err != nil {
		return nil, &cmdutil.UsageError{Text: "--with: " + err.Error()}
	}
	return w, nil
}

// dumper writes the files of a run.
type dumper struct {
	o      *Options
	co     capture.Options
	period capture.CookOptions // its times alone
	window *capture.Window     // of the snapshots of all inputs without a log's order
	all    *capture.Timeline   // of the inputs that have clocks, where they are put in order; else nil
	out    *gate
	w      export.Writer
	taken  bool // an input was read; else there is not even a header to write
	shown  bool // something was let through by the filter
	apart  bool // an input was read whose counters the filter is not asked about
	asked  bool // a moment was looked for between --from and --to
	met    bool // there was one
	empty  cmdutil.Choices
}

func (d *dumper) file(in *detect.Input) error {
	err := d.read(in)
	d.taken = d.taken || err == nil
	return err
}

func (d *dumper) read(in *detect.Input) error {
	if err := d.queried(in); err != nil {
		return err
	}
	if d.all != nil && (in.Format == detect.PerfData || in.Format == detect.BLG || in.Format == detect.Checkmk || in.Format == detect.PerfLib2) {
		d.asked = true
		return d.all.Add(in)
	}
	switch in.Format {
	case detect.IPCBlock:
		return d.blocks(in)
	case detect.Minidump, detect.Memory:
		return d.image(in)
	case detect.ASPNet2, detect.ASPNet4:
		return d.vector(in)
	case detect.PerfLib2:
		return d.sets(in)
	case detect.PerfStrings:
		return d.backup(in)
	case detect.INIFile, detect.SymbolH, detect.Reg, detect.Hive, detect.Manifest:
		return d.registration(in)
	case detect.BLG:
		return d.log(in)
	case detect.Checkmk:
		return d.sections(in)
	default:
	}
	err := d.snapshots(in)
	var none *capture.NoCaptureError
	if errors.As(err, &none) {
		return &cmdutil.NoVerbError{Verb: "dump", Format: none.Format}
	}
	return err
}

// queried refuses a query for what is no answer of the registry, and sections
// of an agent for what has no title indexes.
func (d *dumper) queried(in *detect.Input) error {
	verb := ""
	switch in.Format {
	case detect.IPCBlock, detect.Minidump, detect.Memory, detect.ASPNet2, detect.ASPNet4, detect.PerfLib2:
		switch {
		case d.o.Query != "":
			verb = "dump --query"
		case d.o.Output == "checkmk":
			verb = "dump -o checkmk"
		}
	case detect.PDHCSV, detect.PDHTSV, detect.Checkmk:
		switch {
		case d.o.Query != "":
			verb = "dump --query"
		case d.o.Output == "checkmk" && d.o.Selection.Any():
			verb = "dump -o checkmk of some counters"
		}
	default:
	}
	if verb != "" {
		return &cmdutil.NoVerbError{Verb: verb, Format: in.Format}
	}
	return nil
}

// takes reports whether a moment is one that is asked for.
func (d *dumper) takes(w *capture.Window, host, part string, at time.Time, o capture.Offset) bool {
	d.asked = true
	ok := w.Takes(host, part, at, o)
	d.met = d.met || ok
	return ok
}

func (d *dumper) snapshots(in *detect.Input) error {
	faulty := false
	for s, err := range capture.Read(in, d.co) {
		if err != nil {
			// What was read before stands before what is wrong behind it.
			if d.taken {
				if flushErr := d.w.Flush(); flushErr != nil {
					return flushErr
				}
			}
			return err
		}
		if !d.takes(d.window, s.Host, "", s.Time, s.Offset) {
			continue
		}
		d.taken = true
		err := d.snapshot(s, func(source string, err error) {
			faulty = true
			d.o.Report(source, err)
		})
		if err != nil {
			return err
		}
	}
	if faulty {
		return cmdutil.ErrInput
	}
	return nil
}

// snapshot writes a snapshot, and tells what salvage mode has passed over in it.
func (d *dumper) snapshot(s *capture.Snapshot, tell func(source string, err error)) error {
	if err := d.w.Write(s); err != nil {
		return err
	}
	d.look(s)
	if s.NumFaults() == 0 {
		return nil
	}
	if err := d.w.Flush(); err != nil {
		return err
	}
	for i := range s.NumFaults() {
		tell(s.Source, s.Fault(i))
	}
	return nil
}

// look remembers what a filter could have been for, as long as it has let
// nothing through.
func (d *dumper) look(s *capture.Snapshot) {
	if d.shown || !d.o.Selection.Any() {
		return
	}
	for range s.Objects() {
		d.shown, d.empty = true, cmdutil.Choices{}
		return
	}
	if d.o.Query != "" {
		d.empty.Look(s, nil) // what the paths are for it may have held back
		return
	}
	d.empty.Look(s, d.o.Counters)
}

// advise says what to try where the answer lacks something that was asked for, or
// names.
func (d *dumper) advise(ctx context.Context) {
	if d.shown && !d.apart {
		d.o.AdviseUnused(ctx, d.o.Factory, d.o.Files, d.co, d.co.Filter)
	}
	if d.asked && !d.met && (d.o.From != "" || d.o.To != "") {
		where := ""
		if d.all != nil {
			where = d.all.Missed(d.o.From)
		}
		d.o.NoteMissed(d.o.Factory, where)
	}
	d.o.Untranslated(d.co.Names)
	n := d.co.Names.Missing()
	switch {
	case n == 0:
	case d.co.Names.BuiltIn():
		d.o.Note("%s no name in the built-in table: shown as numbers; --titles FILE gives the names", cmdutil.Has(n, "index", "indexes"))
	default:
		d.o.Note("%s no name in the titles given: shown as numbers", cmdutil.Has(n, "index", "indexes"))
	}
}

// unmatched says what there is where nothing of it was asked for; the error is
// ErrFindings then.
func (d *dumper) unmatched() error {
	if d.shown || !d.o.Selection.Any() {
		return nil
	}
	advice := d.empty.Advice(d.o.Counters)
	if advice == "" { // there was nothing to ask
		return nil
	}
	return d.o.NothingMatches(d.o.Counters, d.o.Query, advice)
}

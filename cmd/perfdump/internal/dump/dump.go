// Package dump is the verb that shows what is in a capture.
package dump

import (
	"cmp"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/export"
)

// Options holds the flags of dump.
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
	return cmdutil.Outputs(export.Output.Raw, "json", "parquet")
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "dump FILE...",
		Short:      "Show the raw values of all counters",
		SuggestFor: []string{"cat", "show", "print", "decode"},
		Long: `Dump shows what is in captures: objects, instances, counters and their raw
values, as they were recorded. A raw value is a running total or a reading,
not yet the rate or the percentage that Performance Monitor shows.

FILE may be a directory, or - for standard input; gzip and zstd are unpacked.

Outputs (-o):
  table   for reading: instances as lines and counters as columns, or the other
          way round, as they fit the page. A base, which only another counter
          uses, follows it after a slash; --all gives it its own column.
  jsonl   a line of JSON for each value, with exact integers
  csv     the same columns with a header
  json    a document for each file with every byte: perfdump encode turns it
          back into the file. Tables of names have documents too. Those of
          blg, pdh-csv, checkmk, dumps and memory describe the file and cannot
          be encoded.
  parquet the columns of csv in a file for DuckDB, Spark and pandas
  sql, openmetrics, influx
          as perfdump cook -o writes them, with raw values; --dialect names the
          database for sql
  checkmk sections as a Checkmk agent sends them

A binary log (blg) is shown record by record; values outside whole objects are
listed by their paths, with both numbers of their samples. Names are those of
--titles, else those in the log. Text logs (pdh-csv) contain no raw values:
perfdump cook shows them.

IPC control blocks of the CLR (ipcblock) contain no time and no process names:
the time of a row is null, its instance p4242_r16 for process 4242 and runtime
16, p0 where the process is unknown. Rows are of live chunks only. The (...) of
a path is ignored.

A process dump (minidump) or raw memory (--format memory) is searched for such
blocks. The table shows where each was found and why it can be trusted, the
best first. A runtime that is in several blocks is shown, and gives rows, once.
Documents have all of them: tables[0].document is one that encode reads.

A block of version 2 counter sets (--format perflib2) has no names and no types
of counters: a set is called by its position in the block, #0, and a counter by
its id, #5.

Files that register counters (inifile, symbolh, reg, hive, manifest) contain no
values: the table shows what they register, json every line of the first three.
The table of an .ini has the names of one language, 009 or that of --lang.

Columns of jsonl, csv and parquet: time, host, object, parent, instance,
instance_index, counter, type, first, second, multi, time_base; with --with also
text, pdh_status, time_local, utc_offset_min, record, object_index,
counter_index, source, pid. A value that is text has no first; it is in the
column text.

Tables, documents and sections are written file by file. All other outputs have
the records of several files in the order of time, those without a time first.
A record that is in two copies of a log is written once. A duration (--from,
--to) counts from the start of the earliest file.

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
	cmd.Flags().StringVarP(&o.Write, "write", "w", "", "write to `FILE`, whole or not at all, instead of to standard output")
	cmd.Flags().StringSliceVar(&o.Columns, "with", nil, "further `COLUMNS` for jsonl, csv and parquet: "+strings.Join(export.RawColumns(), ", "))
	cmd.Flags().BoolVar(&o.All, "all", false, "show bases and labels without data in the table, too")
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
	defer cmdutil.Discard(w) // unless it is closed
	d.w = w
	if err := d.together(); err != nil {
		return err
	}
	inputErr := o.Each(ctx, o.Factory, o.Files, d.file)
	if d.merged {
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
		if err := cmp.Or(d.out.release(), w.Close()); err != nil {
			return err
		}
		o.LeftOut(o.Output, w)
	}
	d.advise(ctx)
	return inputErr
}

// check refuses flags that cannot be combined.
func (o *Options) check() error {
	switch {
	case len(o.Columns) > 0 && !cmdutil.OutputOf(o.Output).Columns:
		return &cmdutil.UsageError{Text: "--with needs an output of rows", Hint: "add -o jsonl or -o csv"}
	case o.Period.Any() && o.Output == "json":
		return &cmdutil.UsageError{Text: "--from, --to and --every do not work with -o json, whose documents are of whole files", Hint: "-o jsonl has a line for each value"}
	}
	if err := o.SQL.Check(o.Output); err != nil {
		return err
	}
	return o.Parquet.Check(o.Factory, o.Output, o.Write)
}

func (o *Options) writer(out io.Writer, scratch *cmdutil.Scratch) (export.Writer, error) {
	if o.Output == "parquet" {
		return o.Parquet.Raw(o.Factory, out, o.Write, o.Columns, o.Files)
	}
	w, err := export.NewRaw(out, o.Output, export.Options{
		Columns: o.Columns, Zone: o.Period.Zone.Location, Dialect: o.Dialect, Every: o.Every, Scratch: scratch,
		Width: o.IO.Width(), Cut: o.IO.StdoutTTY(), Color: o.IO.Color(), All: o.All, Workers: runtime.GOMAXPROCS(0),
	})
	if err != nil {
		return nil, &cmdutil.UsageError{Text: "--with: " + err.Error()}
	}
	return w, nil
}

// advise says what to try if the output lacks something that was requested, or
// names.
func (d *dumper) advise(ctx context.Context) {
	if d.shown && !d.own {
		d.o.AdviseUnused(ctx, d.o.Factory, d.o.Files, d.co, d.co.Filter)
	}
	if d.timed && !d.matched && (d.o.From != "" || d.o.To != "") {
		where := ""
		if d.merged {
			where = d.all.Missed(d.o.From)
		}
		d.o.NoteMissed(d.o.Factory, where)
	}
	d.o.Untranslated(d.co.Names)
	d.o.NoteUnnamed(d.co.Names, d.co.Names.Missing())
}

// unmatched says what there is if the paths match nothing, and returns
// ErrFindings.
func (d *dumper) unmatched() error {
	if d.shown || !d.o.Selection.Any() {
		return nil
	}
	advice := d.empty.Advice(d.o.Counters)
	if advice == "" { // nothing can be chosen
		return nil
	}
	return d.o.NothingMatches(d.o.Counters, d.o.Query, advice)
}

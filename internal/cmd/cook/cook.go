// Package cook is the verb that shows what the Performance Monitor would: the
// rates, percentages and averages that the raw values of a capture stand for.
package cook

import (
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

// Options are the flags of cook.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs
	cmdutil.Selection
	cmdutil.Parquet

	Files    []string
	Output   string
	Write    string
	From     string
	To       string
	Every    int
	Cook     []string
	Interval time.Duration
	Summary  bool
	UTC      bool
	Columns  []string
}

// NewCmd returns the command. runF is run in the place of the verb, for tests.
func NewCmd(f *cmdutil.Factory, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "cook FILE...",
		Short: "Show the values of counters over time, as the Performance Monitor does",
		Long: `Cook computes what counters show: rates, percentages and averages out of two
snapshots each, and readings as they are. The files are one recording: they are
put in order by their own clocks, whatever the order of their names.

A value that cannot be told has a status in its place, never 0: the first
snapshot has none for rates (needs-second-sample), a counter that went back has
none (negative-delta). perfdump types tells how each counter type is computed.

FILE may be - for standard input, a directory, and packed by gzip or zstd.

Outputs (-o):
  table        for reading: a column for each counter, or a line with the least,
               average, greatest and last value where there are many
  pdh-csv      what relog writes and PAL and Excel read; pdh-tsv with tabs
  csv, jsonl   a row for each value: time, host, object, parent, instance,
               instance_index, counter, path, value, status
  parquet      the columns of csv in a file for DuckDB, Spark and pandas
  sql          the tables in which PDH keeps logs in databases
  openmetrics  for promtool tsdb create-blocks-from openmetrics
  influx       InfluxDB line protocol

--summary writes the least, average, greatest and last value and percentiles of
each counter, as table, csv or jsonl.

Switches (--cook), for questions that Windows and its documents answer in
several ways; the first word is the default:
` + switchesHelp(),
		Example: `  # Two moments of a server: what each counter shows
  perfdump cook testdata/captures/small.bin testdata/captures/small-next.bin --titles testdata/captures/titles-009.bin

  # One counter of all processors, as relog would write it
  perfdump cook -o pdh-csv -c '\Processor(*)\% Processor Time' testdata/captures/small.bin testdata/captures/small-next.bin`,
		Args: cmdutil.AtLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			if o.Write != "" && !o.Partition {
				return o.ToFile(o.Write, o.FailFast, func(f *cmdutil.Factory) error {
					to := *o
					to.Factory = f
					return run(cmd.Context(), &to)
				})
			}
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", append(export.CookedFormats(), "parquet")...)
	flags := cmd.Flags()
	flags.StringVarP(&o.Write, "write", "w", "", "write to `FILE`, whole or not at all, in the place of standard output")
	flags.StringVar(&o.From, "from", "", "leave out what comes before `TIME`: RFC 3339, or a duration after the first snapshot")
	flags.StringVar(&o.To, "to", "", "leave out what comes after `TIME`")
	flags.IntVar(&o.Every, "every", 1, "only every `N`th snapshot, as if the others had not been recorded")
	flags.DurationVar(&o.Interval, "interval", 0, "the time between two files that hold no clock, as IPC control blocks do: `10s`")
	flags.StringArrayVar(&o.Cook, "cook", nil, "answer a disputed question by `KEY=VALUE`; may be repeated")
	flags.BoolVar(&o.Summary, "summary", false, "a line for each counter in the place of its values")
	flags.BoolVar(&o.UTC, "utc", false, "times of pdh-csv and pdh-tsv in UTC, not by the recorder's clock")
	flags.StringSliceVar(&o.Columns, "with", nil, "further `COLUMNS` for csv, jsonl and parquet: "+strings.Join(export.CookedOnRequest(), ", "))
	o.Selection.AddFlags(cmd)
	o.Parquet.AddFlags(cmd)
	o.Inputs.AddFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options) error {
	r, names, err := o.recording()
	if err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	inputErr := o.Each(ctx, o.Factory, o.Files, func(in *detect.Input) error {
		err := r.Add(in)
		var none *capture.NoCaptureError
		if errors.As(err, &none) {
			return &cmdutil.NoVerbError{Verb: "cook", Format: none.Format}
		}
		return err
	})
	if inputErr != nil && !(errors.Is(inputErr, cmdutil.ErrInput) && !o.FailFast) && !errors.Is(inputErr, cmdutil.ErrNoVerb) {
		return inputErr
	}
	if r.Len() == 0 {
		return inputErr
	}
	if err := o.write(ctx, r); errors.Is(err, cmdutil.ErrInput) && !o.FailFast {
		inputErr = err
	} else if err != nil {
		return err
	}
	if n := names.Missing(); n > 0 && names.BuiltIn() {
		o.Note("%s no name in the built-in table: shown as numbers; --titles FILE gives the names", cmdutil.Has(n, "index", "indexes"))
	}
	return inputErr
}

// check refuses flags that do not go together.
func (o *Options) check() error {
	switch {
	case o.Summary && !slices.Contains(export.SummaryFormats(), o.Output):
		return &cmdutil.UsageError{Text: "--summary is not for -o " + o.Output, Hint: "-o may be " + strings.Join(export.SummaryFormats(), ", ")}
	case len(o.Columns) > 0 && (o.Summary || o.Output != "csv" && o.Output != "jsonl" && o.Output != "parquet"):
		return &cmdutil.UsageError{Text: "--with is for rows", Hint: "add -o jsonl or -o csv"}
	case o.Every < 1:
		return cmdutil.Usagef("--every %d: want 1 or more", o.Every)
	}
	return o.Parquet.Check(o.Factory, o.Output, o.Write)
}

func (o *Options) recording() (*capture.Recording, *capture.Names, error) {
	co, err := o.Capture(o.Factory)
	if err != nil {
		return nil, nil, err
	}
	if err := o.Apply(&co); err != nil {
		return nil, nil, err
	}
	c := capture.CookOptions{Every: o.Every, Interval: o.Interval, Raw: o.Output == "sql"}
	if c.Types, err = switches(o.Cook); err != nil {
		return nil, nil, err
	}
	if c.From, err = cmdutil.Moment("from", o.From); err != nil {
		return nil, nil, err
	}
	if c.To, err = cmdutil.Moment("to", o.To); err != nil {
		return nil, nil, err
	}
	c.Remark = func(m capture.Remark) { o.Note("%s: %s", cmdutil.FileName(m.Source), m.Text) }
	dopts, err := o.Detect(o.Factory)
	if err != nil {
		return nil, nil, err
	}
	r := capture.NewRecording(co, c)
	r.Reopen = func(name string) (*detect.Input, error) { return detect.Open(name, dopts) }
	return r, co.Names, nil
}

// write writes the frames of a recording.
func (o *Options) write(ctx context.Context, r *capture.Recording) error {
	out := cmdutil.Output(ctx, o.IO.Out)
	var scratch cmdutil.Scratch
	defer func() { _ = scratch.Close() }()
	w, err := o.writer(out, r, &scratch)
	if err != nil {
		return err
	}
	defer cmdutil.Discard(w) // what is not closed by then
	var told error
	frames, cells := 0, 0
	for f, err := range r.Frames() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			o.Report(f.Source, err)
			if told = cmdutil.ErrInput; o.FailFast {
				break
			}
			continue
		}
		if err := w.WriteFrame(f); err != nil {
			return err
		}
		frames++
		cells += len(f.Cells)
	}
	if told != nil && o.FailFast {
		return told
	}
	if err := w.Close(); err != nil {
		return err
	}
	o.LeftOut(w)
	o.advise(frames, cells)
	return told
}

func (o *Options) writer(out io.Writer, r *capture.Recording, scratch *cmdutil.Scratch) (export.FrameWriter, error) {
	table := export.TableOptions{Width: o.IO.Width(), Truncate: o.IO.StdoutTTY(), Color: o.IO.Color()}
	if o.Summary {
		return export.NewSummary(out, o.Output, table)
	}
	if o.Output == "parquet" {
		return o.Parquet.Cooked(out, o.Write, o.Columns, o.Files)
	}
	c := export.CookedOptions{Columns: o.Columns, Table: table, PDH: export.PDHOptions{UTC: o.UTC}, Metrics: export.MetricsOptions{Scratch: scratch}}
	if export.NeedsSeries(o.Output) {
		series, err := r.Columns()
		if err != nil {
			return nil, err
		}
		c.Series = series
	}
	w, err := export.NewCooked(out, o.Output, c)
	if err != nil {
		return nil, &cmdutil.UsageError{Text: "--with: " + err.Error()}
	}
	return w, nil
}

// advise says what to try where little came out.
func (o *Options) advise(frames, cells int) {
	switch {
	case frames == 0:
		o.Note("no snapshot lies between --from and --to")
	case cells == 0 && o.Any():
		asked := o.Counters
		if o.Query != "" {
			asked = append([]string{"the query " + o.Query}, asked...)
		}
		o.Note("nothing matches %s; perfdump dump shows what there is", cmdutil.Quoted(asked))
	case frames == 1:
		o.Note("one snapshot: rates need two, so give the next one as well")
	}
}

// Package cook is the verb that shows what the Performance Monitor would: the
// rates, percentages and averages that the raw values of a capture represent.
package cook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/beside"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/export"
)

// Options holds the flags of cook.
type Options struct {
	*cmdutil.Factory
	cmdutil.Cooking
	cmdutil.Parquet
	cmdutil.SQL

	Files   []string
	Output  string
	Write   string
	Summary bool
	Plain   bool
	Top     int
	Sort    string
	Exclude []string
	UTC     bool
	Page    uint32
	Columns []string
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "cook FILE...",
		Short:      "Show values over time, as the Performance Monitor does",
		SuggestFor: []string{"relog", "convert", "export"},
		Long: `Cook computes what counters show: rates, percentages and averages from pairs of
snapshots, and readings as they are. The files are one recording: they are
sorted by the times in them, in whatever order they are named. IPC control
blocks contain no times: they stay in the order given, --interval apart. Process
dumps contain the second at which they were made; --interval overrides it.

A value that cannot be computed is never 0; it has a status instead. In the
first snapshot rates are needs-second-sample; a counter that decreased is
negative-delta. perfdump types shows how each counter type is computed.

Windows calls processes name, name#1, name#2, and renumbers them when one ends.
If the capture has their process IDs, no value is computed from the samples of
two different processes: the status is instance-changed. pdh-csv, pdh-tsv and
sql compute it anyway, as Windows does. --pairing name or identity chooses for
any output. --key pid makes a series for each process, whatever its #n:
\Process(sqlservr:4242)\% Processor Time; rows then have the column pid.

` + cmdutil.PeriodHelp + `

Files of one recording, which is what one logger writes on one machine, may
overlap: a snapshot that occurs twice counts once. Two recordings of one machine
at the same time are both shown, and no value is computed across the two; the
column source says which one a row comes from. Notes report both cases.

FILE may be a directory, or - for standard input; gzip and zstd are unpacked.

--english shows English names of counters that were recorded in another
language. -c and --derive find counters by both names without it.

Outputs (-o):
  table        for reading: a column for each counter, or a line with the min,
               average, max and last value if there are many snapshots
  pdh-csv      what relog writes and PAL and Excel read; pdh-tsv with tabs. In
               UTF-8, or in the code page of --output-code-page, with ? for what
               it does not have; 1200 is UTF-16LE. Times are local times of
               the recorder, or of --tz; the header names the zone
  csv, jsonl   a row for each value: time, host, object, parent, instance,
               instance_index, counter, path, value, status; on request
               (--with) text, pdh_status, time_local, utc_offset_min, record,
               object_index, counter_index, source, pid. A value that is text
               has the status text; it is in the column text
  parquet      the columns of csv in a file for DuckDB, Spark and pandas
  sql          statements that add the logs to a database, in the tables that
               PDH uses: sqlite3 -bail log.db < log.sql. --dialect names another
               database. A log that the database has already stays as it is
  openmetrics  for promtool tsdb create-blocks-from openmetrics
  influx       InfluxDB line protocol

--summary writes the min, average, max and last value and percentiles of each
counter, as table, csv or jsonl. --top 10 shows those with the highest averages,
--sort chooses another number. --plain writes the table with bare numbers and
whole paths, however wide that is.

Switches (--cook), for questions that Windows and its documents answer in
several ways; the first word is the default:
` + cmdutil.SwitchesHelp(),
		Example: `  # A day of a server: min, average and max of what its disks did
  perfdump cook --summary -c '\PhysicalDisk(*)\*' testdata/story/srv-sql-01.blg.gz

  # Three minutes of it, when a backup began
  perfdump cook -c '\PhysicalDisk(1 D:)\*' --from 10:01 --to 10:04 testdata/story/srv-sql-01.blg.gz

  # One counter of all processors, as relog would write it
  perfdump cook -o pdh-csv -c '\Processor(*)\% Processor Time' testdata/story/srv-sql-01.blg.gz

  # The same in the code page of Japanese Windows
  perfdump cook -o pdh-csv --output-code-page 932 -c '\Processor(*)\% Processor Time' testdata/story/srv-sql-01.blg.gz

  # A log for a database: psql -v ON_ERROR_STOP=1 -f log.sql
  perfdump cook -o sql --dialect postgres -c '\Memory\*' testdata/story/srv-sql-01.blg.gz

  # Each process by its ID, also when its name#n changes
  perfdump cook --key pid -o csv -c '\Process(w3wp*)\% Processor Time' --from 13:04 --to 13:06 testdata/story/srv-sql-01.blg.gz

  # Two captures of a .NET process, ten seconds apart
  perfdump cook --interval 10s testdata/ipcblock/sxs_x86.bin testdata/ipcblock/sxs_x86.bin`,
		Args: cmdutil.AtLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if err := cmdutil.Promised(cmd, o.Write); err != nil {
				return err
			}
			if o.Write != "" && !o.Partition {
				return o.ToFile(o.Write, o.Read(o.Files), o.FailFast, func(f *cmdutil.Factory) error {
					to := *o
					to.Factory = f
					return run(cmd.Context(), &to)
				})
			}
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", cmdutil.Outputs(export.Output.Cooked, "parquet")...)
	flags := cmd.Flags()
	flags.StringVarP(&o.Write, "write", "w", "", "write to `FILE`, whole or not at all, instead of to standard output")
	flags.BoolVar(&o.Summary, "summary", false, "one line for each counter instead of its values")
	flags.BoolVar(&o.Plain, "plain", false, "bare numbers and whole paths in the table of a summary")
	flags.IntVar(&o.Top, "top", 0, "only the first `N` counters of a summary, sorted by --sort")
	cmdutil.Choice(cmd, &o.Sort, "sort", "", "", "sort a summary by this number, the highest first, or by name (default avg with --top)", export.Sorts()...)
	flags.StringArrayVar(&o.Exclude, "exclude", nil, "leave counters that match `PATH` out of a summary; may be repeated")
	flags.BoolVar(&o.UTC, "utc", false, "the same as --tz utc")
	flags.Uint32Var(&o.Page, "output-code-page", 0, "code page `N` of pdh-csv and pdh-tsv, such as 1252; 1200 is UTF-16LE (default UTF-8)")
	flags.StringSliceVar(&o.Columns, "with", nil, "further `COLUMNS` for csv, jsonl and parquet: "+strings.Join(export.CookedColumns(), ", "))
	o.Parquet.AddFlags(cmd)
	o.SQL.AddFlags(cmd)
	o.Cooking.AddFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options) error {
	if err := o.check(); err != nil {
		return err
	}
	out := cmdutil.OutputOf(o.Output)
	want := capture.CookOptions{Texts: o.texts()}
	if out.PDH {
		want.ByName = true
	}
	if out.Columns && o.Key == "pid" && !o.Summary {
		o.Columns = append(o.Columns, "pid")
	}
	want.Raw = out.Tuples || o.pids()
	return o.Show(ctx, o.Factory, "cook", o.Files, want, func(r *cmdutil.Recording) error {
		err := o.write(ctx, r)
		if errors.Is(err, export.ErrNoTime) {
			return &cmdutil.UsageError{
				Text: "-o " + o.Output + ": " + err.Error(),
				Hint: "-o csv and jsonl leave the time empty, -o table and --summary do without one",
			}
		}
		return err
	})
}

// check refuses flags that cannot be combined.
func (o *Options) check() error {
	if zone := &o.Period.Zone; o.UTC {
		if zone.Location != nil && zone.Location != time.UTC {
			return &cmdutil.UsageError{Text: "--utc and --tz " + zone.String() + " cannot be combined", Hint: "--utc is the same as --tz utc"}
		}
		zone.Location = time.UTC
	}
	out := cmdutil.OutputOf(o.Output)
	switch {
	case o.Summary && !out.Summary():
		return &cmdutil.UsageError{Text: "--summary is not for -o " + o.Output, Hint: "-o may be " + strings.Join(cmdutil.Outputs(export.Output.Summary), ", ")}
	case !o.Summary && (o.Top != 0 || o.Sort != "" || len(o.Exclude) > 0):
		return &cmdutil.UsageError{Text: "--top, --sort and --exclude are for summaries", Hint: "add --summary"}
	case o.Top < 0:
		return cmdutil.Usagef("--top %d: expected 1 or more", o.Top)
	case len(o.Columns) > 0 && (o.Summary || !out.Columns):
		return &cmdutil.UsageError{Text: "--with is for rows", Hint: "add -o jsonl or -o csv"}
	case o.Page != 0 && !out.PDHText():
		return &cmdutil.UsageError{Text: "--output-code-page is for pdh-csv and pdh-tsv", Hint: "add -o pdh-csv; all other outputs are UTF-8"}
	}
	if err := export.CheckCodePage(o.Page); err != nil {
		return &cmdutil.UsageError{Text: "--output-code-page: " + err.Error(), Hint: "1252 is that of western Windows, 932 of Japanese, 1200 UTF-16LE"}
	}
	if err := o.SQL.Check(o.Output); err != nil {
		return err
	}
	return o.Parquet.Check(o.Factory, o.Output, o.Write)
}

// write writes the frames of a recording.
func (o *Options) write(ctx context.Context, r *cmdutil.Recording) error {
	out := cmdutil.Output(ctx, o.IO.Out)
	var scratch cmdutil.Scratch
	defer func() { _ = scratch.Close() }()
	w, err := o.writer(out, r, &scratch)
	if err != nil {
		return err
	}
	defer cmdutil.Discard(w) // unless it is closed
	frames, cells := 0, 0
	for f, err := range r.Frames(ctx) {
		if err == nil && o.Budget.Err() == nil { // else the rest is counted
			err = w.WriteFrame(f)
		}
		if err != nil && !errors.Is(err, cmdutil.ErrTooLarge) {
			return err
		}
		frames++
		cells += len(f.Cells)
	}
	if r.Err() != nil && o.FailFast {
		return r.Err()
	}
	if o.Budget.Err() == nil {
		if err := r.Advise(ctx, frames, cells); err != nil {
			return err
		}
		err = w.Close()
	}
	if o.Budget.Err() != nil {
		o.Budget.Shape = o.shape(r, frames, cells)
		return o.Budget.Err()
	}
	if err != nil {
		return err
	}
	o.LeftOut(o.Output, w)
	return r.Err()
}

// shape says how large an output that was not finished would be.
func (o *Options) shape(r *cmdutil.Recording, frames, cells int) string {
	if cmdutil.OutputOf(o.Output).PDHText() {
		if columns, err := r.Columns(math.MaxInt); err == nil {
			return fmt.Sprintf("it would have %d rows x %d columns; -c PATH selects some", frames, len(columns))
		}
	}
	return fmt.Sprintf("it would have %d values in %d snapshots; -c PATH selects some", cells, frames)
}

func (o *Options) writer(out io.Writer, r *cmdutil.Recording, scratch *cmdutil.Scratch) (export.FrameWriter, error) {
	c := export.Options{
		Columns: o.Columns, Zone: o.Period.Zone.Location, CodePage: o.Page, Dialect: o.Dialect, Every: o.Every, Scratch: scratch,
		Width: o.IO.Width(), Cut: o.IO.StdoutTTY(), Color: o.IO.Color(), Plain: o.Plain, Top: o.Top, Sort: o.Sort, Rank: r.Rank(),
	}
	if o.Top > 0 && o.Sort == "" {
		c.Sort = "avg"
	}
	if !o.texts() && !o.pids() { // texts may be long, and workers would each keep some; they know no tuples
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Summary {
		exclude, err := r.Filter("--exclude", o.Exclude)
		if err != nil {
			return nil, err
		}
		if exclude != nil {
			c.Drop = exclude.Match
		}
		return export.NewSummary(out, o.Output, c)
	}
	if o.Output == "parquet" {
		w, err := o.Parquet.Cooked(o.Factory, out, o.Write, o.Columns, o.Files)
		if err == nil && c.Workers > 1 {
			w = beside.Writer(w)
		}
		return w, err
	}
	if cmdutil.OutputOf(o.Output).Series {
		limit := math.MaxInt
		if o.Output == "table" { // of more it has lines
			limit = o.IO.Width()
		}
		series, err := r.Columns(limit)
		if err != nil {
			return nil, err
		}
		if len(series) == 0 && o.Selection.Any() {
			out = io.Discard // rows of nothing: Advise ends the run
		}
		c.Series = series
	}
	w, err := export.NewCooked(out, o.Output, c)
	if err != nil {
		return nil, &cmdutil.UsageError{Text: "--with: " + err.Error()}
	}
	return w, nil
}

// texts reports whether the texts of text counters are asked for.
func (o *Options) texts() bool { return slices.Contains(o.Columns, "text") }

// pids reports whether rows say which process they are of.
func (o *Options) pids() bool { return slices.Contains(o.Columns, "pid") }

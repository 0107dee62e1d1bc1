// Package lake is the verb that keeps a Parquet data set of many machines.
package lake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/internal/lake"
	"github.com/perfdump/perfdump/internal/table"
)

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	var o lake.Options
	var dir, shard, commit, compact, check string
	cmd := &cobra.Command{
		Use:        "lake IN... -w DIR",
		Short:      "Keep a Parquet data set of many machines, again every night",
		SuggestFor: []string{"fleet", "dataset"},
		Long: `Lake writes the counters of many machines as Parquet files that DuckDB, Spark
and pandas read: below host=.../date=... the rows of perfdump cook -o parquet
--english, and in findings, machines and errors what was wrong with the
machines, what was recorded, and which inputs could not be read. The date is
that of UTC. Each file is sorted by object, counter, instance and time, so that
a query for one counter reads a part of it. docs/fleet.md has the tables, and
queries.

The logs that one collector wrote on one machine, one after the other, are one
recording: rates cross the border of two logs. Logs of one machine with other
loggers or time zones are recordings of their own. A long binary log is cut into
pieces of 256 MiB, which are cooked at the same time; the rows are the same.

Run it again with the same directory: it reads what is new, has grown or has
changed, and leaves the rest alone. Inputs are the same if size and time are, or
else the length and the first and last 64 KiB; --verify compares all bytes.
Inputs that have vanished stay in the lake unless --prune is given.

A run that is stopped or killed leaves the lake as it was. _lake/manifest.jsonl
says which files count; readers that go by it never see half a change.

Many workers share a run with --shard: each takes its share of the pieces, and
--commit then makes what they wrote part of the lake. --compact joins the files
of a day to files of about 128 MB. --check reads all bytes of the files, and
cooks the inputs again to compare the rows.

IN may be a directory; gzip and zstd are unpacked. Files without counter values
are passed over. The exit code is 2 if an input could not be read, or not
wholly.`,
		Example: `  # Every night: the logs of all servers into one lake
  perfdump lake testdata/story -w lake

  # The rows of what was deleted go, too
  perfdump lake --prune testdata/story -w lake

  # Two workers, and then one that joins what they wrote
  perfdump lake --shard 1/2 testdata/story -w shards
  perfdump lake --shard 2/2 testdata/story -w shards
  perfdump lake --commit shards

  # Fewer, larger files, and whether all is as it should be
  perfdump lake --compact lake
  perfdump lake --check lake`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Version = f.Version
			if commit != "" || compact != "" || check != "" {
				if len(args) > 0 || dir != "" || shard != "" {
					return &cmdutil.UsageError{Text: "--commit, --compact and --check take no inputs and no -w"}
				}
			}
			switch {
			case commit != "":
				res, err := lake.CommitShards(commit, o)
				return done(cmd.Context(), f, commit, o, res, err)
			case compact != "":
				return compactLake(cmd.Context(), f, compact, o)
			case check != "":
				return checkLake(cmd.Context(), f, check, o)
			}
			if len(args) == 0 {
				return cmdutil.AtLeastOneFile(cmd, args)
			}
			if dir == "" {
				return &cmdutil.UsageError{Text: "lake writes many files", Hint: "-w DIR names the directory for them"}
			}
			if shard != "" {
				one, of, _ := strings.Cut(shard, "/")
				o.Shard, _ = strconv.Atoi(one) // 0 for what is no number
				o.Shards, _ = strconv.Atoi(of)
				if o.Shard < 1 || o.Shard > o.Shards || o.Shards > maxShards {
					return &cmdutil.UsageError{Text: fmt.Sprintf("%q is no shard", shard), Hint: "the second of four is 2/4"}
				}
			}
			return run(cmd.Context(), f, dir, args, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&dir, "write", "w", "", "the `DIR` of the lake, which is made or added to")
	flags.IntVar(&o.Workers, "workers", 0, "cook `N` pieces at a time (default one a core)")
	flags.BoolVar(&o.Prune, "prune", false, "forget inputs that have vanished, and remove their rows")
	flags.BoolVar(&o.Verify, "verify", false, "compare all bytes of inputs to see whether they have changed")
	flags.StringVar(&shard, "shard", "", "cook the share `I/N` of a run by N workers, for --commit")
	flags.StringVar(&commit, "commit", "", "make what all shards have written part of the lake in `DIR`")
	flags.StringVar(&compact, "compact", "", "join the small files of the lake in `DIR`")
	flags.StringVar(&check, "check", "", "compare the lake in `DIR` with its manifest and its inputs")
	cmd.MarkFlagsMutuallyExclusive("commit", "compact", "check")
	return cmd
}

// mostNamed is how many machines a note names.
const mostNamed = 5

// maxShards is how many shards a run has at most.
const maxShards = 100_000

func run(ctx context.Context, f *cmdutil.Factory, dir string, args []string, o lake.Options) error {
	o.Progress = progress(f)
	for _, in := range args {
		if _, err := os.Stat(in); err != nil {
			f.Report(in, &perfdump.FormatError{Code: perfdump.CodeIO, Off: -1, Err: err})
			return cmdutil.ErrInput
		}
	}
	res, err := lake.Run(ctx, dir, args, o)
	f.Progress.Clear()
	return done(ctx, f, dir, o, res, err)
}

func progress(f *cmdutil.Factory) func(lake.Result) {
	return func(r lake.Result) {
		f.Progress.Tick(func() string {
			of := ""
			if r.Inputs > 0 {
				of = " of " + table.Plural(r.Inputs, "input")
			}
			return fmt.Sprintf("%d%%: %d of %s%s, %s", 100*r.Done/max(1, r.Bytes), r.Cooked, table.Plural(r.Pieces, "piece"), of, table.GroupedPlural(int(r.Rows), "row"))
		})
	}
}

func compactLake(ctx context.Context, f *cmdutil.Factory, dir string, o lake.Options) error {
	o.Progress = progress(f)
	res, err := lake.Compact(ctx, dir, o)
	f.Progress.Clear()
	if err != nil {
		return failed(ctx, f, dir, err)
	}
	_, err = fmt.Fprintf(cmdutil.Output(ctx, f.IO.Out), "%s of %s joined; the lake has %s in %s, %.1f MiB\n",
		table.GroupedPlural(int(res.Rows), "row"), table.Plural(res.Joined, "file"), table.GroupedPlural(int(res.All), "row"), table.Plural(res.Files, "file"), float64(res.Size)/(1<<20))
	return err
}

func checkLake(ctx context.Context, f *cmdutil.Factory, dir string, o lake.Options) error {
	o.Progress = progress(f)
	c, err := lake.Check(ctx, dir, o)
	f.Progress.Clear()
	if err != nil {
		return failed(ctx, f, dir, err)
	}
	out := cmdutil.Output(ctx, f.IO.Out)
	for _, wrong := range c.Wrong {
		if _, err := fmt.Fprintln(out, "wrong:", wrong); err != nil {
			return err
		}
	}
	for _, path := range c.Gone {
		if _, err := fmt.Fprintln(out, "gone or changed, so its rows cannot be compared:", path); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "%s and %s checked, %s cooked again: %s wrong\n",
		table.GroupedPlural(c.Files, "file"), table.GroupedPlural(int(c.Rows), "row"), table.GroupedPlural(c.Pieces, "piece"), table.Plural(len(c.Wrong), "thing"))
	if err == nil && len(c.Wrong) > 0 {
		return cmdutil.ErrInput
	}
	return err
}

// failed returns what ends a run: an error of writing, if it is not that there is no lake.
func failed(ctx context.Context, f *cmdutil.Factory, dir string, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, lake.ErrNone), errors.Is(err, lake.ErrShards):
		f.Report(dir, &perfdump.FormatError{Code: perfdump.CodeIO, Off: -1, Err: err})
		return cmdutil.ErrInput
	}
	return fmt.Errorf("%w to %s: %w", cmdutil.ErrOutput, dir, err)
}

// done says what a run has done.
func done(ctx context.Context, f *cmdutil.Factory, dir string, o lake.Options, res lake.Result, err error) error {
	if err != nil {
		return failed(ctx, f, dir, err)
	}
	for _, in := range res.Bad {
		bad := in.Failed()
		f.Report(in.Path, &perfdump.FormatError{Code: perfdump.Code(bad.Code), Off: bad.Offset, Err: errors.New(bad.Error)})
	}
	if n := len(res.Overlaps); n > 0 {
		f.Note("%s: recordings of %s overlap in time and are kept apart, see the table machines", strings.Join(res.Overlaps[:min(n, mostNamed)], ", "), table.Plural(n, "machine"))
	}
	if res.Inputs == 0 && res.Gone == 0 {
		f.Note("no input has counter values")
	}
	out := cmdutil.Output(ctx, f.IO.Out)
	all := fmt.Sprintf("the lake has %s in %.1f MiB", table.GroupedPlural(int(res.All), "row"), float64(res.Size)/(1<<20))
	if o.Shard > 0 {
		all = fmt.Sprintf("once all %d shards have ended, perfdump lake --commit %s makes them part of the lake", o.Shards, dir)
	}
	_, err = fmt.Fprintf(out, "%s: %d new or changed, %d unchanged, %d gone, %d with errors; %s passed over\n%s written to %s; %s\n",
		table.GroupedPlural(res.Inputs, "input"), res.New, res.Unchanged, res.Gone, res.Failed, table.Plural(res.Passed, "other file"),
		table.GroupedPlural(int(res.Rows), "row"), table.Plural(res.Written, "file"), all)
	if err == nil && res.Failed > 0 {
		return cmdutil.ErrInput
	}
	return err
}

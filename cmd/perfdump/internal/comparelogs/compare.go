// Package comparelogs is the verb compare: which counters moved between two
// recordings, and how far.
package comparelogs

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/comparison"
)

// Options holds the flags of compare.
type Options struct {
	*cmdutil.Factory
	cmdutil.Cooking

	Older, Newer string
	FromB, ToB   string
	Exclude      []string
	Output       string
	Write        string
	Align        string
	Top          int
	All          bool
	FailOn       string
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "compare A B",
		Short:      "Show which counters moved between two recordings, and how far",
		SuggestFor: []string{"baseline"},
		Long: `Compare holds two recordings against each other: a good day and a bad one, or
before and after a change. A is the older or the good one. For each counter it
shows the average, the 95th percentile and the max on both sides, those that
moved most first.

A counter is notable if its average or its 95th percentile moved by more than 3
spreads and by more than 10 %, over at least 10 samples on each side. The spread
is the median absolute deviation of the values in A: half of them are nearer to
their median. Where more than half of the values are the same, it is their
average distance from the median. It is 0 only if the counter never changed in
A; then it moves by 1,000 spreads, which is the most. What a few samples more or
less would change is not notable: an average within two standard errors, a
percentile within those of the ranks next to it. Elapsed times, up times and
process IDs are never notable. Percentiles are exact up to 128 values and within
1 % beyond.

Counters are matched by their English paths, so that logs in two languages can
be compared. Where each side is of one machine, the name of the machine does not
count. Processes of one name are one line, with the sum of their values, since
svchost#3 is another process each day; --key pid compares each by itself.
Counters that are only on one side are listed below the others.

A and B may each be a file, a directory, or one of them - for standard input;
gzip and zstd are unpacked. --from and --to are for both, unless B has its own,
--from-b and --to-b: two parts of one log can be compared.

` + cmdutil.PeriodHelp + `

Outputs (-o):
  table  for reading: the notable counters (--all shows the others too); those
         that say the same, as of a disk and its volume, are one
  jsonl  a line for each counter, in the same order: path, machine, object,
         instance, counter, unit, sides (both, older, newer), notable, spread,
         spreads, older and newer (samples, missing, min, avg, p95, max; null on
         the side that does not have it), avg and p95 (delta, percent; null if
         they cannot be computed)
  html   a page with a chart for each notable counter, A and B over each other:
         by the time of day, or by their starts (--align start)

Exit code 0, also if counters moved, unless --fail-on notable asks for 1.`,
		Example: `  # What was different when it was slow, from 10:02 to 10:19
  perfdump compare --from 09:00 --to 10:00 --from-b 10:02 --to-b 10:19 testdata/story/srv-sql-01.blg.gz testdata/story/srv-sql-01.blg.gz

  # The disks of two servers, as lines of JSON
  perfdump compare -o jsonl -c '\PhysicalDisk(*)\*' testdata/story/srv-quiet-01.blg.gz testdata/story/srv-sql-01.blg.gz | head -n 3`,
		Args: twoRecordings,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Older, o.Newer = args[0], args[1]
			if err := cmdutil.Promised(cmd, o.Write); err != nil {
				return err
			}
			if o.Write != "" {
				return o.ToFile(o.Write, o.Read(args), o.FailFast, func(f *cmdutil.Factory) error {
					to := *o
					to.Factory = f
					return run(cmd.Context(), &to)
				})
			}
			if o.Output == "html" && o.IO.StdoutTTY() {
				return &cmdutil.UsageError{Text: "the page is HTML, and standard output is a terminal", Hint: "-w compare.html writes it to a file"}
			}
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", "table", "jsonl", "html")
	flags := cmd.Flags()
	flags.StringVarP(&o.Write, "write", "w", "", "write to `FILE`, whole or not at all, instead of to standard output")
	flags.StringVar(&o.FromB, "from-b", "", "--from of B, a `TIME`; --from and --to are then for A alone")
	flags.StringVar(&o.ToB, "to-b", "", "--to of B, a `TIME`; --from and --to are then for A alone")
	flags.StringArrayVar(&o.Exclude, "exclude", nil, "leave out counters that match `PATH`; may be repeated")
	cmdutil.Choice(cmd, &o.Align, "align", "", "day", "lay the charts over each other by the time of day or by their starts", "day", "start")
	flags.IntVar(&o.Top, "top", 30, "at most `N` counters in the table, and charts in the page; 0 for all")
	flags.BoolVar(&o.All, "all", false, "counters that are not notable too, in the table")
	cmdutil.Choice(cmd, &o.FailOn, "fail-on", "", "", "exit with 1 if a counter is notable", "notable")
	o.AddFlags(cmd)
	return cmd
}

func twoRecordings(_ *cobra.Command, args []string) error {
	const hint = "name the older or good one, then the newer or bad one"
	switch {
	case len(args) != 2:
		return &cmdutil.UsageError{Text: fmt.Sprintf("compare takes two recordings, not %d", len(args)), Hint: hint}
	case args[0] == "-" && args[1] == "-":
		return &cmdutil.UsageError{Text: "both recordings are standard input, which can be read only once", Hint: "name a file for one of them"}
	}
	return nil
}

func run(ctx context.Context, o *Options) error {
	if o.Top < 0 {
		return cmdutil.Usagef("--top %d: expected 0 or more", o.Top)
	}
	older, newer := o.Cooking, o.Cooking
	if o.FromB != "" || o.ToB != "" {
		newer.From, newer.To = o.FromB, o.ToB
	}
	older.Counters, newer.Counters = slices.Clone(o.Counters), slices.Clone(o.Counters)
	want := capture.CookOptions{Kept: comparison.Kept}
	reached, notable := false, false
	err := older.Show(ctx, o.Factory, "compare", []string{o.Older}, want, func(a *cmdutil.Recording) error {
		reached = true
		err := newer.Show(ctx, o.Factory, "compare", []string{o.Newer}, want, func(b *cmdutil.Recording) (err error) {
			notable, err = o.compare(ctx, a, b)
			return err
		})
		return err
	})
	if err == nil && notable && o.FailOn != "" {
		return cmdutil.ErrFindings
	}
	if !reached && err != nil && !o.FailFast { // report what is wrong with both
		other := newer.Show(ctx, o.Factory, "compare", []string{o.Newer}, want, func(*cmdutil.Recording) error { return nil })
		return cmp.Or(err, other)
	}
	return err
}

// compare reads both recordings and writes what moved. It reports whether anything
// is notable.
func (o *Options) compare(ctx context.Context, a, b *cmdutil.Recording) (notable bool, err error) {
	c := &compared{o: o, older: comparison.NewSide(o.Key == "pid"), newer: comparison.NewSide(o.Key == "pid")}
	for _, side := range []struct {
		*comparison.Side
		of *cmdutil.Recording
	}{{c.older, a}, {c.newer, b}} {
		exclude, err := side.of.Filter("--exclude", o.Exclude)
		if err != nil {
			return false, err
		}
		if exclude != nil {
			side.Drop = exclude.Match
		}
		if err := each(ctx, side.of, side.Add); err != nil {
			return false, err
		}
	}
	if c.older.Frames == 0 || c.newer.Frames == 0 || c.older.Cells+c.newer.Cells == 0 {
		for _, err := range []error{a.Advise(ctx, c.older.Frames, c.older.Cells), b.Advise(ctx, c.newer.Frames, c.newer.Cells)} {
			if err != nil {
				return false, err
			}
		}
		return false, cmp.Or(a.Err(), b.Err())
	}
	if c.older.Inexact() {
		if err := each(ctx, a, c.older.Distances); err != nil {
			return false, err
		}
	}
	c.changes = comparison.Compare(c.older, c.newer)
	for n, change := range c.changes {
		if change.Notable {
			c.notable = c.changes[:n+1]
		}
	}
	if o.Output == "html" {
		groups := comparison.Fold(c.notable)
		c.shown = groups[:o.most(len(groups))]
		c.left = len(groups) - len(c.shown)
		c.align = comparison.Align(c.older, c.newer, o.Align == "day", c.shown)
		if err := each(ctx, a, func(f *capture.Frame) { c.align.Add(c.older, f) }); err != nil {
			return false, err
		}
		if err := each(ctx, b, func(f *capture.Frame) { c.align.Add(c.newer, f) }); err != nil {
			return false, err
		}
	}
	out := cmdutil.Output(ctx, o.IO.Out)
	switch o.Output {
	case "jsonl":
		err = c.lines(out)
	case "html":
		err = c.page(out)
	default:
		err = c.table(out)
	}
	return len(c.notable) > 0, cmp.Or(err, a.Err(), b.Err())
}

// each calls use with the frames of a recording.
func each(ctx context.Context, r *cmdutil.Recording, use func(*capture.Frame)) error {
	for f, err := range r.Frames(ctx) {
		if err != nil {
			return err
		}
		use(f)
	}
	return nil
}

// most is how many of n are shown.
func (o *Options) most(n int) int {
	if o.Top == 0 {
		return n
	}
	return min(n, o.Top)
}

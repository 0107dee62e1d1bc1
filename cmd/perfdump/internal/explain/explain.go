// Package explain is the verb that says what a code, an event or a word means.
package explain

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/derive"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/reference"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/table"
)

// Options holds the flags of explain.
type Options struct {
	*cmdutil.Factory
	cmdutil.Cooking

	Output string
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "explain WORD... | FILE PATH TIME",
		Short: "Say what a code or a counter means, or how a value came about",
		Long: `Explain says what the numbers and words of Windows and of perfdump mean, and
what to do.

  F3030000             the data of an event as the event log shows its bytes:
                       1011. Also "F3 03 00 00", with or without the quotes.
                       Eight digits are also read as a number if it is known.
  0x800007D5, 1011     a number: a status of PDH, an error code or a status of
                       Windows, a counter type
  loadperf:3001 D0 D1  an event of LoadPerf and its data, as bytes or as numbers
                       as above
  perflib:1008 D0      an event of Perflib in the same way
  flags:0x12           Configuration Flags of Perflib, bit by bit
  size-mismatch        an anomaly or an error of perfdump check
  E03                  a finding of perfdump doctor
  negative-delta       the status of a value
  PDH_NO_DATA          the name of a code, also without PDH_ or ERROR_
  "% Processor Time"   the English name of a counter, or a counter path: what it
                       counts, its unit and type, which values are normal, how
                       it misleads and what to look at with it. Some 240
                       counters are known, and objects of the network
  "Send batch size"    the name of a metric of --derive ndis
  ndis                 all such metrics, as a file to change for --derive-file

FILE PATH TIME shows how a value that cook prints came about: both raw samples,
their differences and clocks, the formula of the counter type with the numbers
put in, the result and the status. FILE is any recording, PATH one counter, and
TIME what --from of cook takes: 15:45, 2013-02-19 18:50, RFC 3339, or 5m after
the first snapshot. The value is that of the last sample at or before TIME.

If a word can be read in two ways, both are shown. A negative number needs two
dashes before it: perfdump explain -- -1073738822

The exit code is 0 if every word is known, 1 if one is not or there is no such
value, and 3 if a word cannot be a code or PATH is more than one counter.

Keys of -o json for FILE PATH TIME: file, record, path, time, type, older and
newer (time, first, second, multi, time_base, status), formula, numbers, steps,
value, shown, text, status, why, pdh_status.

Keys of -o json, an object a line for each word:
  word      as it was given
  known     whether any reading of it has a meaning
  readings  [{"as", "number", "hex", "meanings"}]; as is event-data, number,
            event, flags or word
  meanings  [{"source", "name", "text", "advice"}], for events with
            "data": [{"name", "number", "hex", "meanings"}], for counters with
            "objects" and "beware", and for those that people meet most
            "unit", "types", "normal", "paths" and "look_at"
  metrics   [{"name", "expression", "about"}]: the one of that name, or those
            that the counter is in
  see       words that may have been meant`,
		Example: `  # The data of an event, copied from the event log
  perfdump explain F3030000

  # An event of a provider that does not load, with its data
  perfdump explain perflib:1008 F3030000

  # A status of PDH, an anomaly and a status of perfdump
  perfdump explain 0xC0000BBA size-mismatch needs-second-sample

  # A finding of perfdump doctor
  perfdump explain E03

  # What a counter counts, what is normal, and what to look at with it
  perfdump explain '\PhysicalDisk(*)\Avg. Disk sec/Read'

  # How a value came about
  perfdump explain testdata/story/srv-sql-01.blg.gz '\PhysicalDisk(1 D:)\Avg. Disk sec/Read' 10:05`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &cmdutil.UsageError{Text: "explain needs a word", Hint: "a number, an event or a code: perfdump explain F3030000"}
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			names := slices.Concat(reference.Names(), metricNames())
			for _, rule := range registration.Rules() {
				names = append(names, rule.ID)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), o, args) },
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) == 1 && unknown.GetSpecifiedName() <= "9" {
			return &cmdutil.UsageError{Text: "explain: " + err.Error(), Hint: "put two dashes before a negative number: perfdump explain -- -5"}
		}
		return cmd.Parent().FlagErrorFunc()(cmd, err)
	})
	cmdutil.Choice(cmd, &o.Output, "output", "o", "text", "what to write", "text", "json")
	o.AddCellFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options, words []string) error {
	if isCell(words) {
		return runCell(ctx, o, words[0], words[1], words[2])
	}
	p := newPrinter(ctx, o)
	known := true
	for i, a := range reference.Words(words...) {
		if a.Problem != "" {
			return cmdutil.Usagef("explain: %q: %s", a.Word, a.Problem)
		}
		addRule(&a)
		w := &word{&a, metrics(&a)}
		if !w.known() && len(a.See) == 0 {
			if near, ok := cmdutil.Nearest(a.Word, metricNames()); ok {
				a.See = []string{near}
			}
		}
		known = known && w.known()
		switch {
		case o.Output == "json":
			p.json(w)
			continue
		case i > 0:
			p.Line("")
		}
		p.word(w)
	}
	if err := p.Flush(); err != nil {
		return err
	}
	if !known {
		return cmdutil.ErrFindings
	}
	return nil
}

func newPrinter(ctx context.Context, o *Options) *printer {
	return &printer{table.NewPrinter(cmdutil.Output(ctx, o.IO.Out), table.Options{Width: o.IO.Width(), Color: o.IO.Color()})}
}

// word is what there is to say of a word.
type word struct {
	*reference.Answer
	metrics []*derive.Metric // the one of that name, or those that the counter is in
}

func (w *word) known() bool { return w.Known() || len(w.metrics) > 0 }

// addRule gives an answer the rule of the doctor that the word is the id of.
func addRule(a *reference.Answer) {
	rules := registration.Rules()
	i := slices.IndexFunc(rules, func(r registration.Rule) bool { return strings.EqualFold(r.ID, a.Word) })
	if i < 0 {
		return
	}
	a.Readings[0].Meanings = append(a.Readings[0].Meanings, reference.Meaning{
		Source: reference.Rule, Name: rules[i].ID, Text: string(rules[i].Severity) + ": " + rules[i].Condition + ".", Advice: rules[i].Advice,
	})
	a.See = nil
}

// isSet reports whether a word is the name of the built-in set of metrics.
func isSet(word string) bool { return strings.EqualFold(word, "ndis") }

// metrics returns the built-in metric that a word is the name of, or those that
// the counter is in which it means.
func metrics(a *reference.Answer) (found []*derive.Metric) {
	set, _ := derive.NDIS()
	if isSet(a.Word) {
		return slices.Collect(set.All())
	}
	if m, ok := set.Find(a.Word); ok {
		return []*derive.Metric{m}
	}
	for _, r := range a.Readings {
		for _, m := range r.Meanings {
			found = append(found, using(&m)...)
		}
	}
	return found
}

// using returns the built-in metrics that a counter is in.
func using(m *reference.Meaning) (found []*derive.Metric) {
	set, _ := derive.NDIS()
	for metric := range set.Using(m.Name) {
		if slices.ContainsFunc(m.Objects, func(object string) bool { return has(object, metric) }) {
			found = append(found, metric)
		}
	}
	return found
}

// has reports whether an object, or its twin, has all counters of a metric.
func has(object string, m *derive.Metric) bool {
	twin, _ := derive.Twin(object)
	return !slices.ContainsFunc(m.Parts(), func(p derive.Part) bool {
		_, own := reference.OfCounter(object, p.Counter)
		_, other := reference.OfCounter(twin, p.Counter)
		return !own && !other || p.Object != "" && p.Object != object
	})
}

func metricNames() []string {
	set, _ := derive.NDIS()
	names := []string{"ndis"}
	for m := range set.All() {
		names = append(names, m.Name)
	}
	return names
}

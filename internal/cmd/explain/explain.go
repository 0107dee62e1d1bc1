// Package explain is the verb that says what a code, an event or a word means.
package explain

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfdump/perfdump/derive"
	"github.com/perfdump/perfdump/explain"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/lodctr"
)

// Options are the flags of explain.
type Options struct {
	*cmdutil.Factory

	Words  []string
	Output string
}

// NewCmd returns the command. runF is run in the place of the verb, for tests.
func NewCmd(f *cmdutil.Factory, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "explain WORD...",
		Short: "Say what a code or an event means",
		Long: `Explain says what the numbers and words mean that Windows and perfdump give in
the place of an explanation, and what to do.

  F3030000             the data of an event as the event log shows its bytes:
                       1011. Also "F3 03 00 00", with or without the quotes.
                       Eight digits are read as the number that they are, too,
                       where that one is known.
  0x800007D5, 1011     a number: a status of PDH, an error code or a status of
                       Windows, a counter type
  loadperf:3001 D0 D1  an event of LoadPerf; what stands behind it is its data,
                       as bytes or as numbers like the above
  perflib:1008 D0      an event of Perflib in the same way
  flags:0x12           Configuration Flags of Perflib, bit by bit
  size-mismatch        an anomaly or an error of perfdump check
  E03                  a finding of perfdump doctor
  negative-delta       the status of a value
  PDH_NO_DATA          the name of a code, also without PDH_ or ERROR_
  "Sent Packets/sec"   the English name of a counter or an object of the
                       network, or a counter path: what it counts, how it
                       misleads, and the metrics of --derive ndis that it is in
  "Send batch size"    the name of such a metric
  ndis                 all of them, as a file for --derive-file to be changed

Where a word can be read in two ways, both are told. A number with a minus sign
goes behind two dashes: perfdump explain -- -1073738822

It exits with 0 where every word is known, 1 where one is not, and 3 where one
cannot be a code at all.

Keys of -o json, an object a line for each word:
  word      as it was given
  known     whether any reading of it has a meaning
  readings  [{"as", "number", "hex", "meanings"}]; as is event-data, number,
            event, flags or word
  meanings  [{"source", "name", "text", "advice"}], for events with
            "data": [{"name", "number", "hex", "meanings"}], for counters with
            "objects" and "beware"
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

  # What a counter of the network counts, and what to beware of
  perfdump explain 'Received Packets/sec'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &cmdutil.UsageError{Text: "explain needs a word", Hint: "a number, an event or a code: perfdump explain F3030000"}
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return slices.Concat(explain.Names(), metricNames(), ruleIDs()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Words = args
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) == 1 && unknown.GetSpecifiedName() <= "9" {
			return &cmdutil.UsageError{Text: "explain: " + err.Error(), Hint: "put two dashes before a negative number: perfdump explain -- -5"}
		}
		return cmd.Parent().FlagErrorFunc()(cmd, err)
	})
	cmdutil.Choice(cmd, &o.Output, "output", "o", "text", "what to write", "text", "json")
	return cmd
}

func run(ctx context.Context, o *Options) error {
	p := &printer{
		w: cmdutil.Output(ctx, o.IO.Out), width: min(max(o.IO.Width(), 40), maxWidth),
	}
	p.style.On = o.IO.Color()
	known := true
	for i, a := range explain.Words(o.Words...) {
		if a.Problem != "" {
			return cmdutil.Usagef("explain: %q: %s", a.Word, a.Problem)
		}
		addRule(&a)
		p.metrics = metrics(&a)
		if len(p.metrics) == 0 && !a.Known() && len(a.See) == 0 {
			if near, ok := cmdutil.Nearest(a.Word, metricNames()); ok {
				a.See = []string{near}
			}
		}
		known = known && (a.Known() || len(p.metrics) > 0)
		if o.Output == "json" {
			p.json(&a)
		} else {
			if i > 0 {
				p.line(0, "")
			}
			p.answer(&a)
		}
		if p.err != nil {
			return p.err
		}
	}
	if !known {
		return cmdutil.ErrFindings
	}
	return nil
}

// addRule gives an answer the rule of the doctor that the word is the id of.
func addRule(a *explain.Answer) {
	for _, rule := range lodctr.Rules() {
		if len(a.Readings) == 0 || !strings.EqualFold(rule.ID, a.Word) {
			continue
		}
		r := &a.Readings[0]
		r.Meanings = append(r.Meanings, explain.Meaning{
			Source: explain.Rule, Name: rule.ID, Text: string(rule.Severity) + ": " + rule.Condition + ".", Advice: rule.Advice,
		})
		a.See = nil
	}
}

// isSet reports whether a word is the name of the built-in set of metrics.
func isSet(word string) bool { return strings.EqualFold(word, "ndis") }

// metrics returns the built-in metric that a word is the name of, or those that
// the counter is in which it means.
func metrics(a *explain.Answer) []*derive.Metric {
	set, _ := derive.NDIS()
	if isSet(a.Word) {
		return slices.Collect(set.All())
	}
	if m, ok := set.Find(a.Word); ok {
		return []*derive.Metric{m}
	}
	var found []*derive.Metric
	for _, r := range a.Readings {
		for _, m := range r.Meanings {
			found = append(found, using(&m)...)
		}
	}
	return found
}

// using returns the built-in metrics that a counter is in.
func using(m *explain.Meaning) []*derive.Metric {
	set, _ := derive.NDIS()
	var found []*derive.Metric
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
		_, own := explain.OfCounter(object, p.Counter)
		_, other := explain.OfCounter(twin, p.Counter)
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

func ruleIDs() []string {
	var ids []string
	for _, rule := range lodctr.Rules() {
		ids = append(ids, rule.ID)
	}
	return ids
}

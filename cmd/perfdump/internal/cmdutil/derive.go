package cmdutil

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/derive"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/wire"
)

// builtIn is the name of the set that is built in.
const builtIn = "ndis"

// Derive holds the flags that say which metrics are derived.
type Derive struct {
	Metrics     []string
	MetricFiles []string // files of metrics
}

// AddFlags registers the flags.
func (d *Derive) AddFlags(cmd *cobra.Command) {
	group(cmd, groupValues, func() {
		flags := cmd.Flags()
		flags.StringArrayVar(&d.Metrics, "derive", nil, "add a metric computed from counters of one instance, 'NAME = EXPRESSION'; or a built-in `METRIC` by its name, or ndis for all of those; may be repeated")
		flags.StringArrayVar(&d.MetricFiles, "derive-file", nil, "add the metrics in `FILE`, one a line, as for --derive")
	})
}

// Set returns the requested metrics, nil for none. A metric of --derive replaces
// one of the same name in a file, which replaces a built-in one.
func (d *Derive) Set() (*derive.Set, error) {
	if len(d.Metrics)+len(d.MetricFiles) == 0 {
		return nil, nil //nolint:nilnil // no flags, no set
	}
	all := &derive.Set{}
	for _, word := range d.Metrics {
		if strings.Contains(word, "=") {
			continue
		}
		if err := addBuiltIn(all, strings.TrimSpace(word)); err != nil {
			return nil, err
		}
	}
	for _, name := range d.MetricFiles {
		text, err := ReadWords("--derive-file", name)
		if err != nil {
			return nil, err
		}
		set, err := derive.Parse(text)
		if err != nil {
			return nil, Usagef("--derive-file: %s: %v", name, err)
		}
		add(all, set)
	}
	for _, text := range d.Metrics {
		if !strings.Contains(text, "=") {
			continue
		}
		set, err := derive.ParseString(text)
		if err != nil {
			fe := wire.AsFormatError(err)
			return nil, &UsageError{
				Text: fmt.Sprintf("--derive %q: %s (offset %d)", text, fe.Message(), fe.Off),
				Hint: "perfdump help derive has the grammar",
			}
		}
		add(all, set)
	}
	return all, nil
}

func add(to, set *derive.Set) {
	for m := range set.All() {
		to.Add(m)
	}
}

// addBuiltIn adds the built-in set, or one of its metrics.
func addBuiltIn(to *derive.Set, word string) error {
	set, _ := derive.NDIS()
	if strings.EqualFold(word, builtIn) {
		add(to, set)
		return nil
	}
	if m, ok := set.Find(word); ok {
		to.Add(m)
		return nil
	}
	names := []string{builtIn}
	for m := range set.All() {
		names = append(names, m.Name)
	}
	e := &UsageError{Text: fmt.Sprintf("--derive %q: there is no built-in metric of that name", word), Hint: "use 'NAME = EXPRESSION', ndis, or the name of one of its metrics: see perfdump help derive"}
	if near, ok := Nearest(word, names); ok {
		e.Hint = fmt.Sprintf("did you mean %q?", near)
	}
	return e
}

// maxAdvice is how many metrics without counters are reported one by one.
const maxAdvice = 5

// advise reports the metrics without counters. Single built-in ones are
// expected to have none.
func (d *Derive) advise(f *Factory, b *derive.Binding) {
	set, _ := derive.NDIS()
	known, reported := 0, 0
	for _, u := range b.Unbound() {
		if m, ok := set.Find(u.Metric.Name); ok && m.Expression == u.Metric.Expression {
			known++
			continue
		}
		if reported++; reported > maxAdvice {
			continue
		}
		switch {
		case u.Nowhere:
			f.Note("--derive: %s is left out: nothing has the counter %s; perfdump dump shows what there is", cell.Clean(u.Metric.Name), cell.Clean(u.Part.String()))
		case u.Taken:
			f.Note("--derive: %s is left out: its object has a counter of that name already; choose another name", cell.Clean(u.Metric.Name))
		default:
			f.Note("--derive: %s is left out: no instance has all its counters", cell.Clean(u.Metric.Name))
		}
	}
	if reported > maxAdvice {
		f.Note("--derive: %d more are left out", reported-maxAdvice)
	}
	if known == set.Len() {
		f.Note("--derive: no object has the counters of ndis: Per Processor Network Interface Card Activity, Per Processor Network Activity Cycles")
	}
}

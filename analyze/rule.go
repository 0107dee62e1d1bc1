package analyze

import (
	"iter"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/internal/expression"
	"github.com/perfdump/perfdump/pdhpath"
)

// Rule says what is wrong where a counter, or a value that is computed from
// counters, has certain values for a time.
type Rule struct {
	Name  string
	Title string // what is wrong, in a few words
	Area  string // one of [Areas]
	Means string // what it is that is wrong
	Next  string // what to look at next
	Link  string // public documentation, "" for none

	text     string // the section, as it was read
	counter  string // the path of the counter, "" for a metric
	metric   *expression.Metric
	instance *pdhpath.Pattern // of the instances of the counter; nil for any
	except   []*pdhpath.Pattern
	inputs   []input // counters: those of the metric, then those of when and of ratios
	facts    []string
	when     []condition
	levels   [numSeverities]*level // nil for none
	show     []*pdhpath.Pattern
}

// Areas are the areas of a rule.
func Areas() []string {
	return []string{"cpu", "memory", "disk", "network", "process", "dotnet", "sql", "iis", "hyperv", "exchange", "other"}
}

// input is a counter that a rule reads. Its object and counter are folded.
type input struct {
	object, counter string
	instance        string // a fixed one, folded; "" for that of the rule
	global          bool   // of an object without instances
	path            string // for people
}

// Text returns the rule as it was read: a section of a file of rules.
func (r *Rule) Text() string { return r.text }

// Counter returns what the rule checks: the path of a counter, or an
// expression.
func (r *Rule) Counter() string {
	if r.metric != nil {
		return r.metric.Expression
	}
	return r.counter
}

// Rules is a list of rules whose names differ.
type Rules struct{ all []*Rule }

// All yields the rules in their order.
func (r *Rules) All() iter.Seq[*Rule] { return slices.Values(r.all) }

// Len returns how many rules there are.
func (r *Rules) Len() int { return len(r.all) }

// Add adds the rules of another list. A rule replaces the one of its name.
func (r *Rules) Add(more *Rules) {
	at := map[string]int{}
	for i, rule := range r.all {
		at[strings.ToLower(rule.Name)] = i
	}
	for _, rule := range more.all {
		if i, ok := at[strings.ToLower(rule.Name)]; ok {
			r.all[i] = rule
			continue
		}
		at[strings.ToLower(rule.Name)] = len(r.all)
		r.all = append(r.all, rule)
	}
}

// Remove removes a rule and reports whether there was one of that name.
func (r *Rules) Remove(name string) bool {
	n := len(r.all)
	r.all = slices.DeleteFunc(r.all, func(rule *Rule) bool { return strings.EqualFold(rule.Name, name) })
	return len(r.all) < n
}

func fold(s string) string { return strings.ToLower(s) }

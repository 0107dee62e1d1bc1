package cmdutil

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/pdhpath"
)

// Choices collects what is there, for advice on paths that match nothing.
type Choices struct {
	objects   list
	object    string // one that a path matches
	counters  list
	counter   string // one that the path matches, although its instance is missing
	instances list   // of object
	hosts     list   // of objects that a path matches except for the host
	here      bool   // a path matches an object and its host
	idle      string // a counter set without instances that a path matches
}

// maxChoices is how many counters, instances and paths a message lists.
const maxChoices = 12

// named returns the paths that a message names, the first of what may be thousands.
func named(paths []string) []string { return paths[:min(len(paths), maxChoices)] }

// maxNames bounds the names that are remembered.
const maxNames = 10_000

// list is a list of different names, in order of appearance.
type list struct {
	names []string
	known map[string]bool
}

func (l *list) add(names ...string) {
	for _, name := range names {
		if l.known[name] || len(l.names) == maxNames {
			continue
		}
		if l.known == nil {
			l.known = map[string]bool{}
		}
		l.known[name] = true
		l.names = append(l.names, name)
	}
}

// lookHost adds the host of an object that a path matches.
func (c *Choices) lookHost(p *pdhpath.Pattern, host string) {
	if host == "" || p.MatchMachine(host) {
		c.here = true
		return
	}
	c.hosts.add(host)
}

// Look adds the names of an object that no path matches.
func (c *Choices) Look(n *capture.ObjectNames, paths []string) {
	var patterns []*pdhpath.Pattern
	for _, path := range named(paths) {
		if p, err := pdhpath.Compile(path); err == nil {
			patterns = append(patterns, p)
		}
	}
	c.look(n, patterns, n.Object, n.Counters)
}

// look adds the names of an object. object and counters are other names of it
// and its counters.
func (c *Choices) look(n *capture.ObjectNames, patterns []*pdhpath.Pattern, object string, counters []string) {
	c.objects.add(n.Object)
	for _, p := range patterns {
		if !p.MatchObject(n.Object) && !p.MatchObject(object) {
			continue
		}
		c.lookHost(p, n.Host)
		i := max(slices.IndexFunc(n.Counters, p.MatchCounter), slices.IndexFunc(counters, p.MatchCounter))
		switch {
		case c.object != "" && c.object != n.Object:
		case i >= 0 && n.Idle:
			c.idle = n.Object
		default:
			c.object = n.Object
			c.counters.add(n.Counters...)
			if i >= 0 && (c.counter == "" || c.counter == n.Counters[i]) {
				c.counter = n.Counters[i]
				c.instances.add(n.Instances...)
			}
		}
	}
}

// LookItem adds an object and a counter of it.
func (c *Choices) LookItem(object, counter string, paths []string) {
	c.objects.add(object)
	for _, path := range named(paths) {
		p, err := pdhpath.Compile(path)
		if err != nil || !p.MatchObject(object) || c.object != "" && c.object != object {
			continue
		}
		c.object = object
		c.counters.add(counter)
	}
}

// lookSeries adds the names of a series.
func (c *Choices) lookSeries(s *capture.Series, patterns []*pdhpath.Pattern) {
	n := &capture.ObjectNames{Host: s.Host, Object: s.Object, Counters: []string{s.Counter}}
	if s.HasInstance {
		n.Instances = []string{s.DisplayName()}
	}
	object, counter := s.English()
	c.look(n, patterns, object, []string{counter})
}

// lookSets adds the version 2 counter sets of a recording that have no series.
func (c *Choices) lookSets(r *capture.Recording, patterns []*pdhpath.Pattern) {
	for set, counters := range r.CounterSets() {
		if c.objects.known[set] {
			continue
		}
		c.objects.add(set)
		for _, p := range patterns {
			if p.MatchObject(set) && slices.ContainsFunc(counters, p.MatchCounter) {
				c.idle = set
			}
		}
	}
}

// Advice says what there is instead of what the paths name, the nearest
// name first, "" where there is nothing.
func (c *Choices) Advice(paths []string) string {
	object := func(p pdhpath.Path) string { return p.Object }
	counter := func(p pdhpath.Path) string { return p.Counter }
	instance := func(p pdhpath.Path) string { return string(pdhpath.AppendInstance(nil, p.Parent, p.Instance, p.Index)) }
	machine := func(p pdhpath.Path) string { return p.Machine }
	switch {
	case !c.here && len(c.hosts.names) == 1:
		return c.hosts.nearest(paths, machine) + "the machine here is " + few(c.hosts.names)
	case !c.here && len(c.hosts.names) > 1:
		return c.hosts.nearest(paths, machine) + "the machines here are " + few(c.hosts.names)
	case c.object == "" && c.idle != "":
		return fmt.Sprintf("the counter set %q is there and has no instances", c.idle)
	case c.counter != "" && len(c.instances.names) == 0:
		return fmt.Sprintf("object %q is there and has no instances: \\%s\\%s", c.object, c.object, c.counter)
	case c.counter != "":
		return c.instances.nearest(paths, instance) + fmt.Sprintf("object %q is there; its instances are: %s; (*) is all of them", c.object, few(c.instances.names))
	case c.object != "" && len(c.counters.names) > 0:
		return c.counters.nearest(paths, counter) + fmt.Sprintf("object %q is there; its counters are: %s", c.object, few(c.counters.names))
	case len(c.objects.names) > 0:
		return c.objects.nearest(paths, object) + "objects here: " + joined(c.objects.names)
	default:
		return ""
	}
}

// nearest asks whether names were meant that a part of the paths resembles, "" where there are none.
func (l *list) nearest(paths []string, part func(pdhpath.Path) string) string {
	var near list
	for _, path := range named(paths) {
		p, err := pdhpath.Parse(path)
		if err != nil {
			continue
		}
		word := strings.ReplaceAll(part(p), "*", "")
		if _, err := strconv.Atoi(word); err == nil {
			continue // an index, and no other is near it
		}
		if name, ok := Nearest(word, l.names); ok && !strings.EqualFold(name, word) {
			near.add(name)
		}
	}
	if len(near.names) == 0 {
		return ""
	}
	return "did you mean " + strings.ReplaceAll(joined(near.names), ", ", " or ") + "? "
}

// few lists the first of the names.
func few(names []string) string {
	text := joined(named(names))
	if n := len(names) - maxChoices; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

func joined(names []string) string {
	var all []string
	for _, name := range names {
		name = cell.Cut(cell.Clean(name), 60)
		if strings.Contains(name, ",") { // an instance of Processor Information
			name = `"` + name + `"`
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

// NothingMatches reports that nothing matches the paths or the query, with
// advice. It returns ErrFindings.
func (f *Factory) NothingMatches(paths []string, query, advice string) error {
	asked := paths
	if query != "" {
		asked = append([]string{"the query " + query}, asked...)
	}
	if advice == "" {
		advice = "perfdump info says what there is"
	}
	if f.Target != "" {
		advice += "; " + f.Target + " is not written"
	}
	f.Note("nothing matches %s; %s", few(asked), advice)
	return ErrFindings
}

// Quoted returns paths for a message.
func Quoted(paths []string) string { return cell.Clean(strings.Join(paths, " and ")) }

// Has returns "1 index has" or "3 indexes have".
func Has(n int, one, many string) string {
	if n == 1 {
		return "1 " + one + " has"
	}
	return fmt.Sprintf("%d %s have", n, many)
}

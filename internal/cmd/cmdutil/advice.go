package cmdutil

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
	"github.com/perfdump/perfdump/pdhpath"
)

// Choices are what a path could have been for where it is for nothing.
type Choices struct {
	objects   list
	object    string // one that a path is for
	counters  list
	counter   string // one of them that the path is for; its instance is not there
	instances list   // of object
	hosts     list   // of objects that a path is for, but for the host
	here      bool   // an object that a path is for is there of a host that it is for
	idle      string // a counter set without instances that a path is for
}

// maxChoices is how many counters, instances and paths an advice lists.
const maxChoices = 12

// named returns the paths that a message names: of thousands, advice is for these.
func named(paths []string) []string { return paths[:min(len(paths), maxChoices)] }

// maxNames bounds the names that are remembered.
const maxNames = 10_000

// list is names without repeats, in the order in which they came.
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

// Look takes the names of a snapshot that none of the paths is for.
func (c *Choices) Look(s *capture.Snapshot, paths []string) {
	for name := range s.ObjectNames() {
		c.objects.add(name)
		if c.object != "" {
			continue
		}
		for _, path := range named(paths) {
			if p, err := pdhpath.Compile(path); err == nil && p.MatchObject(name) {
				c.lookObject(s, p, name)
			}
		}
	}
}

// lookObject takes what an object has that a path is for but for something in
// it.
func (c *Choices) lookObject(s *capture.Snapshot, p *pdhpath.Pattern, name string) {
	c.object = name
	c.counters.add(slices.Collect(s.CounterNames(name))...)
	c.lookHost(p, s.Host)
	if i := slices.IndexFunc(c.counters.names, p.MatchCounter); i >= 0 {
		c.counter = c.counters.names[i]
		c.instances.add(slices.Collect(s.InstanceNames(name))...)
	}
}

// lookHost takes the host of an object that a path is for.
func (c *Choices) lookHost(p *pdhpath.Pattern, host string) {
	if host == "" || p.MatchMachine(host) {
		c.here = true
		return
	}
	c.hosts.add(host)
}

// LookLog takes what a record of a log has besides whole objects.
func (c *Choices) LookLog(n *capture.LogNames, paths []string) {
	c.objects.add(n.Object)
	for _, path := range named(paths) {
		p, err := pdhpath.Compile(path)
		if err != nil || !p.MatchObject(n.Object) {
			continue
		}
		c.lookHost(p, n.Host)
		i := slices.IndexFunc(n.Counters, p.MatchCounter)
		switch {
		case c.object != "" && c.object != n.Object:
		case i >= 0 && n.Idle:
			c.idle = n.Object
		default:
			c.object = n.Object
			c.counters.add(n.Counters...)
			if i >= 0 {
				c.counter = n.Counters[i]
				c.instances.add(n.Instances...)
			}
		}
	}
}

// LookBlocks takes the categories of the counters of IPC control blocks.
func (c *Choices) LookBlocks(paths []string) {
	all := ipcblock.Counters()
	for i := range all {
		if k := &all[i]; !k.IsBase() {
			c.LookItem(k.Category, k.Name, paths)
		}
	}
}

// LookVector takes the objects of the counters of ASP.NET.
func (c *Choices) LookVector(v aspnet.Version, paths []string) {
	all := aspnet.Counters(v)
	for i := range all {
		c.LookItem(capture.VectorObject(all[i].Scope), capture.VectorName(&all[i]), paths)
	}
}

// LookItem takes an object and a counter of it.
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

// lookSeries takes what a value is of.
func (c *Choices) lookSeries(s *capture.Series, patterns []*pdhpath.Pattern) {
	c.objects.add(s.Object)
	object, counter := s.English()
	for _, p := range patterns {
		if !p.MatchObject(s.Object) && !p.MatchObject(object) {
			continue
		}
		c.lookHost(p, s.Host)
		if c.object != "" && c.object != s.Object {
			continue
		}
		c.object = s.Object
		c.counters.add(s.Counter)
		if !p.MatchCounter(s.Counter) && !p.MatchCounter(counter) || c.counter != "" && c.counter != s.Counter {
			continue
		}
		c.counter = s.Counter
		if s.HasInstance {
			c.instances.add(string(s.AppendInstance(nil)))
		}
	}
}

// lookSets takes the version 2 counter sets of a recording that have no series.
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

// Advice says what there is in the place of what the paths are for, the nearest
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

// nearest returns a question for the names that a part of the paths is probably
// a slip for, "" where there are none.
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

// NothingMatches says that nothing was found of what was asked for, and what there
// is. The result is ErrFindings.
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

// Quoted returns paths as a message has them.
func Quoted(paths []string) string { return cell.Clean(strings.Join(paths, " and ")) }

// Has returns "1 index has" or "3 indexes have".
func Has(n int, one, many string) string {
	if n == 1 {
		return "1 " + one + " has"
	}
	return fmt.Sprintf("%d %s have", n, many)
}

// NoVerbError says that a verb does not read the format of an input.
type NoVerbError struct {
	Verb    string
	Format  detect.Format
	Without string // what this file of the format lacks for it, "" where all do
}

func (e *NoVerbError) Error() string {
	if text := e.Format.Foreign(); text != "" {
		return fmt.Sprintf("this is %s: %s", e.Format, text)
	}
	if e.Format == detect.Titles && e.Verb == "dump" {
		return "this is a table of names; give it by --titles to a capture (`perfdump titles` lists it)"
	}
	if strings.HasSuffix(e.Verb, "-titles") {
		return fmt.Sprintf("this is %s and no table of names; want the value \"Counter 009\" or lines such as 6 : %% Processor Time (%s)", e.Format, reader(e.Format))
	}
	text := e.Format == detect.PDHCSV || e.Format == detect.PDHTSV
	switch {
	case text && strings.HasPrefix(e.Verb, "dump"):
		return fmt.Sprintf("%s holds displayed values and no raw ones: use `perfdump cook`", e.Format)
	case e.Verb == "diff" && (text || e.Format == detect.BLG || e.Format == detect.Checkmk):
		return fmt.Sprintf("diff compares moments, and %s is a log over time: compare what `perfdump info -o json` or `perfdump cook --summary -o csv` say of each", e.Format)
	}
	format := string(e.Format)
	if e.Without != "" {
		format += " without " + e.Without
	}
	hint := reader(e.Format)
	if strings.HasPrefix(e.Verb, "dump ") {
		hint = "`perfdump dump` without that shows it"
	}
	return fmt.Sprintf("%s does not read the format %s; %s", e.Verb, format, hint)
}

// reader names the verb that shows what files of a format hold.
func reader(f detect.Format) string {
	switch f {
	case detect.Titles:
		return "`perfdump titles` lists its names"
	case detect.PerfStrings:
		return "`perfdump titles` lists its names, `perfdump dump` what it tells of services"
	case detect.INIFile, detect.SymbolH, detect.Reg, detect.Hive, detect.Manifest:
		return "it registers counters and has no values: `perfdump dump` shows what it registers"
	case detect.PDHCSV, detect.PDHTSV:
		return "`perfdump cook` shows its values"
	case detect.PerfLib2:
		return "it does not say what types its counters have: `perfdump dump` shows their raw values"
	case detect.Carve:
		return "`perfdump info --format carve` lists what is found, `perfdump dump --format carve` shows it"
	default:
		return "`perfdump dump` shows its values"
	}
}

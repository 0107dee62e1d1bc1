package cmdutil

import (
	"fmt"
	"slices"
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
	objects   []string
	object    string // one that a path is for
	counters  []string
	counter   string   // one of them that the path is for; its instance is not there
	instances []string // of object
	hosts     []string // where the path is for another one
}

// maxChoices is how many names an advice lists.
const maxChoices = 12

// named returns the paths that a message names: of thousands, advice is for these.
func named(paths []string) []string { return paths[:min(len(paths), maxChoices)] }

// maxObjects bounds the names of objects that are remembered.
const maxObjects = 1000

// Look takes the names of a snapshot that none of the paths is for.
func (c *Choices) Look(s *capture.Snapshot, paths []string) {
	for name := range s.ObjectNames() {
		if len(c.objects) < maxObjects && !slices.Contains(c.objects, name) {
			c.objects = append(c.objects, name)
		}
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
	c.object, c.counters = name, slices.Collect(s.CounterNames(name))
	if s.Host != "" && !p.MatchMachine(s.Host) && !slices.Contains(c.hosts, s.Host) {
		c.hosts = append(c.hosts, s.Host)
	}
	if i := slices.IndexFunc(c.counters, p.MatchCounter); i >= 0 {
		c.counter, c.instances = c.counters[i], slices.Collect(s.InstanceNames(name))
	}
}

// LookBlocks takes the categories of the counters of IPC control blocks.
func (c *Choices) LookBlocks(paths []string) {
	all := ipcblock.Counters()
	for i := range all {
		if k := &all[i]; !k.IsBase() {
			c.lookCounter(k.Category, k.Name, paths)
		}
	}
}

// LookVector takes the objects of the counters of ASP.NET.
func (c *Choices) LookVector(v aspnet.Version, paths []string) {
	all := aspnet.Counters(v)
	for i := range all {
		c.lookCounter(capture.VectorObject(all[i].Scope), capture.VectorName(&all[i]), paths)
	}
}

// LookItem takes an object and a counter of it.
func (c *Choices) LookItem(object, counter string, paths []string) {
	if len(c.objects) < maxObjects || slices.Contains(c.objects, object) {
		c.lookCounter(object, counter, paths)
	}
}

// lookSeries takes what a value is of.
func (c *Choices) lookSeries(s *capture.Series, patterns []*pdhpath.Pattern) {
	if !slices.Contains(c.objects, s.Object) {
		if len(c.objects) == maxObjects {
			return
		}
		c.objects = append(c.objects, s.Object)
	}
	for _, p := range patterns {
		if !p.MatchObject(s.Object) || c.object != "" && c.object != s.Object {
			continue
		}
		c.object = s.Object
		if s.Host != "" && !p.MatchMachine(s.Host) && !slices.Contains(c.hosts, s.Host) {
			c.hosts = append(c.hosts, s.Host)
		}
		if !slices.Contains(c.counters, s.Counter) {
			c.counters = append(c.counters, s.Counter)
		}
		if !p.MatchCounter(s.Counter) || c.counter != "" && c.counter != s.Counter {
			continue
		}
		c.counter = s.Counter
		if s.HasInstance && len(c.instances) < maxObjects {
			c.instances = append(c.instances, string(pdhpath.AppendInstance(nil, s.Parent, s.Instance, s.InstanceIndex)))
		}
	}
}

func (c *Choices) lookCounter(object, counter string, paths []string) {
	if !slices.Contains(c.objects, object) {
		c.objects = append(c.objects, object)
	}
	for _, path := range named(paths) {
		p, err := pdhpath.Compile(path)
		if err != nil || !p.MatchObject(object) || c.object != "" && c.object != object {
			continue
		}
		c.object = object
		if !slices.Contains(c.counters, counter) {
			c.counters = append(c.counters, counter)
		}
	}
}

// Advice says what there is, "" where there is nothing.
func (c *Choices) Advice() string {
	switch {
	case len(c.hosts) > 0:
		return "the machine here is " + few(c.hosts)
	case c.counter != "" && len(c.instances) == 0:
		return fmt.Sprintf("object %q is there and has no instances: \\%s\\%s", c.object, c.object, c.counter)
	case c.counter != "":
		return fmt.Sprintf("object %q is there; its instances are: %s; (*) is all of them", c.object, few(c.instances))
	case c.object != "" && len(c.counters) > 0:
		return fmt.Sprintf("object %q is there; its counters are: %s", c.object, few(c.counters))
	case len(c.objects) > 0:
		return "objects here: " + few(c.objects)
	default:
		return ""
	}
}

func few(names []string) string {
	var all []string
	for _, name := range named(names) {
		all = append(all, cell.Cut(cell.Clean(name), 60))
	}
	text := strings.Join(all, ", ")
	if n := len(names) - maxChoices; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
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
	if e.Verb == "--titles" {
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
	case detect.Carve:
		return "`perfdump info --format carve` lists what is found, `perfdump dump --format carve` shows it"
	default:
		return "`perfdump dump` shows its values"
	}
}

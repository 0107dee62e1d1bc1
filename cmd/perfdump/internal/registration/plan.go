package registration

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

// Plan is what loading or unloading a driver comes to.
type Plan struct {
	DriverName                string
	FirstCounter, LastCounter uint32
	FirstHelp, LastHelp       uint32
	ObjectList                []uint32 // the indexes of the objects, ascending
	Trusted                   bool     // the library's signature is to be taken
	Languages                 []string // that get texts or lose them
	Skipped                   []string // that the .ini lists and the machine has not
	Entries                   []Entry  // by their indexes, then in the order of Languages

	// SystemCounter and SystemHelp are Last Counter and Last Help of Perflib
	// afterwards.
	SystemCounter, SystemHelp uint32

	// Nothing says that no action is needed: a driver that is loaded
	// already, or one to unload that is not. A finding says why.
	Nothing  bool
	Findings []Finding

	unload bool
	noKey  bool // the services are there and the driver's key is not
}

// Entry is an index of a driver and its texts in a language.
type Entry struct {
	Symbol       string // "" where a driver is unloaded
	Offset       uint32
	Language     string // as the .ini spells it
	CounterIndex uint32
	Name         string
	HasName      bool
	HelpIndex    uint32
	Help         string
	HasHelp      bool
}

// Load plans what lodctr does with an .ini file that is among the files:
// index = First Counter + offset, Last Counter = First Counter + the largest
// offset, the help indexes one more. Texts of languages that the machine does not
// have are left out; without any table those of all languages are in. The plan
// has the findings of the rules for the two files and for the tables.
//
// first is the index to begin at; 0 means the next that is free: two above Last
// Counter of Perflib, else above the highest index of the tables, else 1848.
//
// The errors are a *perfdump.FormatError: no such .ini, no drivername, no symbol
// file or none in it, an odd first index, indexes of another driver (ErrSyntax),
// indexes above 2^32 (ErrLimit).
func (f *Files) Load(ini string, first uint32) (*Plan, error) {
	p, err := f.pairNamed(ini)
	if err != nil {
		return nil, err
	}
	plan := &Plan{DriverName: p.ini.DriverName(), Trusted: p.ini.Trusted(), Findings: f.findings(p)}
	if is := f.services()[fold(plan.DriverName)]; is != nil && is.first.there {
		plan.is(is)
		plan.nothing(Warning, "loadperf:1002", is, "to load other texts, unload the driver first",
			"%s is loaded already, with First Counter %d; nothing is done", is.service, is.first.v)
		return plan, nil
	}
	span, _ := p.span()
	start := uint64(first)
	if start == 0 {
		start = f.nextCounter()
	}
	switch {
	case start%2 != 0:
		return nil, syntax("first counter %d is odd; an even index is expected", start)
	case start < firstFree:
		return nil, syntax("first counter %d is an index of Windows itself; %d or more is expected", start, firstFree)
	case start+uint64(span)+1 > math.MaxUint32:
		return nil, perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{}, "indexes from %d to %d do not fit into 32 bits", start, start+uint64(span)+1)
	}
	for _, r := range ranges(f.services()) {
		if uint64(r.first.v) <= start+uint64(span) && uint64(r.last.v) >= start {
			return nil, syntax("the indexes %d to %d are taken: %s has %d to %d", start, start+uint64(span), r.service, r.first.v, r.last.v)
		}
	}
	plan.FirstCounter, plan.FirstHelp = uint32(start), uint32(start)+1
	plan.LastCounter, plan.LastHelp = plan.FirstCounter+span, plan.FirstCounter+span+1
	plan.SystemCounter = max(plan.LastCounter, f.lastCounter().v)
	plan.SystemHelp = plan.SystemCounter + 1
	for _, s := range p.symbols {
		if s.object > 0 && s.defined {
			plan.ObjectList = append(plan.ObjectList, plan.FirstCounter+s.offset)
		}
	}
	slices.Sort(plan.ObjectList)
	plan.ObjectList = slices.Compact(plan.ObjectList)
	plan.languages(f, p)
	plan.entries(p)
	plan.key(f)
	return plan, nil
}

// pairNamed returns an .ini file with its symbol file, both fit to be loaded.
func (f *Files) pairNamed(ini string) (*pair, error) {
	for _, in := range f.inis {
		if in.name != ini {
			continue
		}
		p := f.pair(in)
		_, some := p.span()
		switch {
		case in.DriverName() == "":
			return nil, syntax("[info] names no driver: drivername=NAME of the service key is expected")
		case symbolName(in) == "":
			return nil, syntax("[info] names no symbol file: symbolfile=NAME.h is expected")
		case p.h == nil:
			return nil, syntax("line %d: the symbol file %s is missing; put it next to the .ini", p.infoLine("symbolfile"), symbolName(in))
		case !some:
			return nil, syntax("%s defines no offset; #define NAME 0 is expected", p.h.name)
		}
		return p, nil
	}
	return nil, syntax("%s is not one of the .ini files", ini)
}

// findings returns those that say something of the load.
func (f *Files) findings(p *pair) []Finding {
	system := []string{"E20", "E21", "E22", "E23", "E24", "E31", "E32"}
	return slices.DeleteFunc(f.Examine(), func(x Finding) bool {
		return x.File != p.name && x.File != p.h.name && !slices.Contains(system, x.ID)
	})
}

// nextCounter returns the index that the next driver gets.
func (f *Files) nextCounter() uint64 {
	high := uint32(titles.LastBase - 1)
	if last := f.lastCounter(); last.ok {
		high = last.v
	} else {
		isCounters := func(t *table) bool { return t.kind == titles.Counter }
		some := slices.ContainsFunc(f.tables, isCounters)
		for _, t := range f.tables {
			if some && !isCounters(t) {
				continue // the names say what the help texts are of
			}
			for index := range t.t.All() {
				high = max(high, index)
			}
		}
		for _, p := range f.providers {
			high = max(high, p.last.v)
		}
	}
	return max((uint64(high)+3)&^1, firstFree) // two more, rounded up
}

// key reports that the key of the driver is missing, where other services are.
func (plan *Plan) key(f *Files) {
	i := slices.IndexFunc(f.providers, func(p *provider) bool { return p.reg != nil })
	if i < 0 || f.services()[fold(plan.DriverName)] != nil {
		return
	}
	plan.noKey = true
	plan.Findings = append(plan.Findings, Finding{
		ID: "loadperf:3003", Severity: Error, File: f.providers[i].name, Subject: plan.DriverName + `\Performance`,
		Message: "the key Services\\" + plan.DriverName + "\\Performance is not there; lodctr fails then with error 2, file not found",
		Advice:  "install the driver first: its setup makes the key",
	})
}

// planned is a value as a plan has it.
type planned struct {
	name string
	v    uint32
}

func (plan *Plan) rangeValues() [4]planned {
	return [...]planned{
		{registry.FirstCounter, plan.FirstCounter},
		{registry.FirstHelp, plan.FirstHelp},
		{registry.LastCounter, plan.LastCounter},
		{registry.LastHelp, plan.LastHelp},
	}
}

// is fills in the numbers of a driver that is registered.
func (plan *Plan) is(p *provider) {
	plan.DriverName = p.service
	plan.FirstCounter, plan.LastCounter, plan.FirstHelp, plan.LastHelp = p.first.v, p.last.v, p.firstHelp.v, p.lastHelp.v
	if p.reg != nil {
		plan.ObjectList, _ = p.reg.ObjectList()
	}
}

func (plan *Plan) nothing(s Severity, id string, at *provider, advice, format string, args ...any) {
	plan.Nothing = true
	f := Finding{ID: id, Severity: s, Subject: plan.DriverName, Message: fmt.Sprintf(format, args...), Advice: advice}
	if at != nil {
		f.File, f.Line = at.name, at.line
	}
	plan.Findings = append(plan.Findings, f)
}

// languages sorts the listed languages that have text by whether the machine has
// them.
func (plan *Plan) languages(f *Files, p *pair) {
	installed := map[string]bool{}
	for _, t := range f.tables {
		installed[t.language] = true
	}
	for _, l := range p.listed {
		id := fold(l.ID)
		switch {
		case !p.speaks(id) || !inifile.ValidLanguage(id):
		case !installed[id] && (len(installed) > 0 || id == "000"):
			plan.Skipped = append(plan.Skipped, l.ID)
		default:
			plan.Languages = append(plan.Languages, l.ID)
		}
	}
}

// entries makes the entries of the texts.
func (plan *Plan) entries(p *pair) {
	order := map[string]int{}
	for i, l := range plan.Languages {
		order[fold(l)] = i
	}
	at := map[textKey]int{}
	for t := range p.ini.Texts() {
		s := p.symbol(t.Symbol)
		n, ok := order[fold(t.Language)]
		k := textKey{symbol: fold(t.Symbol), language: fold(t.Language)}
		if !ok || !s.defined {
			continue
		}
		i, ok := at[k]
		if !ok {
			i = len(plan.Entries)
			at[k] = i
			plan.Entries = append(plan.Entries, Entry{
				Symbol: s.name, Offset: s.offset, Language: plan.Languages[n],
				CounterIndex: plan.FirstCounter + s.offset, HelpIndex: plan.FirstHelp + s.offset,
			})
		}
		// Of a key that comes twice the first counts.
		switch e := &plan.Entries[i]; {
		case t.Kind == inifile.Name && !e.HasName:
			e.Name, e.HasName = t.Text, true
		case t.Kind == inifile.Help && !e.HasHelp:
			e.Help, e.HasHelp = t.Text, true
		}
	}
	sort.SliceStable(plan.Entries, func(i, j int) bool {
		a, b := &plan.Entries[i], &plan.Entries[j]
		return cmp.Or(cmp.Compare(a.CounterIndex, b.CounterIndex), cmp.Compare(order[fold(a.Language)], order[fold(b.Language)])) < 0
	})
}

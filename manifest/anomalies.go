package manifest

import (
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/once"
)

// The codes of anomalies; docs/registration.md says what each means.
const (
	codeNoProviders      perfdump.Code = "no-providers"      // there is no provider of counters
	codeMissingAttribute perfdump.Code = "missing-attribute" // an attribute that the schema demands is missing. lodctr /M refuses the manifest
	codeAttributeValue   perfdump.Code = "attribute-value"   // the value of an attribute is none that the schema knows
	codeDuplicateID      perfdump.Code = "duplicate-id"      // two counters of a set have one id
	codeDuplicateName    perfdump.Code = "duplicate-name"    // two counters of a set have one name
	codeUnknownReference perfdump.Code = "unknown-reference" // a base, a clock or a count is a counter that the set does not have
	codeBaseType         perfdump.Code = "base-type"         // a counter that is divided by another one has no base, or one of the wrong type
)

var levels = perfdump.Levels{"provider", "counterSet", "counter"}

const (
	levelProvider = iota
	levelSet
	levelCounter
)

// The values that attributes may have.
var (
	providerTypes = []string{"", "userMode", "kernelMode"}
	callbacks     = []string{"", "custom", "default"}
	instances     = []string{"", "single", "multiple", "globalAggregate", "multipleAggregate", "globalAggregateHistory", "instanceAggregate"}
	detailLevels  = []string{"", "standard", "advanced"}
)

// bases are the types that need another counter to divide by, and its type.
var bases = map[countertypes.Type]countertypes.Type{
	countertypes.PERF_AVERAGE_TIMER:      countertypes.PERF_AVERAGE_BASE,
	countertypes.PERF_AVERAGE_BULK:       countertypes.PERF_AVERAGE_BASE,
	countertypes.PERF_RAW_FRACTION:       countertypes.PERF_RAW_BASE,
	countertypes.PERF_LARGE_RAW_FRACTION: countertypes.PERF_LARGE_RAW_BASE,
	countertypes.PERF_SAMPLE_FRACTION:    countertypes.PERF_SAMPLE_BASE,
}

// check finds what breaks the rules of the schema, in the order of the file.
func (p *parser) check() {
	if len(p.m.Providers) == 0 {
		p.note(codeNoProviders, 0, levels.Root(), "no provider of counters")
	}
	next := func() int64 {
		off := p.places[0]
		p.places = p.places[1:]
		return off
	}
	for i := range p.m.Providers {
		v := &p.m.Providers[i]
		off, at := next(), levels.Root().At(levelProvider, i)
		p.required(off, at, "providerGuid", v.GUID)
		p.required(off, at, "applicationIdentity", v.Application)
		p.guid(off, at, "providerGuid", v.GUID)
		p.among(off, at, "providerType", v.Type, providerTypes)
		p.among(off, at, "callback", v.Callback, callbacks)
		for j := range v.CounterSets {
			s := &v.CounterSets[j]
			off, at := next(), at.At(levelSet, j)
			p.required(off, at, "guid", s.GUID)
			p.required(off, at, "uri", s.URI)
			p.required(off, at, "name", s.Name)
			p.guid(off, at, "guid", s.GUID)
			p.among(off, at, "instances", s.Instances, instances)
			set := newSet(s)
			for k := range s.Counters {
				p.counter(next(), at.At(levelCounter, k), &s.Counters[k], set, k)
			}
		}
	}
}

// set finds the counters of a set.
type set struct {
	counters []Counter
	ids      map[uint32]int // the first of each
	names    map[string]int
}

func newSet(s *CounterSet) set {
	all := set{s.Counters, map[uint32]int{}, map[string]int{}}
	for k := len(s.Counters) - 1; k >= 0; k-- {
		all.ids[s.Counters[k].ID] = k
		all.names[strings.ToLower(s.Counters[k].Name)] = k
	}
	return all
}

func (p *parser) counter(off int64, at perfdump.Path, c *Counter, s set, k int) {
	p.required(off, at, "uri", c.URI)
	p.required(off, at, "type", c.TypeName)
	p.required(off, at, "detailLevel", c.DetailLevel)
	if c.ID == 0 {
		p.note(codeAttributeValue, off, at.Field("id"), "the id is missing, or not a number above 0")
	} else if first := s.ids[c.ID]; first != k {
		p.note(codeDuplicateID, off, at.Field("id"), "id %d is also the id of counter %d of the set", int64(c.ID), int64(first))
	}
	if first := s.names[strings.ToLower(c.Name)]; c.Name != "" && first != k {
		p.note(codeDuplicateName, off, at.Field("name"), "counter %d of the set has the same name", int64(first))
	}
	if c.TypeName != "" && !c.Known {
		p.note(codeAttributeValue, off, at.Field("type"), "no counter type has this name")
	}
	p.among(off, at, "detailLevel", c.DetailLevel, detailLevels)
	for _, r := range []struct {
		name string
		Reference
	}{{"baseID", c.Base}, {"perfTimeID", c.PerfTime}, {"perfFreqID", c.PerfFreq}, {"multiCounterID", c.MultiCounter}} {
		if _, ok := s.ids[r.ID]; r.Given && (r.ID == 0 || !ok) {
			p.note(codeUnknownReference, off, at.Field(r.name), "no counter of the set has the id %d", int64(r.ID))
		}
	}
	want, ok := bases[c.Type]
	if !ok || !c.Known {
		return
	}
	base, ok := s.ids[c.Base.ID]
	switch {
	case !c.Base.Given:
		p.note(codeBaseType, off, at.Field("baseID"), "a counter of the type 0x%x needs a base of the type 0x%x", int64(c.Type), int64(want))
	case ok && s.counters[base].Type != want:
		p.note(codeBaseType, off, at.Field("baseID"), "the base has the type 0x%x, not 0x%x", int64(s.counters[base].Type), int64(want))
	}
}

func (p *parser) note(code perfdump.Code, off int64, at perfdump.Path, text string, args ...int64) {
	p.m.anomalies.Add(perfdump.NewAnomaly(code, off, at, text, args...))
}

func (p *parser) required(off int64, at perfdump.Path, name, value string) {
	if value == "" {
		p.note(codeMissingAttribute, off, at.Field(name), "the attribute is required and missing")
	}
}

func (p *parser) among(off int64, at perfdump.Path, name, value string, known []string) {
	if !slices.Contains(known, value) {
		p.note(codeAttributeValue, off, at.Field(name), "the schema does not allow this value")
	}
}

func (p *parser) guid(off int64, at perfdump.Path, name, value string) {
	if value != "" && !guidForm().MatchString(value) {
		p.note(codeAttributeValue, off, at.Field(name), "the value is not a GUID such as {01234567-89ab-cdef-0123-456789abcdef}")
	}
}

var guidForm = once.Regexp(`^\{[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}$`)

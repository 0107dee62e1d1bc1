package lodctr

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

// perflibRules look at the values of Perflib.
var perflibRules = []rule{
	{Rule{"E22", Error, "Last Counter or Last Help of Perflib is below an index in use", "lodctr /R; the next load would overwrite names"}, checkLast},
	{Rule{"E23", Error, "Base Index, or the text of index 1, is not 1847", "restore the table"}, checkBase},
	{Rule{"E24", Error, "Last Help of Perflib is not Last Counter + 1", "lodctr /R"}, checkLastHelp},
}

func checkLast(x *exam) {
	for _, l := range x.perflibs {
		x.lastOf(l, l.counter, titles.Counter)
		x.lastOf(l, l.help, titles.Help)
	}
}

func (x *exam) lastOf(l *perflib, last number, kind titles.Kind) {
	value := registry.LastCounter
	if kind == titles.Help {
		value = registry.LastHelp
	}
	if !last.ok {
		return
	}
	var high uint32
	var whose string
	for _, t := range x.tables {
		if t.kind != kind {
			continue
		}
		for index := range t.t.All() {
			if index > high {
				high, whose = index, baseName(t.name)+" has a text of it"
			}
		}
	}
	for _, p := range x.providers {
		n := p.last
		if kind == titles.Help {
			n = p.lastHelp
		}
		if n.ok && n.v > high {
			high, whose = n.v, p.service+" has it"
		}
	}
	if high > last.v {
		x.report(l.name, last.line, `Perflib\`+value, "%s is %d and the index %d is in use: %s", value, last.v, high, whose)
	}
}

func checkBase(x *exam) {
	for _, l := range x.perflibs {
		if l.base.ok && l.base.v != titles.LastBase {
			x.report(l.name, l.base.line, `Perflib\`+registry.BaseIndex, "Base Index is %d, it is %d on every Windows", l.base.v, titles.LastBase)
		}
	}
	for _, t := range x.tables {
		switch base, ok := t.t.BaseIndex(); {
		case t.kind != titles.Counter || t.origin == fromList:
		case t.backup != nil: // its strings may be in descending order
			if ok && base != titles.LastBase {
				x.report(t.name, t.line, t.subject(), "the text of index 1 is %d, it is %d on every Windows", base, titles.LastBase)
			}
		default:
			x.anomalies(t, &t.t.Statistics(t.kind, perfdump.Limits{}).Doubts, titles.CodeBaseIndex)
		}
	}
}

func checkLastHelp(x *exam) {
	for _, l := range x.perflibs {
		if l.counter.ok && l.help.ok && uint64(l.help.v) != uint64(l.counter.v)+1 {
			x.report(l.name, l.help.line, `Perflib\`+registry.LastHelp, "Last Help is %d, Last Counter %d; it must be one more", l.help.v, l.counter.v)
		}
	}
}

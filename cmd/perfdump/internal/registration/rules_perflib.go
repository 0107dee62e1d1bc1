package registration

import (
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

func checkLast(x *exam, l *perflib) {
	x.lastOf(l, registry.LastCounter, l.counter, titles.Counter, func(p *provider) number { return p.last })
	x.lastOf(l, registry.LastHelp, l.help, titles.Help, func(p *provider) number { return p.lastHelp })
}

func (x *exam) lastOf(l *perflib, value string, last number, kind titles.Kind, of func(*provider) number) {
	high, whose := last.v, ""
	for _, t := range x.tables {
		for index := range t.t.All() {
			if t.kind == kind && index > high {
				high, whose = index, baseName(t.name)+" has a text of it"
			}
		}
	}
	for _, p := range x.providers {
		if n := of(p); n.ok && n.v > high {
			high, whose = n.v, p.service+" has it"
		}
	}
	if last.ok && whose != "" {
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
			x.anomalies(t, t.tableAnomalies(), titles.CodeBaseIndex)
		}
	}
}

func checkLastHelp(x *exam, l *perflib) {
	if l.counter.ok && l.help.ok && uint64(l.help.v) != uint64(l.counter.v)+1 {
		x.report(l.name, l.help.line, `Perflib\`+registry.LastHelp, "Last Help is %d, Last Counter %d; it must be one more", l.help.v, l.counter.v)
	}
}

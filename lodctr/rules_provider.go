package lodctr

import (
	"fmt"
	"strings"
	"time"

	"github.com/perfdump/perfdump/registry"
)

// providerRules look at the other values of the keys of a provider.
var providerRules = []rule{
	{Rule{"E34", Error, "Library, Open, Collect or Close is missing", "reinstall the provider: lodctr does not write them"}, checkLibrary},
	{Rule{"W33", Warning, "Disable Performance Counters is not 0; that it is 4 for a 32-bit key of ASP.NET and 2 for its 64-bit twin is normal", "find the event that set it and remove its cause, then lodctr /E:SERVICE"}, checkDisabled},
	{Rule{"W34", Warning, `Linkage\Export is neither REG_MULTI_SZ nor REG_SZ`, "write it anew: Open gets nothing of another type"}, checkExport},
	{Rule{"W35", Warning, "OpenTimeout or CollectTimeout is spelled without its blank", "rename it to Open Timeout or Collect Timeout: it has no effect"}, checkTimeoutNames},
	{Rule{"W37", Warning, "a timeout is 0, or more than 600,000 ms", "set it to 10000"}, checkTimeouts},
	{Rule{"W39", Warning, "the loader noted the time of an error", "look for that event of Perflib in the application log; perfdump explain perflib:ID says what it means"}, checkStamps},
}

// dotNetRules look at the categories of .NET.
var dotNetRules = []rule{
	{Rule{"W40", Warning, "Counter Names and Counter Types of a .NET category are not of one length", "reinstall the category"}, checkLists},
}

// registered yields the providers that stand in the registry.
func (x *exam) registered(yield func(*provider) bool) {
	for _, p := range x.providers {
		if p.reg != nil && !yield(p) {
			return
		}
	}
}

func checkLibrary(x *exam) {
	for p := range x.registered {
		var missing []string
		wants := p.first.there
		for _, name := range []string{registry.Library, registry.Open, registry.Collect, registry.Close} {
			if p.reg.Text(name) == "" {
				missing = append(missing, name)
			} else {
				wants = true
			}
		}
		if wants && len(missing) > 0 {
			x.report(p.name, p.line, p.subject(missing[0]), "%s of %s: missing, or no text", strings.Join(missing, ", "), p.service)
		}
	}
}

func checkDisabled(x *exam) {
	for _, p := range x.providers {
		if n := p.disabled; n.ok && n.v != 0 && !x.sideBySide(p) {
			x.report(p.name, n.line, p.subject(registry.DisableCounters), "the counters of %s are off %s", p.service, disabledFor(n.v))
		}
	}
	for _, l := range x.perflibs {
		if n := dword(l.key.Value(registry.DisableCounters)); n.ok && n.v != 0 {
			x.report(l.name, n.line, `Perflib\`+registry.DisableCounters, "all counters of V1 libraries are off %s", disabledFor(n.v))
		}
	}
}

// disabledFor explains Disable Performance Counters.
func disabledFor(n uint32) string {
	switch n {
	case 1:
		return "for everyone (1)"
	case 2:
		return "for 32-bit consumers (2); those of 64 bits see them"
	case 4:
		return "for 64-bit consumers (4), as perfmon and WMI are; those of 32 bits see them"
	default:
		return fmt.Sprintf("(%d: 1 means for everyone, 2 for 32-bit consumers, 4 for those of 64 bits)", n)
	}
}

func checkExport(x *exam) {
	for p := range x.registered {
		v := p.reg.Linkage.Value(registry.Export)
		if v != nil && v.Type != registry.MultiSZ && v.Type != registry.SZ {
			x.report(p.name, v.Line, p.service+`\Linkage\Export`, "Export of %s is %s", p.service, v.Type)
		}
	}
}

func checkTimeoutNames(x *exam) {
	right := map[string]string{registry.OpenTimeoutJoined: registry.OpenTimeout, registry.CollectTimeoutJoined: registry.CollectTimeout}
	for p := range x.registered {
		for _, name := range []string{registry.OpenTimeoutJoined, registry.CollectTimeoutJoined} {
			if v := p.reg.Value(name); v != nil {
				x.report(p.name, v.Line, p.subject(v.Name), "%s of %s has no effect; Windows reads %s", v.Name, p.service, right[name])
			}
		}
	}
}

// maxTimeout is what we take for huge: ten minutes.
const maxTimeout = 600_000

func checkTimeouts(x *exam) {
	timeout := func(file string, v *registry.Value, subject string) {
		n, ok := v.Uint32()
		switch {
		case ok && n == 0:
			x.report(file, v.Line, subject, "%s is 0: every call takes too long", v.Name)
		case ok && n > maxTimeout:
			x.report(file, v.Line, subject, "%s is %d ms, which is %s", v.Name, n, (time.Duration(n) * time.Millisecond).Round(time.Second))
		}
	}
	for p := range x.registered {
		for _, name := range []string{registry.OpenTimeout, registry.CollectTimeout} {
			timeout(p.name, p.reg.Value(name), p.subject(name))
		}
	}
	for _, l := range x.perflibs {
		timeout(l.name, l.key.Value(registry.OpenProcedureWaitTime), `Perflib\`+registry.OpenProcedureWaitTime)
	}
}

func checkStamps(x *exam) {
	for p := range x.registered {
		for _, s := range p.reg.Stamps() {
			x.report(p.name, s.Value.Line, p.subject(s.Value.Name), "%s failed on %s with event %d of Perflib", p.service, s.Time.Format("2006-01-02 15:04:05 UTC"), s.Event)
		}
	}
}

func checkLists(x *exam) {
	for p := range x.registered {
		names, types := p.reg.Value(registry.CounterNames), p.reg.Value(registry.CounterTypes)
		if names == nil && types == nil {
			continue
		}
		if n, t := len(p.reg.List(registry.CounterNames)), len(p.reg.List(registry.CounterTypes)); n != t {
			line := p.line
			if names != nil {
				line = names.Line
			}
			x.report(p.name, line, p.subject(registry.CounterNames), "%s has %d names and %d types of counters", p.service, n, t)
		}
	}
}

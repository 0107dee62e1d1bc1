package registration

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/registry"
)

// registered returns the providers that are in the registry.
func (x *exam) registered() []*provider {
	return slices.DeleteFunc(slices.Clone(x.providers), func(p *provider) bool { return p.reg == nil })
}

func checkLibrary(x *exam, p *provider) {
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
	if text := map[uint32]string{
		1: "for everyone (1)",
		2: "for 32-bit consumers (2); those of 64 bits see them",
		4: "for 64-bit consumers (4), as perfmon and WMI are; those of 32 bits see them",
	}[n]; text != "" {
		return text
	}
	return fmt.Sprintf("(%d: 1 means for everyone, 2 for 32-bit consumers, 4 for those of 64 bits)", n)
}

func checkExport(x *exam, p *provider) {
	v := p.reg.Linkage.Value(registry.Export)
	if v != nil && v.Type != registry.MultiSZ && v.Type != registry.SZ {
		x.report(p.name, v.Line, p.service+`\Linkage\Export`, "Export of %s is %s", p.service, v.Type)
	}
}

func checkTimeoutNames(x *exam, p *provider) {
	for _, names := range [][2]string{{registry.OpenTimeoutJoined, registry.OpenTimeout}, {registry.CollectTimeoutJoined, registry.CollectTimeout}} {
		if v := p.reg.Value(names[0]); v != nil {
			x.report(p.name, v.Line, p.subject(v.Name), "%s of %s has no effect; Windows reads %s", v.Name, p.service, names[1])
		}
	}
}

func checkTimeouts(x *exam) {
	timeout := func(file string, v *registry.Value, subject string) {
		n, ok := v.Uint32()
		switch {
		case ok && n == 0:
			x.report(file, v.Line, subject, "%s is 0: every call takes too long", v.Name)
		case ok && n > 600_000:
			x.report(file, v.Line, subject, "%s is %d ms, which is %s", v.Name, n, (time.Duration(n) * time.Millisecond).Round(time.Second))
		}
	}
	for _, p := range x.registered() {
		for _, name := range []string{registry.OpenTimeout, registry.CollectTimeout} {
			timeout(p.name, p.reg.Value(name), p.subject(name))
		}
	}
	for _, l := range x.perflibs {
		timeout(l.name, l.key.Value(registry.OpenProcedureWaitTime), `Perflib\`+registry.OpenProcedureWaitTime)
	}
}

func checkStamps(x *exam, p *provider) {
	for _, s := range p.reg.Stamps() {
		x.report(p.name, s.Value.Line, p.subject(s.Value.Name), "%s failed on %s with event %d of Perflib", p.service, s.Time.Format("2006-01-02 15:04:05 UTC"), s.Event)
	}
}

func checkLists(x *exam, p *provider) {
	if n, t := len(p.reg.List(registry.CounterNames)), len(p.reg.List(registry.CounterTypes)); n != t {
		line := p.line
		if names := p.reg.Value(registry.CounterNames); names != nil {
			line = names.Line
		}
		x.report(p.name, line, p.subject(registry.CounterNames), "%s has %d names and %d types of counters", p.service, n, t)
	}
}

package lodctr

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

// aspNetRules look at the keys of ASP.NET.
var aspNetRules = []rule{
	{Rule{"A01", Warning, "ASP.NET is registered with other names than the highest version that is there", "aspnet_regiis -iru of the highest version"}, checkGeneric},
	{Rule{"A02", Warning, "ASP.NET_64 stands beside a key of 4.x", "a leftover: unload it"}, checkLeftover},
	{Rule{"A03", Warning, "before 4.0, Library is no full path; from 4.0, it is not aspnet_counters.dll", "register that version again with its aspnet_regiis -iru"}, checkASPNetLibrary},
	{Rule{"A04", Warning, `a key of 4.x has no Linkage\Export`, "register that version again with its aspnet_regiis -iru"}, checkASPNetExport},
	{Rule{"A05", Note, "a 64-bit key has a subkey Names, or a 32-bit one has none", "without their pipes in Names the counters of 32-bit workers are not collected; if none runs, nothing is wrong"}, checkWorkers},
	{Rule{"A06", Note, "of the 32-bit and 64-bit keys of 2.0 one is missing or disabled", "explains counters that are 0 in one width alone"}, checkTwins},
}

// aspKey is a versioned key of ASP.NET.
type aspKey struct {
	*provider
	wide    bool // for 64-bit clients alone
	version []int
}

// aspNet returns the versioned keys, the highest version last.
func (x *exam) aspNet() []aspKey {
	var all []aspKey
	for p := range x.registered {
		rest, ok := strings.CutPrefix(fold(p.service), "asp.net_")
		if !ok {
			continue
		}
		k := aspKey{provider: p}
		if version, ok := strings.CutPrefix(rest, "64_"); ok {
			k.wide, rest = true, version
		}
		for part := range strings.SplitSeq(rest, ".") {
			n, err := strconv.Atoi(part)
			if err != nil {
				break
			}
			k.version = append(k.version, n)
		}
		if len(k.version) > 1 {
			all = append(all, k)
		}
	}
	slices.SortStableFunc(all, func(a, b aspKey) int {
		return cmp.Or(slices.Compare(a.version, b.version), -cmp.Compare(btoi(a.wide), btoi(b.wide)))
	})
	return all
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (k *aspKey) major() int { return k.version[0] }

func checkGeneric(x *exam) {
	generic, versions := x.services["asp.net"], x.aspNet()
	if generic == nil || generic.reg == nil || !generic.hasRange() || len(versions) == 0 {
		return
	}
	highest := versions[len(versions)-1]
	if !highest.hasRange() {
		return
	}
	subject := generic.subject(registry.FirstCounter)
	span := func(p *provider) int64 { return int64(p.last.v) - int64(p.first.v) }
	if span(generic) != span(highest.provider) {
		x.report(generic.name, generic.first.line, subject, "ASP.NET has %d indexes and %s has %d", span(generic)/2+1, highest.service, span(highest.provider)/2+1)
		return
	}
	// The range is as wide as the names that there are, not as it says.
	for _, index := range x.nameList {
		if index < generic.first.v || index > generic.last.v {
			continue
		}
		is, _, _ := x.texts.lookup(x.names.language, titles.Counter, index)
		want, ok, _ := x.texts.lookup(x.names.language, titles.Counter, highest.first.v+(index-generic.first.v))
		// The names of the objects tell the version.
		if is != want && !(ok && strings.HasPrefix(is, "ASP.NET") && strings.HasPrefix(want, "ASP.NET")) {
			x.report(generic.name, generic.first.line, subject, "the index %d of ASP.NET is %q, that of %s is %q", index, clip(is), highest.service, clip(want))
			return
		}
	}
}

func checkLeftover(x *exam) {
	wide := x.services["asp.net_64"]
	if wide == nil {
		return
	}
	for _, k := range x.aspNet() {
		if k.major() >= 4 {
			x.report(wide.name, wide.line, wide.service, "%s stands beside %s, whose registration deletes it", wide.service, k.service)
			return
		}
	}
}

func checkASPNetLibrary(x *exam) {
	for _, k := range x.aspNet() {
		v := k.reg.Value(registry.Library)
		library, ok := v.Text()
		switch {
		case !ok:
		case k.major() < 4 && !fullPath(library):
			x.report(k.name, v.Line, k.subject(registry.Library), "Library of %s is %q; the full path of aspnet_perf.dll is expected", k.service, clip(library))
		case k.major() >= 4 && fold(baseName(library)) != "aspnet_counters.dll":
			x.report(k.name, v.Line, k.subject(registry.Library), "Library of %s is %q; aspnet_counters.dll is expected", k.service, clip(library))
		}
	}
}

// fullPath reports whether a path of Windows begins with a drive, a share or a
// variable.
func fullPath(name string) bool {
	return len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') ||
		strings.HasPrefix(name, `\\`) || strings.HasPrefix(name, "%") && strings.Contains(name, `%\`)
}

func checkASPNetExport(x *exam) {
	for _, k := range x.aspNet() {
		if k.major() >= 4 && k.reg.Linkage.Value(registry.Export) == nil {
			x.report(k.name, k.line, k.service+`\Linkage\Export`, "%s has no Linkage\\Export", k.service)
		}
	}
}

func checkWorkers(x *exam) {
	for _, k := range x.aspNet() {
		switch {
		case k.wide && k.reg.Names != nil:
			x.report(k.name, k.reg.Names.Line, k.service+`\Names`, "%s has a subkey Names, which only the 32-bit keys have", k.service)
		case !k.wide && k.reg.Names == nil:
			x.report(k.name, k.line, k.service+`\Names`, "%s has no subkey Names", k.service)
		}
	}
}

func checkTwins(x *exam) {
	all := x.aspNet()
	for _, k := range all {
		if k.major() != 2 {
			continue
		}
		bits := [...]string{"32-bit", "64-bit"}
		if n := k.disabled; n.ok && n.v != 0 && !x.sideBySide(k.provider) {
			x.report(k.name, n.line, k.subject(registry.DisableCounters), "%s, for %s clients, is off %s", k.service, bits[btoi(k.wide)], disabledFor(n.v))
		}
		twin := func(t aspKey) bool { return t.wide != k.wide && slices.Equal(t.version, k.version) }
		if !slices.ContainsFunc(all, twin) {
			x.report(k.name, k.line, k.service, "%s has no twin for %s clients", k.service, bits[1-btoi(k.wide)])
		}
	}
}

// sideBySide reports whether a key of ASP.NET and its twin are each off for the
// clients of the other one, as a 64-bit set-up leaves them.
func (x *exam) sideBySide(p *provider) bool {
	name, ok := strings.CutPrefix(fold(p.service), "asp.net")
	if !ok {
		return false
	}
	name = strings.TrimPrefix(name, "_64")
	narrow, wide := x.services["asp.net"+name], x.services["asp.net_64"+name]
	return narrow != nil && wide != nil && narrow.disabled.ok && narrow.disabled.v == 4 && wide.disabled.ok && wide.disabled.v == 2
}

package registration

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/registry"
)

// aspKey is a versioned key of ASP.NET.
type aspKey struct {
	*provider
	wide    int // 1 for 64-bit clients alone
	version []int
}

// aspNet returns the versioned keys, the highest version last.
func (x *exam) aspNet() []*aspKey {
	var all []*aspKey
	for _, p := range x.registered() {
		rest, ok := strings.CutPrefix(fold(p.service), "asp.net_")
		if !ok {
			continue
		}
		k := &aspKey{provider: p}
		if version, ok := strings.CutPrefix(rest, "64_"); ok {
			k.wide, rest = 1, version
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
	slices.SortStableFunc(all, func(a, b *aspKey) int { return cmp.Or(slices.Compare(a.version, b.version), b.wide-a.wide) })
	return all
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
	report := func(format string, args ...any) {
		x.report(generic.name, generic.first.line, generic.subject(registry.FirstCounter), format, args...)
	}
	span := func(p *provider) int64 { return int64(p.last.v) - int64(p.first.v) }
	if span(generic) != span(highest.provider) {
		report("ASP.NET has %d indexes and %s has %d", span(generic)/2+1, highest.service, span(highest.provider)/2+1)
		return
	}
	// The loop is over the names that exist: a range may be as wide as 2^32.
	for _, index := range x.nameList {
		if index < generic.first.v || index > generic.last.v {
			continue
		}
		is, _, _ := x.texts.lookup(x.names.language, index)
		want, ok, _ := x.texts.lookup(x.names.language, highest.first.v+(index-generic.first.v))
		// The names of the objects contain the version.
		if is != want && !(ok && strings.HasPrefix(is, "ASP.NET") && strings.HasPrefix(want, "ASP.NET")) {
			report("the index %d of ASP.NET is %q, that of %s is %q", index, clip(is), highest.service, clip(want))
			return
		}
	}
}

func checkLeftover(x *exam) {
	wide, keys := x.services["asp.net_64"], x.aspNet()
	if i := slices.IndexFunc(keys, func(k *aspKey) bool { return k.major() >= 4 }); wide != nil && i >= 0 {
		x.report(wide.name, wide.line, wide.service, "%s exists in addition to %s, whose registration deletes it", wide.service, keys[i].service)
	}
}

func checkASPNetLibrary(x *exam, k *aspKey) {
	v := k.reg.Value(registry.Library)
	library, ok := v.Text()
	want, right := "the full path of aspnet_perf.dll", fullPath(library)
	if k.major() >= 4 {
		want, right = "aspnet_counters.dll", fold(baseName(library)) == "aspnet_counters.dll"
	}
	if ok && !right {
		x.report(k.name, v.Line, k.subject(registry.Library), "Library of %s is %q; %s is expected", k.service, clip(library), want)
	}
}

// fullPath reports whether a path of Windows begins with a drive, a share or a
// variable.
func fullPath(name string) bool {
	return len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') ||
		strings.HasPrefix(name, `\\`) || strings.HasPrefix(name, "%") && strings.Contains(name, `%\`)
}

func checkASPNetExport(x *exam, k *aspKey) {
	if k.major() >= 4 && k.reg.Linkage.Value(registry.Export) == nil {
		x.report(k.name, k.line, k.service+`\Linkage\Export`, "%s has no Linkage\\Export", k.service)
	}
}

func checkWorkers(x *exam, k *aspKey) {
	if k.wide == 1 && k.reg.Names != nil {
		x.report(k.name, k.reg.Names.Line, k.service+`\Names`, "%s has a subkey Names, which only the 32-bit keys have", k.service)
	} else if k.wide == 0 && k.reg.Names == nil {
		x.report(k.name, k.line, k.service+`\Names`, "%s has no subkey Names", k.service)
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
			x.report(k.name, n.line, k.subject(registry.DisableCounters), "%s, for %s clients, is off %s", k.service, bits[k.wide], disabledFor(n.v))
		}
		twin := func(t *aspKey) bool { return t.wide != k.wide && slices.Equal(t.version, k.version) }
		if !slices.ContainsFunc(all, twin) {
			x.report(k.name, k.line, k.service, "%s has no twin for %s clients", k.service, bits[1-k.wide])
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

package lodctr

import (
	"strings"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

// sqlRules look at the keys of SQL Server.
var sqlRules = []rule{
	{Rule{"S01", Warning, "the objects of an instance do not begin with its name, MSSQL$X: or SQLServer:", "the .ini of another instance: load the one of this"}, checkSQLObjects},
	{Rule{"S02", Warning, `Linkage\Export is missing, or not the name of the instance`, "write it: without it the DLL cannot find its shared memory. If it is right and counters are missing, close all monitors: one that was open over a restart keeps the old memory"}, checkSQLExport},
	{Rule{"S03", Warning, "PerfIniFile is the template sqlctr.ini, or names another instance", "load the file perf-...sqlctr.ini of this instance"}, checkSQLFile},
	{Rule{"S04", Warning, "Library is of another instance or another version than the key", "reinstall the counters of the instance: lodctr does not write Library"}, checkSQLLibrary},
	{Rule{"S05", Warning, "First Counter + offset gives another name than the .ini", "the .h is of another version: reload the right pair. With error 1011 (F3 03 00 00) in event 1008 of Perflib this is certain"}, checkSQLNames},
	{Rule{"S06", Warning, "the library lies in SysWOW64 alone, or the counters are off for 64-bit consumers (4)", "an instance of 32 bits: read it with mmc /32 perfmon.msc; do not copy a 64-bit DLL beside it"}, checkSQLWidth},
}

const defaultInstance = "MSSQLSERVER"

// sqlInstance returns the instance of SQL Server that a service is, "" for
// others.
func sqlInstance(service string) string {
	const prefix = "MSSQL$"
	switch {
	case strings.EqualFold(service, defaultInstance):
		return defaultInstance
	case len(service) > len(prefix) && strings.EqualFold(service[:len(prefix)], prefix):
		return service[len(prefix):]
	default:
		return ""
	}
}

// sqlPrefix returns what the objects of a service begin with.
func sqlPrefix(service string) string {
	if strings.EqualFold(service, defaultInstance) {
		return "SQLServer:"
	}
	return service + ":"
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// sqlServers yields the instances that stand in the registry.
func (x *exam) sqlServers(yield func(p *provider, instance string) bool) {
	for p := range x.registered {
		if instance := sqlInstance(p.service); instance != "" && !yield(p, instance) {
			return
		}
	}
}

func checkSQLObjects(x *exam) {
	for p := range x.sqlServers {
		list, _ := p.reg.ObjectList()
		if len(list) == 0 && p.first.ok {
			list = []uint32{p.first.v}
		}
		for _, index := range list {
			text, ok, _ := x.texts.lookup(english, titles.Counter, index)
			if ok && !hasPrefixFold(text, sqlPrefix(p.service)) {
				x.report(p.name, p.first.line, p.subject(registry.FirstCounter), "the object %d of %s is %q; %s is expected in front", index, p.service, clip(text), sqlPrefix(p.service))
				break
			}
		}
	}
	for _, p := range x.pairs {
		driver := p.ini.DriverName()
		if sqlInstance(driver) == "" {
			continue
		}
		for t := range p.ini.Texts() {
			s := p.symbol(t.Symbol)
			if t.Kind == inifile.Name && s.object > 0 && !hasPrefixFold(t.Text, sqlPrefix(driver)) {
				x.report(p.name, t.Line, t.Symbol, "the object %q of %s; %s is expected in front", clip(t.Text), driver, sqlPrefix(driver))
				break
			}
		}
	}
}

func checkSQLExport(x *exam) {
	for p, instance := range x.sqlServers {
		v := p.reg.Linkage.Value(registry.Export)
		subject := p.service + `\Linkage\Export`
		if v == nil {
			x.report(p.name, p.line, subject, "%s has no Linkage\\Export; %s is expected", p.service, instance)
			continue
		}
		if all := p.reg.Export(); len(all) == 0 || !strings.EqualFold(all[0], instance) {
			x.report(p.name, v.Line, subject, "Export of %s is %q; %s is expected", p.service, clip(strings.Join(all, " ")), instance)
		}
	}
}

// ofInstance reports whether a part of a file name is an instance, with MSSQL$
// in front or not.
func ofInstance(part, instance string) bool {
	return strings.EqualFold(part, instance) || strings.EqualFold(part, "MSSQL$"+instance)
}

// cutFold takes a front and what begins with an end off a name.
func cutFold(name, front, end string) (string, bool) {
	lower := fold(name)
	i := strings.Index(lower, end)
	if !strings.HasPrefix(lower, front) || i < len(front) || len(lower) != len(name) {
		return "", false
	}
	return name[len(front):i], true
}

func checkSQLFile(x *exam) {
	for p, instance := range x.sqlServers {
		v := p.reg.Value(registry.PerfIniFile)
		name, _ := v.Text()
		file := baseName(name)
		part, ok := cutFold(file, "perf-", "sqlctr")
		switch {
		case strings.EqualFold(file, "sqlctr.ini"):
			x.report(p.name, v.Line, p.subject(v.Name), "%s was loaded from the template sqlctr.ini", p.service)
		case ok && !ofInstance(part, instance):
			x.report(p.name, v.Line, p.subject(v.Name), "%s was loaded from %s, the file of another instance", p.service, clip(file))
		}
	}
}

func checkSQLLibrary(x *exam) {
	for p, instance := range x.sqlServers {
		v := p.reg.Value(registry.Library)
		library, ok := v.Text()
		if !ok {
			continue
		}
		file := baseName(library)
		part, named := cutFold(file, "perf-", "-sqlctr")
		ini, _ := cutFold(baseName(p.reg.Text(registry.PerfIniFile)), "perf-", "sqlctr")
		switch {
		case named && !ofInstance(part, instance):
			x.report(p.name, v.Line, p.subject(v.Name), "Library of %s is %s, which is of another instance", p.service, clip(file))
		case !named && hasPrefixFold(file, "sqlctr") && hasPrefixFold(ini, "MSSQL$"):
			// From 2008 on both carry the whole name of the service.
			x.report(p.name, v.Line, p.subject(v.Name), "Library of %s is %s, as of 2005, and PerfIniFile is of a later version", p.service, clip(file))
		case named && ini != "" && !hasPrefixFold(ini, "MSSQL"):
			x.report(p.name, v.Line, p.subject(v.Name), "Library of %s is %s, as of 2008 or later, and PerfIniFile is of 2005", p.service, clip(file))
		}
	}
}

func checkSQLNames(x *exam) { compareTexts(x, true) }

func checkSQLWidth(x *exam) {
	for p := range x.sqlServers {
		library := p.reg.Text(registry.Library)
		switch {
		case strings.Contains(fold(library), `\syswow64\`):
			x.report(p.name, p.reg.Value(registry.Library).Line, p.subject(registry.Library), "Library of %s is %q, of 32 bits", p.service, clip(library))
		case p.disabled.ok && p.disabled.v == 4:
			x.report(p.name, p.disabled.line, p.subject(registry.DisableCounters), "%s is off %s", p.service, disabledFor(4))
		}
	}
}

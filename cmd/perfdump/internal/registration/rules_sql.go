package registration

import (
	"strings"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/registry"
)

const defaultInstance = "MSSQLSERVER"

// sqlInstance returns the instance of SQL Server that a service is, "" for
// others.
func sqlInstance(service string) string {
	const prefix = "MSSQL$"
	switch {
	case strings.EqualFold(service, defaultInstance):
		return defaultInstance
	case hasPrefixFold(service, prefix):
		return service[len(prefix):]
	}
	return ""
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

func checkSQLObjects(x *exam) {
	sqlServers(func(x *exam, p *provider, _ string) {
		list, _ := p.reg.ObjectList()
		if len(list) == 0 && p.first.ok {
			list = []uint32{p.first.v}
		}
		for _, index := range list {
			text, ok, _ := x.texts.lookup(english, index)
			if ok && !hasPrefixFold(text, sqlPrefix(p.service)) {
				x.report(p.name, p.first.line, p.subject(registry.FirstCounter), "the object %d of %s is %q; it should begin with %s", index, p.service, clip(text), sqlPrefix(p.service))
				return
			}
		}
	})(x)
	for _, p := range x.pairs {
		driver := p.ini.DriverName()
		if sqlInstance(driver) == "" {
			continue
		}
		for t := range p.ini.Texts() {
			s := p.symbol(t.Symbol)
			if t.Kind == inifile.Name && s.object > 0 && !hasPrefixFold(t.Text, sqlPrefix(driver)) {
				x.report(p.name, t.Line, t.Symbol, "the object %q of %s; it should begin with %s", clip(t.Text), driver, sqlPrefix(driver))
				break
			}
		}
	}
}

func checkSQLExport(x *exam, p *provider, instance string) {
	v := p.reg.Linkage.Value(registry.Export)
	subject := p.service + `\Linkage\Export`
	if v == nil {
		x.report(p.name, p.line, subject, "%s has no Linkage\\Export; %s is expected", p.service, instance)
	} else if all := p.reg.Export(); len(all) == 0 || !strings.EqualFold(all[0], instance) {
		x.report(p.name, v.Line, subject, "Export of %s is %q; %s is expected", p.service, clip(strings.Join(all, " ")), instance)
	}
}

// ofInstance reports whether a part of a file name is an instance, with or
// without MSSQL$ before it.
func ofInstance(part, instance string) bool {
	return strings.EqualFold(part, instance) || strings.EqualFold(part, "MSSQL$"+instance)
}

// cutFold cuts a prefix and what begins with end off a name.
func cutFold(name, prefix, end string) (string, bool) {
	lower := fold(name)
	i := strings.Index(lower, end)
	if !strings.HasPrefix(lower, prefix) || i < len(prefix) || len(lower) != len(name) {
		return "", false
	}
	return name[len(prefix):i], true
}

func checkSQLFile(x *exam, p *provider, instance string) {
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

func checkSQLLibrary(x *exam, p *provider, instance string) {
	v := p.reg.Value(registry.Library)
	library, ok := v.Text()
	if !ok {
		return
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

func checkSQLNames(x *exam, p *pair, r *provider) {
	if sqlInstance(r.service) != "" {
		compareTexts(x, p, r)
	}
}

func checkSQLWidth(x *exam, p *provider, _ string) {
	library := p.reg.Text(registry.Library)
	switch {
	case strings.Contains(fold(library), `\syswow64\`):
		x.report(p.name, p.reg.Value(registry.Library).Line, p.subject(registry.Library), "Library of %s is %q, of 32 bits", p.service, clip(library))
	case p.disabled.ok && p.disabled.v == 4:
		x.report(p.name, p.disabled.line, p.subject(registry.DisableCounters), "%s is off %s", p.service, disabledFor(4))
	}
}

package titles

import (
	"regexp"
	"strings"
)

// perfc and perfh are the tables in use, perfd and perfi those of the names
// and help texts that Windows was installed with.
var datName = regexp.MustCompile(`(?i)^perf([chdi])([0-9a-f]{3,4})\.dat$`)

// ParseDatName returns what the name of a file of the database tells, in which
// a path may stand before it: the language and the kind of perfc009.dat,
// perfh009.dat, perfd009.dat and perfi009.dat, the language in lower case. It
// is false for other names.
func ParseDatName(name string) (language string, kind Kind, ok bool) {
	m := datName.FindStringSubmatch(name[strings.LastIndexAny(name, `/\`)+1:])
	if m == nil {
		return "", Counter, false
	}
	if strings.ContainsAny(m[1], "hHiI") {
		kind = Help
	}
	return strings.ToLower(m[2]), kind, true
}

// DatName returns the name of the file of the database that has a language's
// table: perfc009.dat, perfh009.dat.
func DatName(language string, kind Kind) string {
	if kind == Help {
		return "perfh" + language + ".dat"
	}
	return "perfc" + language + ".dat"
}

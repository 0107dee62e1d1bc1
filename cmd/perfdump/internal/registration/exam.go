package registration

import (
	"fmt"
	"strings"
)

// Severity says how serious a finding is.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // counters are missing or wrong, or will be
	Warning Severity = "warning" // something that has caused trouble, or a sign of it
	Note    Severity = "note"    // worth knowing; no action needed
)

// Finding is what a rule has found.
type Finding struct {
	ID       string // of the rule
	Severity Severity
	File     string // the name of the file that it is about
	Line     int    // from 1; 0 if the place is not a line
	Subject  string // a symbol, a key of the registry, an index; "" for the whole file
	Message  string
	Advice   string // what to do
}

// maxPerFile is how many findings of a rule are kept for a file.
const maxPerFile = 50

// exam is a run of the rules over files.
type exam struct {
	*Files
	pairs    []*pair
	drivers  map[string][]*pair   // by the name of the service, folded
	services map[string]*provider // by its name, folded
	ranges   []*provider          // those that have indexes, in their order
	texts    textTables
	names    *table   // that of the names to look in
	nameList []uint32 // its indexes

	rule  *rule          // that runs
	about string         // the services that it finds something about, "" for that of the subject
	found map[string]int // by it, by the file
	first map[fault]int  // the place in out of what it found
	more  map[int]int    // how often the same was found again, by that place
	out   []Finding
}

// fault is what a rule finds at one place.
type fault struct {
	file    string
	line    int
	subject string
	format  string
}

// Examine checks the files with all rules. Of a rule no more than 50 findings
// are kept for a file; one more says how many there were.
func (f *Files) Examine() []Finding {
	x := &exam{Files: f, texts: f.textTables(), services: f.services(), drivers: map[string][]*pair{}}
	for _, ini := range f.inis {
		p, name := f.pair(ini), fold(ini.DriverName())
		x.pairs = append(x.pairs, p)
		x.drivers[name] = append(x.drivers[name], p)
	}
	x.ranges = ranges(x.services)
	if t := x.texts.counters(); t != nil && t.origin != fromList {
		x.names = t
		for index := range t.t.All() {
			x.nameList = append(x.nameList, index)
		}
	}
	for i := range rules {
		x.run(&rules[i])
	}
	return x.out
}

func (x *exam) run(r *rule) {
	x.rule, x.found, x.first, x.more = r, map[string]int{}, map[fault]int{}, map[int]int{}
	r.check(x)
	for at, n := range x.more {
		x.out[at].Message += fmt.Sprintf("; and %d more like it", n)
	}
	for _, name := range x.Files.names {
		if more := x.found[name] - maxPerFile; more > 0 {
			x.add(name, 0, "", fmt.Sprintf("%d more of these are not shown", more))
		}
	}
}

// report adds a finding of the rule. The same fault at the same place is one
// finding, with the number of the others.
func (x *exam) report(file string, line int, subject, format string, args ...any) {
	f := fault{file, line, subject, format}
	if at, ok := x.first[f]; ok {
		x.more[at]++
	} else if x.keep(file, line, subject, fmt.Sprintf(format, args...)) && (line > 0 || subject != "") {
		x.first[f] = len(x.out) - 1
	}
}

// keep adds a finding, unless there are enough of the file.
func (x *exam) keep(file string, line int, subject, message string) bool {
	if x.found[file]++; x.found[file] > maxPerFile {
		return false
	}
	x.add(file, line, subject, message)
	return true
}

func (x *exam) add(file string, line int, subject, message string) {
	x.out = append(x.out, Finding{x.rule.ID, x.rule.Severity, file, line, subject, message, x.advice(subject)})
}

// advice returns the advice of the rule for the services that a finding is about.
func (x *exam) advice(subject string) string {
	service, _, ok := strings.Cut(subject, `\Performance`)
	switch {
	case x.about != "":
		service = x.about
	case !ok || service == "":
		return x.rule.Advice
	case strings.Contains(service, " "):
		service = `"` + service + `"`
	}
	return strings.ReplaceAll(x.rule.Advice, "SERVICE", service)
}

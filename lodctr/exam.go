package lodctr

import "fmt"

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

	rule *rule // that is looked at
	out  []Finding
	rest map[string]*rest // of the rule, by the file
}

// rest counts what a rule has found in a file.
type rest struct {
	file string
	n    int
}

// Examine looks at the files with all rules. Of a rule no more than 50 findings
// are kept for a file; one more tells how many there were.
func (f *Files) Examine() []Finding { return f.examine("") }

// examine leaves out the rule of an id.
func (f *Files) examine(without string) []Finding {
	x := &exam{Files: f, pairs: f.pairUp(), texts: f.textTables(), services: f.services()}
	x.drivers = map[string][]*pair{}
	for _, p := range x.pairs {
		name := fold(p.ini.DriverName())
		x.drivers[name] = append(x.drivers[name], p)
	}
	x.ranges = ranges(x.services)
	if t := x.texts.counters(); t != nil && t.origin != fromList {
		x.names = t
		for index := range t.t.All() {
			x.nameList = append(x.nameList, index)
		}
	}
	for _, group := range groups {
		for i := range group {
			if group[i].ID != without {
				x.look(&group[i])
			}
		}
	}
	return x.out
}

func (x *exam) look(r *rule) {
	x.rule, x.rest = r, map[string]*rest{}
	start := len(x.out)
	r.check(x)
	if len(x.out) == start {
		return
	}
	for _, f := range x.Files.names {
		if c := x.rest[f]; c != nil && c.n > maxPerFile {
			x.out = append(x.out, x.finding(f, 0, "", fmt.Sprintf("%d more of these are not shown", c.n-maxPerFile)))
		}
	}
}

// report tells of something that the rule has found.
func (x *exam) report(file string, line int, subject, format string, args ...any) {
	c := x.rest[file]
	if c == nil {
		c = &rest{file: file}
		x.rest[file] = c
	}
	if c.n++; c.n <= maxPerFile {
		x.out = append(x.out, x.finding(file, line, subject, fmt.Sprintf(format, args...)))
	}
}

func (x *exam) finding(file string, line int, subject, message string) Finding {
	return Finding{
		ID: x.rule.ID, Severity: x.rule.Severity, File: file, Line: line,
		Subject: subject, Message: message, Advice: x.rule.Advice,
	}
}

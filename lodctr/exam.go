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

	rule  *rule // that is looked at
	out   []Finding
	rest  map[string]*rest // of the rule, by the file
	again map[fault]*again // of the rule
}

// fault is what a rule finds at one place.
type fault struct {
	file, subject, format string
	line                  int
}

// again counts how often the same fault was found at its place again.
type again struct{ at, n int }

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
	x.rule, x.rest, x.again = r, map[string]*rest{}, map[fault]*again{}
	start := len(x.out)
	r.check(x)
	if len(x.out) == start {
		return
	}
	for _, a := range x.again {
		if a.n > 0 {
			x.out[a.at].Message += fmt.Sprintf("; and %d more like it", a.n)
		}
	}
	for _, f := range x.Files.names {
		if c := x.rest[f]; c != nil && c.n > maxPerFile {
			x.out = append(x.out, x.finding(f, 0, "", fmt.Sprintf("%d more of these are not shown", c.n-maxPerFile)))
		}
	}
}

// report tells of something that the rule has found. The same fault at the same
// place is one finding, with the number of the others.
func (x *exam) report(file string, line int, subject, format string, args ...any) {
	f := fault{file, subject, format, line}
	if a := x.again[f]; a != nil {
		a.n++
		return
	}
	if x.tell(file, line, subject, fmt.Sprintf(format, args...)) && (line > 0 || subject != "") {
		x.again[f] = &again{at: len(x.out) - 1}
	}
}

// tell adds a finding, unless there are enough of the file.
func (x *exam) tell(file string, line int, subject, message string) bool {
	c := x.rest[file]
	if c == nil {
		c = &rest{file: file}
		x.rest[file] = c
	}
	if c.n++; c.n > maxPerFile {
		return false
	}
	x.out = append(x.out, x.finding(file, line, subject, message))
	return true
}

func (x *exam) finding(file string, line int, subject, message string) Finding {
	return Finding{
		ID: x.rule.ID, Severity: x.rule.Severity, File: file, Line: line,
		Subject: subject, Message: message, Advice: x.rule.Advice,
	}
}

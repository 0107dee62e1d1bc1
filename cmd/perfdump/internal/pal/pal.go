// Package pal makes rules of the threshold files of PAL (Performance Analysis of
// Logs). A threshold there is a program in PowerShell; those that are one comparison
// with a constant become rules, and the others are listed, never run.
package pal

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/analyze"
	"github.com/perfdump/perfdump/internal/once"
)

// Result is what became of a threshold file and of those that it inherits.
type Result struct {
	Rules *analyze.Rules
	Left  []Left
	Notes []string // files that are missing or in a circle
}

// Left is a threshold that is no rule.
type Left struct{ Analysis, Threshold, Why string }

// analysis is the element ANALYSIS.
type analysis struct {
	Name     string   `xml:"NAME,attr"`
	Enabled  string   `xml:"ENABLED,attr"`
	Category string   `xml:"CATEGORY,attr"`
	Sources  []source `xml:"DATASOURCE"`
	Levels   []level  `xml:"THRESHOLD"`
}

type source struct {
	Type    string `xml:"TYPE,attr"`
	Var     string `xml:"COLLECTIONVARNAME,attr"`
	Path    string `xml:"EXPRESSIONPATH,attr"`
	Exclude []struct {
		Instance string `xml:"INSTANCE,attr"`
	} `xml:"EXCLUDE"`
}

type level struct {
	Name      string `xml:"NAME,attr"`
	Condition string `xml:"CONDITION,attr"`
	Code      string `xml:"CODE"`
}

// reader reads a file and those that it inherits.
type reader struct {
	open  func(name string) ([]byte, error)
	seen  map[string]bool
	names map[string]bool // of rules
	text  strings.Builder
	left  []Left
	notes []string
}

// Parse reads a threshold file. open returns the content of a file beside it. The
// error is a *perfdump.FormatError of code syntax for what is no such file, whose
// offset is where it goes wrong.
func Parse(name string, b []byte, open func(name string) ([]byte, error)) (*Result, error) {
	r := &reader{open: open, seen: map[string]bool{strings.ToLower(base(name)): true}, names: map[string]bool{}}
	if err := r.file(b); err != nil {
		return nil, err
	}
	rules := &analyze.Rules{}
	if r.text.Len() > 0 {
		var err error
		if rules, err = analyze.Parse([]byte(r.text.String()), perfdump.Options{CodePage: 65001}); err != nil {
			return nil, err
		}
	}
	return &Result{rules, r.left, r.notes}, nil
}

// base returns the last part of a path of either system.
func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// maxFiles is how many files are read.
const maxFiles = 100

func (r *reader) file(b []byte) error {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	root := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && root {
			return nil
		}
		if err != nil {
			return perfdump.NewError(perfdump.CodeSyntax, d.InputOffset(), perfdump.Path{}, "not a threshold file of PAL: %v", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch {
		case !root && start.Name.Local != "PAL":
			return perfdump.NewError(perfdump.CodeSyntax, d.InputOffset(), perfdump.Path{}, "the root element is %q, not PAL", start.Name.Local)
		case start.Name.Local == "PAL":
			root = true
		case start.Name.Local == "ANALYSIS":
			var a analysis
			if err := d.DecodeElement(&a, &start); err != nil {
				return perfdump.NewError(perfdump.CodeSyntax, d.InputOffset(), perfdump.Path{}, "%v", err)
			}
			r.analysis(&a)
		case start.Name.Local == "INHERITANCE":
			for _, at := range start.Attr {
				if at.Name.Local == "FILEPATH" {
					r.inherit(base(strings.TrimSpace(at.Value)))
				}
			}
		}
	}
}

// inherit reads a further file, beside the first.
func (r *reader) inherit(name string) {
	switch key := strings.ToLower(name); {
	case name == "":
		return
	case r.seen[key]:
		r.notes = append(r.notes, name+" is inherited again: skipped")
		return
	case len(r.seen) == maxFiles:
		r.notes = append(r.notes, name+" is skipped: too many files")
		return
	default:
		r.seen[key] = true
	}
	b, err := r.open(name)
	if err == nil {
		err = r.file(b)
	}
	if err != nil {
		r.notes = append(r.notes, fmt.Sprintf("%s cannot be read: %v", name, err))
	}
}

// analysis makes the rules of an analysis.
func (r *reader) analysis(a *analysis) {
	pending := map[string]*rule{} // by counter and operator
	var order []*rule
	for _, l := range a.Levels {
		x, why := a.rule(&l)
		if why != "" {
			r.left = append(r.left, Left{a.Name, l.Name, why})
			continue
		}
		key := x.path + "\x00" + x.how
		if p := pending[key]; p != nil && p.levels[x.severity] == "" {
			p.levels[x.severity] = x.levels[x.severity]
			continue
		}
		pending[key] = x
		order = append(order, x)
	}
	for _, x := range order {
		name := clean(a.Name)
		for i := 2; r.names[strings.ToLower(name)]; i++ {
			name = fmt.Sprintf("%s %d", clean(a.Name), i)
		}
		text := x.write(name, a)
		if _, err := analyze.Parse([]byte(text), perfdump.Options{CodePage: 65001}); err != nil {
			r.left = append(r.left, Left{a.Name, x.title, "the counter is no rule's: " + err.Error()})
			continue
		}
		r.names[strings.ToLower(name)] = true
		r.text.WriteString(text)
	}
}

// rule is what a threshold becomes.
type rule struct {
	path, how, severity, title string
	except                     []string
	levels                     map[string]string
}

var (
	call      = once.Regexp(`^StaticThreshold((?:\s+-\w+\s+(?:'[^']*'|"[^"]*"|\$?[\w.]+))+)\s*;?$`)
	parameter = once.Regexp(`-(\w+)\s+('[^']*'|"[^"]*"|\$?[\w.]+)`)
	constant  = once.Regexp(`^\d+(?:\.\d+)?(?i:KB|MB|GB|TB)?$`)
	operators = map[string]string{"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "==", "ne": "!="}
)

// rule reads a threshold. It says why where that is no comparison with a constant.
func (a *analysis) rule(l *level) (x *rule, why string) {
	code := strings.TrimSpace(l.Code)
	m := call().FindStringSubmatch(code)
	if m == nil {
		return nil, "its threshold is a program"
	}
	given := map[string]string{}
	for _, p := range parameter().FindAllStringSubmatch(m[1], -1) {
		given[strings.ToLower(p[1])] = strings.Trim(p[2], `'"`)
	}
	op, limit := operators[strings.ToLower(given["operator"])], strings.ToUpper(given["threshold"])
	trend := strings.EqualFold(given["istrendonly"], "$true")
	of := a.source(given["collectionofcounterinstances"])
	for name := range given {
		switch name {
		case "operator", "threshold", "collectionofcounterinstances", "istrendonly":
		default:
			return nil, "unknown parameter -" + name
		}
	}
	x = &rule{title: clean(l.Name), severity: strings.ToLower(l.Condition), levels: map[string]string{}}
	switch {
	case x.severity != "warning" && x.severity != "critical":
		return nil, fmt.Sprintf("its condition is %q", l.Condition)
	case op == "":
		return nil, fmt.Sprintf("unknown operator %q", given["operator"])
	case !constant().MatchString(limit):
		return nil, fmt.Sprintf("its threshold %q is no constant", given["threshold"])
	case of == nil:
		return nil, "its values are computed"
	}
	x.path, x.how = clean(of.Path), op
	x.levels[x.severity] = op + " " + limit
	if trend { // PAL has the change in an hour there
		x.how += " trend"
		x.levels[x.severity] = fmt.Sprintf("trend %s %s/h over 1h", op, limit)
	}
	for _, e := range of.Exclude {
		if name := clean(e.Instance); name != "" {
			x.except = append(x.except, name)
		}
	}
	return x, ""
}

// source returns the counter of a variable, nil for one that is computed.
func (a *analysis) source(name string) *source {
	for i := range a.Sources {
		s := &a.Sources[i]
		if strings.EqualFold("$"+s.Var, name) && strings.EqualFold(s.Type, "CounterLog") {
			return s
		}
	}
	return nil
}

// write returns the rule as a section.
func (x *rule) write(name string, a *analysis) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s]\ntitle    = %s\narea     = %s\ncounter  = %s\n", name, x.title, area(a.Category), x.path)
	if len(x.except) > 0 {
		fmt.Fprintf(&b, "except   = %s\n", strings.Join(x.except, ", "))
	}
	for _, s := range []string{"warning", "critical"} {
		if x.levels[s] != "" {
			fmt.Fprintf(&b, "%-8s = %s\n", s, x.levels[s])
		}
	}
	return b.String() + "\n"
}

// areas are found in the names of categories.
var areas = [][2]string{
	{"sql", "sql"},
	{"hyper-v", "hyperv"},
	{"exchange", "exchange"},
	{"asp.net", "iis"},
	{"iis", "iis"},
	{"web", "iis"},
	{".net", "dotnet"},
	{"processor", "cpu"},
	{"memory", "memory"},
	{"paging", "memory"},
	{"disk", "disk"},
	{"network", "network"},
	{"tcp", "network"},
	{"process", "process"},
}

func area(category string) string {
	for _, a := range areas {
		if strings.Contains(strings.ToLower(category), a[0]) {
			return a[1]
		}
	}
	return "other"
}

// clean returns a text on one line, without brackets that would end a section's name.
func clean(s string) string {
	return strings.NewReplacer("[", "(", "]", ")").Replace(strings.Join(strings.Fields(s), " "))
}

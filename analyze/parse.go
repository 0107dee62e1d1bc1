package analyze

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/expression"
	"github.com/perfdump/perfdump/pdhpath"
)

// maxRules is how many rules a list may have.
const maxRules = 10_000

var levels = perfdump.Levels{"line"}

// Parse reads a file of rules: a section a rule, in the form that docs/analyze.md
// describes. The text may be in any encoding that [inifile.Parse] knows.
//
// The error is a *perfdump.FormatError: that of inifile.Parse, syntax with the line
// of a key that is unknown, missing or wrong, and limit for more than 10,000 rules.
func Parse(b []byte, o perfdump.Options) (*Rules, error) {
	f, err := inifile.Parse(b, o)
	if err != nil {
		return nil, err
	}
	rules, names := &Rules{}, map[string]bool{}
	var p *parser
	done := func() error {
		if p == nil {
			return nil
		}
		rule, err := p.rule()
		if err == nil {
			rules.all = append(rules.all, rule)
		}
		return err
	}
	for l := range f.Lines() {
		path := levels.Root().At(0, l.Number-1)
		fail := func(code perfdump.Code, format string, args ...any) error {
			return perfdump.NewError(code, -1, path, format, args...)
		}
		switch l.Kind {
		case inifile.Section:
			if err := done(); err != nil {
				return nil, err
			}
			name := strings.TrimSpace(l.Section)
			switch {
			case name == "":
				return nil, fail(perfdump.CodeSyntax, "a rule without a name")
			case names[fold(name)]:
				return nil, fail(perfdump.CodeSyntax, "the rule %q is defined twice", name)
			case len(names) == maxRules:
				return nil, fail(perfdump.CodeLimit, "more than %d rules", maxRules)
			}
			names[fold(name)] = true
			p = &parser{made: Rule{Name: name}, path: path, keys: map[string]key{}}
			p.text("[" + name + "]")
		case inifile.Key:
			k := fold(l.Key())
			switch {
			case p == nil:
				return nil, fail(perfdump.CodeSyntax, "%q is in front of the first rule", l.Key())
			case !slices.Contains(keys, k):
				return nil, fail(perfdump.CodeSyntax, "unknown key %q; the keys are %s", l.Key(), strings.Join(keys, ", "))
			case p.keys[k].has:
				return nil, fail(perfdump.CodeSyntax, "%q occurs twice in the rule %s", k, p.made.Name)
			}
			p.keys[k] = key{strings.TrimSpace(l.Value()), path, true}
			p.text(fmt.Sprintf("%-8s = %s", k, strings.TrimSpace(l.Value())))
		case inifile.Other:
			return nil, fail(perfdump.CodeSyntax, "%q is no key = value, and comments begin with #", strings.TrimSpace(l.Text()))
		}
	}
	if err := done(); err != nil {
		return nil, err
	}
	return rules, nil
}

// keys are those of a rule.
var keys = []string{"title", "area", "counter", "metric", "except", "when", "warning", "critical", "means", "next", "show", "link"}

type key struct {
	value string
	path  perfdump.Path
	has   bool
}

// parser reads the section of a rule.
type parser struct {
	made  Rule
	path  perfdump.Path // of the section
	keys  map[string]key
	lines []string
}

func (p *parser) text(line string) { p.lines = append(p.lines, line) }

// rule makes the rule of the keys.
func (p *parser) rule() (*Rule, error) {
	r := &p.made
	r.text = strings.Join(p.lines, "\n") + "\n"
	r.Title, r.Area, r.Means, r.Next, r.Link = p.keys["title"].value, p.keys["area"].value, p.keys["means"].value, p.keys["next"].value, p.keys["link"].value
	if r.Title == "" {
		r.Title = r.Name
	}
	if r.Area == "" {
		r.Area = "other"
	}
	if !slices.Contains(Areas(), r.Area) {
		return nil, p.fail("area", fmt.Errorf("%q; the areas are %s", r.Area, strings.Join(Areas(), ", ")))
	}
	counter, metric := p.keys["counter"].value, p.keys["metric"].value
	if (counter == "") == (metric == "") {
		return nil, p.fail("", errors.New("a rule has a counter or a metric"))
	}
	if p.keys["warning"].value == "" && p.keys["critical"].value == "" {
		return nil, p.fail("", errors.New("a rule has a level: warning, critical or both"))
	}
	for _, step := range []struct {
		key  string
		read func(string) error
	}{
		{"counter", p.counter},
		{"metric", p.metric},
		{"except", p.except},
		{"when", p.when},
		{"warning", p.severity(Warning)},
		{"critical", p.severity(Critical)},
		{"show", p.show},
	} {
		if text := p.keys[step.key].value; text != "" {
			if err := step.read(text); err != nil {
				return nil, p.fail(step.key, err)
			}
		}
	}
	return r, nil
}

// fail returns the error of a key, or of the rule.
func (p *parser) fail(at string, err error) error {
	path, text := p.path, "rule "+p.made.Name+": "
	if k, ok := p.keys[at]; ok {
		path = k.path
	}
	if at != "" {
		text += at + ": "
	}
	return perfdump.NewError(perfdump.CodeSyntax, -1, path, "%s%s", text, err)
}

func (p *parser) counter(s string) error {
	path, err := pdhpath.Parse(s)
	if err != nil {
		return err
	}
	if path.HasInstance && path.Instance != "*" {
		if p.made.instance, err = instancePattern(s[strings.IndexByte(s, '(')+1 : strings.LastIndex(s, `)\`)]); err != nil {
			return err
		}
	}
	p.made.counter = s
	if _, err = p.input(s); err == nil {
		p.made.inputs[0].instance = "" // any that the pattern is for
	}
	return err
}

func (p *parser) metric(s string) error {
	m, err := expression.Parse("metric = "+s, func(pos int, _ perfdump.Code, format string, args ...any) error {
		return fmt.Errorf("at %q: %s", s[max(min(pos-len("metric = "), len(s)), 0):], fmt.Sprintf(format, args...))
	})
	if err != nil {
		return err
	}
	p.made.metric = m
	object := ""
	for _, part := range m.Parts() {
		if part.Object == "" && slices.Contains(facts, fold(part.Counter)) {
			p.made.facts = append(p.made.facts, fold(part.Counter))
			p.made.inputs = append(p.made.inputs, input{counter: fold(part.Counter)})
			continue
		}
		if part.Object != "" {
			object = part.Object
		}
		if object == "" {
			return fmt.Errorf(`%q has no object: write [Object\%s]`, part.Counter, part.Counter)
		}
		p.made.inputs = append(p.made.inputs, input{object: fold(object), counter: fold(part.Counter), path: `\` + object + `(*)\` + part.Counter})
	}
	if p.made.inputs[0].object == "" {
		return errors.New("the first name must be a counter, which gives the instance")
	}
	return nil
}

// input adds the counter of a path and returns its place.
func (p *parser) input(s string) (int, error) {
	path, err := pdhpath.Parse(s)
	switch {
	case err != nil:
		return 0, err
	case strings.ContainsRune(path.Object+path.Counter, '*'):
		return 0, fmt.Errorf("%s: a rule names its object and its counter; only the instance may be *", s)
	}
	in := input{object: fold(path.Object), counter: fold(path.Counter), global: !path.HasInstance, path: s}
	if path.HasInstance && path.Instance != "*" {
		in.instance = fold(string(pdhpath.AppendInstance(nil, path.Parent, path.Instance, path.Index)))
	}
	p.made.inputs = append(p.made.inputs, in)
	return len(p.made.inputs) - 1, nil
}

func (p *parser) except(s string) error {
	for name := range strings.SplitSeq(s, ",") {
		pattern, err := instancePattern(strings.TrimSpace(name))
		if err != nil {
			return err
		}
		p.made.except = append(p.made.except, pattern)
	}
	return nil
}

// instancePattern returns a pattern of instances.
func instancePattern(s string) (*pdhpath.Pattern, error) { return pdhpath.Compile(`\x(` + s + `)\x`) }

func (p *parser) when(s string) error {
	for _, text := range split(s) {
		c, _, err := p.compare(text)
		if err != nil {
			return err
		}
		p.made.when = append(p.made.when, c)
	}
	return nil
}

func (p *parser) severity(s Severity) func(string) error {
	return func(text string) (err error) {
		p.made.levels[s], err = p.level(text)
		return err
	}
}

// show reads the paths of the evidence, separated by commas in front of a \.
func (p *parser) show(s string) error {
	for text := range strings.SplitSeq(strings.ReplaceAll(s, `,\`, `, \`), `, \`) {
		pattern, err := pdhpath.Compile(`\` + strings.TrimPrefix(strings.TrimSpace(text), `\`))
		if err != nil {
			return err
		}
		p.made.show = append(p.made.show, pattern)
	}
	return nil
}

package derive

import (
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
)

const (
	// maxNesting is how deep parentheses may stand in each other.
	maxNesting = 64
	// maxLine bounds a line, so that what one costs is bounded.
	maxLine = 64 << 10
)

// op is a step of the code of a metric: it puts a number or a part on a stack,
// or takes two off and puts their result on it.
type op struct {
	do     byte // one of + - * / or opNumber or opPart
	number float64
	part   int
}

const (
	opNumber = 'n'
	opPart   = 'p'
)

// parser reads an expression and writes the code of its metric.
type parser struct {
	s      string
	pos    int
	metric *Metric
	known  map[Part]int // parts, folded
	stack  int
	depth  int
	fail   func(pos int, code perfdump.Code, format string, args ...any) error
}

func (p *parser) errorf(pos int, format string, args ...any) error {
	return p.fail(pos, perfdump.CodeSyntax, format, args...)
}

// expression reads all of s.
func (p *parser) expression() error {
	if err := p.sum(); err != nil {
		return err
	}
	if p.pos < len(p.s) { // only ) ends a sum before its end
		return p.errorf(p.pos, `a ")" that no "(" belongs to; a name that holds one is put in [ ]`)
	}
	return nil
}

// sum reads what is added up, and all products in it.
func (p *parser) sum() error {
	if err := p.product(); err != nil {
		return err
	}
	for {
		do := p.operator("+-")
		if do == 0 {
			return nil
		}
		if err := p.product(); err != nil {
			return err
		}
		p.emit(op{do: do})
	}
}

func (p *parser) product() error {
	if err := p.operand(); err != nil {
		return err
	}
	for {
		do := p.operator("*/")
		if do == 0 {
			return nil
		}
		if err := p.operand(); err != nil {
			return err
		}
		p.emit(op{do: do})
	}
}

// operator takes an operator if it is one of which.
func (p *parser) operator(which string) byte {
	p.blanks()
	if p.pos < len(p.s) && strings.IndexByte(which, p.s[p.pos]) >= 0 {
		p.pos++
		return p.s[p.pos-1]
	}
	return 0
}

func (p *parser) blanks() {
	for p.pos < len(p.s) && blank(p.s[p.pos]) {
		p.pos++
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

func (p *parser) emit(o op) {
	p.metric.code = append(p.metric.code, o)
	if o.do == opNumber || o.do == opPart {
		p.stack++
		p.metric.depth = max(p.metric.depth, p.stack)
	} else {
		p.stack--
	}
}

// operand reads a counter, a number or what stands in parentheses, and sees
// that an operator, a ")" or the end stands behind it.
func (p *parser) operand() error {
	p.blanks()
	start := p.pos
	if p.pos == len(p.s) {
		if strings.TrimSpace(p.s) == "" {
			return p.errorf(p.pos, `no expression: want counters with + - * / ( ) between them, as in [A] / [B]`)
		}
		return p.errorf(p.pos, `it ends where a counter, a number or "(" should be`)
	}
	switch c := p.s[p.pos]; {
	case c == '(':
		if p.depth++; p.depth > maxNesting {
			return p.fail(p.pos, perfdump.CodeLimit, "more than %d parentheses in each other", maxNesting)
		}
		p.pos++
		if err := p.sum(); err != nil {
			return err
		}
		if p.pos == len(p.s) {
			return p.errorf(start, `no ")" for this "("`)
		}
		p.pos++
		p.depth--
	case c == '[':
		name, end, err := p.bracket(p.pos)
		if err != nil {
			return err
		}
		p.pos = end
		if err := p.part(start+1, name); err != nil {
			return err
		}
	case c == ')' || c == ']':
		return p.errorf(p.pos, `a %q where a counter, a number or "(" should be`, c)
	default:
		return p.bare()
	}
	p.blanks()
	if p.pos < len(p.s) && strings.IndexByte("+-*/)", p.s[p.pos]) < 0 {
		return p.errorf(p.pos, `%q where an operator or the end should be`, p.s[p.pos:min(p.pos+20, len(p.s))])
	}
	return nil
}

// bracket reads the name in brackets at a place; ]] stands for ].
func (p *parser) bracket(start int) (name string, end int, err error) {
	for end = start + 1; ; end++ {
		i := strings.IndexByte(p.s[end:], ']')
		if i < 0 {
			return "", 0, p.errorf(start, `no "]" for this "["`)
		}
		if end += i; end+1 == len(p.s) || p.s[end+1] != ']' {
			break
		}
		end++
	}
	return strings.ReplaceAll(p.s[start+1:end], "]]", "]"), end + 1, nil
}

// bare reads a number, or a name without brackets: up to an operator between
// blanks, or a ")" that belongs to a "(" before the name.
func (p *parser) bare() error {
	start, open := p.pos, 0
scan:
	for ; p.pos < len(p.s); p.pos++ {
		switch c := p.s[p.pos]; c {
		case '(':
			open++
		case ')':
			if open--; open < 0 {
				break scan
			}
		case '[', ']':
			return p.errorf(p.pos, `a %q in a name; operators stand between blanks, and a name that holds one is put in [ ]`, c)
		case '+', '-', '*', '/':
			if (p.pos == start || blank(p.s[p.pos-1])) && (p.pos+1 == len(p.s) || blank(p.s[p.pos+1])) {
				break scan
			}
		}
	}
	name := strings.TrimRight(p.s[start:p.pos], " \t")
	if name == "" {
		return p.errorf(start, `a %q where a counter, a number or "(" should be`, p.s[start])
	}
	if n, ok := number(name); ok {
		p.emit(op{do: opNumber, number: n})
		return nil
	}
	return p.part(start, name)
}

// number reads a decimal number; names such as Inf are none.
func number(s string) (float64, bool) {
	if strings.Trim(s, "0123456789.eE+-") != "" || !strings.ContainsAny(s, "0123456789") {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

// part puts a counter on the stack. It may begin with a backslash, as paths do.
func (p *parser) part(pos int, text string) error {
	var part Part
	name := strings.TrimPrefix(strings.TrimSpace(text), `\`)
	if i := strings.LastIndexByte(name, '\\'); i >= 0 {
		part.Object, name = strings.TrimSpace(name[:i]), name[i+1:]
		if part.Object == "" {
			return p.errorf(pos, `no object in front of the "\": want Object\Counter, or the counter alone`)
		}
	}
	if part.Counter = strings.TrimSpace(name); part.Counter == "" {
		return p.errorf(pos, "no name of a counter")
	}
	key := Part{fold(part.Object), fold(part.Counter)}
	i, ok := p.known[key]
	if !ok {
		if p.known == nil {
			p.known = map[Part]int{}
		}
		i = len(p.metric.parts)
		p.known[key] = i
		p.metric.parts = append(p.metric.parts, part)
	}
	p.emit(op{do: opPart, part: i})
	return nil
}

// parse compiles the line of a metric. fail makes the errors.
func parse(line string, fail func(pos int, code perfdump.Code, format string, args ...any) error) (*Metric, error) {
	if len(line) > maxLine {
		return nil, fail(maxLine, perfdump.CodeLimit, "a line of %d bytes; the limit is %d", len(line), maxLine)
	}
	m := &Metric{}
	p := &parser{s: line, metric: m, fail: fail}
	p.blanks()
	start := p.pos
	equals := 0
	if p.pos < len(line) && line[p.pos] == '[' {
		name, end, err := p.bracket(p.pos)
		if err != nil {
			return nil, err
		}
		p.pos = end
		p.blanks()
		m.Name, equals = strings.TrimSpace(name), p.pos
		if equals == len(line) || line[equals] != '=' {
			return nil, p.errorf(equals, `no "=" behind the name: want name = expression`)
		}
	} else {
		equals = strings.IndexByte(line, '=')
		if equals < 0 {
			return nil, p.errorf(start, `no "=": want name = expression`)
		}
		m.Name = strings.TrimSpace(line[:equals])
	}
	if m.Name == "" {
		return nil, p.errorf(start, `no name in front of the "=": want name = expression`)
	}
	p.pos = equals + 1
	p.blanks()
	m.Expression = strings.TrimRight(line[p.pos:], " \t")
	p.s = strings.TrimRight(line, " \t")
	p.pos = min(p.pos, len(p.s))
	if err := p.expression(); err != nil {
		return nil, err
	}
	if len(m.parts) == 0 {
		return nil, p.errorf(equals+1, "no counter in it: want at least one")
	}
	m.parts, m.code = slices.Clip(m.parts), slices.Clip(m.code)
	return m, nil
}

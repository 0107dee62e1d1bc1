package expression

import (
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
)

const (
	// maxNesting is how deep parentheses may be nested.
	maxNesting = 64
	// maxLine bounds a line, and so its cost.
	maxLine = 64 << 10
)

// node is a part of an expression: a number, a counter, or two nodes and their
// operator.
type node struct {
	do     byte // one of + - * / or opNumber or opPart
	part   int32
	number float64
	a, b   *node
}

const (
	opNumber = 'n'
	opPart   = 'p'
)

// eval returns the value of a node. The first part without a value, or division
// by 0, ends it with that status.
func (n *node) eval(parts []Operand) (float64, countertypes.Status) {
	switch n.do {
	case opNumber:
		return n.number, countertypes.StatusOK
	case opPart:
		return parts[n.part].Value, parts[n.part].Status
	}
	a, status := n.a.eval(parts)
	if status != countertypes.StatusOK {
		return 0, status
	}
	b, status := n.b.eval(parts)
	if status != countertypes.StatusOK {
		return 0, status
	}
	switch n.do {
	case '+':
		a += b
	case '-':
		a -= b
	case '*':
		a *= b
	default:
		if b == 0 {
			return 0, countertypes.StatusZeroDenominator
		}
		a /= b
	}
	return a, status
}

// parser reads the expression of a metric.
type parser struct {
	s      string
	pos    int
	metric *Metric
	known  map[Part]int // parts, folded
	depth  int
	fail   func(pos int, code perfdump.Code, format string, args ...any) error
}

func (p *parser) errorf(pos int, format string, args ...any) error {
	return p.fail(pos, perfdump.CodeSyntax, format, args...)
}

// sum reads what is added up, and all products in it.
func (p *parser) sum() (*node, error) { return p.chain("+-", p.product) }

func (p *parser) product() (*node, error) { return p.chain("*/", p.operand) }

// chain reads operands with the operators between them.
func (p *parser) chain(operators string, operand func() (*node, error)) (*node, error) {
	n, err := operand()
	for err == nil {
		do := p.operator(operators)
		if do == 0 {
			break
		}
		n = &node{do: do, a: n}
		n.b, err = operand()
	}
	return n, err
}

// operator reads an operator if it is one of which.
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

// operand reads a counter, a number or what is in parentheses, and checks
// that an operator, a ")" or the end follows it.
func (p *parser) operand() (n *node, err error) {
	p.blanks()
	start := p.pos
	if p.pos == len(p.s) {
		if strings.TrimSpace(p.s) == "" {
			return nil, p.errorf(p.pos, `no expression: want counters with + - * / ( ) between them, as in [A] / [B]`)
		}
		return nil, p.errorf(p.pos, `it ends where a counter, a number or "(" should be`)
	}
	switch c := p.s[p.pos]; {
	case c == '(':
		if p.depth++; p.depth > maxNesting {
			return nil, p.fail(p.pos, perfdump.CodeLimit, "more than %d nested parentheses", maxNesting)
		}
		p.pos++
		if n, err = p.sum(); err != nil {
			return nil, err
		}
		if p.pos == len(p.s) {
			return nil, p.errorf(start, `no ")" for this "("`)
		}
		p.pos++
		p.depth--
	case c == '[':
		name, end, err := p.bracket(p.pos)
		if err != nil {
			return nil, err
		}
		p.pos = end
		if n, err = p.part(start+1, name); err != nil {
			return nil, err
		}
	case c == ')' || c == ']':
		return nil, p.errorf(p.pos, `a %q where a counter, a number or "(" should be`, c)
	default:
		return p.bare()
	}
	p.blanks()
	if p.pos < len(p.s) && strings.IndexByte("+-*/)", p.s[p.pos]) < 0 {
		return nil, p.errorf(p.pos, `%q where an operator or the end should be`, p.s[p.pos:min(p.pos+20, len(p.s))])
	}
	return n, nil
}

// bracket reads the name in brackets at a place; ]] means ].
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
func (p *parser) bare() (*node, error) {
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
			return nil, p.errorf(p.pos, `a %q in a name; write operators between blanks, and a name that holds one in [ ]`, c)
		case '+', '-', '*', '/':
			if (p.pos == start || blank(p.s[p.pos-1])) && (p.pos+1 == len(p.s) || blank(p.s[p.pos+1])) {
				break scan
			}
		}
	}
	name := strings.TrimRight(p.s[start:p.pos], " \t")
	if name == "" {
		return nil, p.errorf(start, `a %q where a counter, a number or "(" should be`, p.s[start])
	}
	if n, ok := number(name); ok {
		return &node{do: opNumber, number: n}, nil
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

// part returns the node of a counter. It may begin with a backslash, as paths do.
func (p *parser) part(pos int, text string) (*node, error) {
	var part Part
	name := strings.TrimPrefix(strings.TrimSpace(text), `\`)
	if i := strings.LastIndexByte(name, '\\'); i >= 0 {
		part.Object, name = strings.TrimSpace(name[:i]), name[i+1:]
		if part.Object == "" {
			return nil, p.errorf(pos, `no object in front of the "\": want Object\Counter, or the counter alone`)
		}
	}
	if part.Counter = strings.TrimSpace(name); part.Counter == "" {
		return nil, p.errorf(pos, "no name of a counter")
	}
	key := Part{fold(part.Object), fold(part.Counter)}
	i, ok := p.known[key]
	if !ok {
		i = len(p.metric.parts)
		p.known[key] = i
		p.metric.parts = append(p.metric.parts, part)
	}
	return &node{do: opPart, part: int32(i)}, nil
}

// Parse compiles the line of a metric: name = expression. fail makes the errors, of
// the byte of the line where it goes wrong.
func Parse(line string, fail func(pos int, code perfdump.Code, format string, args ...any) error) (*Metric, error) {
	if len(line) > maxLine {
		return nil, fail(maxLine, perfdump.CodeLimit, "a line of %d bytes; the limit is %d", len(line), maxLine)
	}
	m := &Metric{}
	p := &parser{s: line, metric: m, known: map[Part]int{}, fail: fail}
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
			return nil, p.errorf(equals, `no "=" after the name: write name = expression`)
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
	var err error
	if m.expression, err = p.sum(); err != nil {
		return nil, err
	}
	if p.pos < len(p.s) { // only ) ends a sum before its end
		return nil, p.errorf(p.pos, `")" without "("; put a name that contains one in [ ]`)
	}
	if len(m.parts) == 0 {
		return nil, p.errorf(equals+1, "it has no counter: name at least one")
	}
	m.parts = slices.Clip(m.parts)
	return m, nil
}

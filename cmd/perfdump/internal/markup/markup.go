// Package markup fills in pages of HTML. It knows as much of the language of html/template
// as our pages need, and no methods: a program that links the template packages keeps
// every method of every type, which are megabytes.
//
//	{{.Name}} {{.File.Name}} {{.}}          the value of a field, or the value itself, escaped
//	{{clean .Name}}                         what a function makes of it
//	{{if .A}} {{else if not .B}} {{else}} {{end}}
//	{{with .A}} {{else}} {{end}}            the same, with the value as the dot
//	{{range .All}} {{end}}
//
// A dash inside the braces takes the blanks away that are next to it.
package markup

import (
	"fmt"
	"html"
	"io"
	"reflect"
	"strings"
)

// Raw is markup, which is written as it is.
type Raw string

// Funcs are what a page may call, by their names.
type Funcs map[string]func(any) string

// Page is a page to be filled in.
type Page struct {
	nodes []node
	funcs Funcs
}

// node is text, a value, or a block. The text of a block is its keyword.
type node struct {
	text string
	arg  expression
	body []node
	rest []node // after else
}

// expression is a value: a path of fields from the dot on, and what is done with it.
type expression struct {
	given bool
	not   bool
	call  string
	path  []string
}

// Parse reads a page. It panics where the page is wrong: pages are part of the program.
func Parse(text string, funcs Funcs) *Page {
	p := parser{rest: strings.ReplaceAll(text, "\r\n", "\n")}
	nodes, end := p.list()
	if end != "" {
		panic("markup: {{" + end + "}} without a block")
	}
	return &Page{nodes: nodes, funcs: funcs}
}

type parser struct{ rest string }

// list reads up to the end of a block, and returns what ends it.
func (p *parser) list() (nodes []node, end string) {
	for {
		text, rest, found := strings.Cut(p.rest, "{{")
		action, rest, closed := strings.Cut(rest, "}}")
		if found && !closed {
			panic("markup: {{ without }}")
		}
		if strings.HasPrefix(action, "-") {
			action, text = action[1:], strings.TrimRight(text, " \n\t")
		}
		if strings.HasSuffix(action, "-") {
			action, rest = action[:len(action)-1], strings.TrimLeft(rest, " \n\t")
		}
		if p.rest = rest; text != "" {
			nodes = append(nodes, node{text: text})
		}
		if !found {
			return nodes, ""
		}
		switch words := strings.Fields(action); words[0] {
		case "end", "else":
			return nodes, strings.TrimSpace(action)
		case "if", "with", "range":
			nodes = append(nodes, p.block(words))
		default:
			nodes = append(nodes, node{arg: expressionOf(words)})
		}
	}
}

func (p *parser) block(words []string) node {
	n := node{text: words[0], arg: expressionOf(words[1:])}
	var end string
	n.body, end = p.list()
	if more, ok := strings.CutPrefix(end, "else if "); ok {
		n.rest = []node{p.block(append([]string{"if"}, strings.Fields(more)...))}
		return n
	}
	if end == "else" {
		n.rest, end = p.list()
	}
	if end != "end" {
		panic("markup: no {{end}} of {{" + strings.Join(words, " ") + "}}")
	}
	return n
}

func expressionOf(words []string) expression {
	e := expression{given: true}
	if len(words) == 2 {
		e.not, e.call = words[0] == "not", words[0]
		words = words[1:]
	}
	path, ok := strings.CutPrefix(strings.Join(words, " "), ".")
	if !ok || strings.Contains(path, " ") {
		panic("markup: no value: " + strings.Join(words, " "))
	}
	if path != "" {
		e.path = strings.Split(path, ".")
	}
	return e
}

// Write writes the page with the fields of a struct. The error is that of w.
func (p *Page) Write(w io.Writer, data any) error {
	f := filler{page: p, w: w}
	f.list(p.nodes, reflect.ValueOf(data))
	return f.err
}

type filler struct {
	page *Page
	w    io.Writer
	err  error
}

func (f *filler) write(s string) {
	if f.err == nil {
		_, f.err = io.WriteString(f.w, s)
	}
}

func (f *filler) list(nodes []node, dot reflect.Value) {
	for i := range nodes {
		n := &nodes[i]
		if !n.arg.given {
			f.write(n.text)
			continue
		}
		v := f.value(&n.arg, dot)
		switch {
		case n.text == "":
			f.text(v)
		case !truth(v):
			f.list(n.rest, dot)
		case n.text == "if":
			f.list(n.body, dot)
		case n.text == "with":
			f.list(n.body, v)
		default:
			for i := range v.Len() {
				f.list(n.body, v.Index(i))
			}
		}
	}
}

func (f *filler) value(e *expression, v reflect.Value) reflect.Value {
	for _, name := range e.path {
		v = reflect.Indirect(v).FieldByName(name)
	}
	switch {
	case !v.IsValid():
		panic("markup: no field " + strings.Join(e.path, "."))
	case e.not:
		return reflect.ValueOf(!truth(v))
	case e.call != "":
		return reflect.ValueOf(f.page.funcs[e.call](v.Interface()))
	default:
		return v
	}
}

// truth reports whether a value is neither 0, false nor empty.
func truth(v reflect.Value) bool {
	if v.Kind() == reflect.Slice {
		return v.Len() > 0
	}
	return !v.IsZero()
}

func (f *filler) text(v reflect.Value) {
	if raw, ok := v.Interface().(Raw); ok {
		f.write(string(raw))
		return
	}
	f.write(strings.ReplaceAll(html.EscapeString(fmt.Sprint(v.Interface())), "\x00", "\ufffd"))
}

package main

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

//go:embed hook/hook.go
var hook string

// hookFor is the hook as a file of the package.
func hookFor(pkg string) string {
	return strings.Replace(hook, "\npackage hook\n", "\npackage "+pkg+"\n", 1)
}

// A target is a fuzz target and the types of its arguments.
type target struct {
	Name  string
	Types []string
}

// A source is a test file whose targets call the hook.
type source struct {
	Package string
	Text    []byte
	Targets []target
}

// instrument gives a test file in which each target calls the hook, line by
// line as it was.
func instrument(name string, text []byte) (*source, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := &source{Package: file.Name.Name}
	inserts := map[int]string{}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !isTarget(fn) {
			continue
		}
		call, body := fuzzCall(fn)
		if body == nil {
			return nil, fmt.Errorf("%s: %s: no call of Fuzz with a function in its place", name, fn.Name.Name)
		}
		t := target{Name: fn.Name.Name}
		var args []string
		for _, p := range body.Type.Params.List {
			for _, n := range p.Names {
				args = append(args, n.Name)
				t.Types = append(t.Types, plain(types.ExprString(p.Type)))
			}
		}
		if len(args) < 2 || slices.Contains(args, "_") {
			return nil, fmt.Errorf("%s: %s: arguments without names", name, fn.Name.Name)
		}
		t.Types = t.Types[1:]
		inserts[fset.Position(call.Pos()).Offset] = "fuzzminSeeds(); "
		inserts[fset.Position(body.Body.Lbrace).Offset+1] = " defer fuzzminSeed(" + strings.Join(args, ", ") + ")();"
		s.Targets = append(s.Targets, t)
	}
	at := make([]int, 0, len(inserts))
	for i := range inserts {
		at = append(at, i)
	}
	slices.Sort(at)
	from := 0
	for _, i := range at {
		s.Text = append(append(s.Text, text[from:i]...), inserts[i]...)
		from = i
	}
	s.Text = append(s.Text, text[from:]...)
	return s, nil
}

func isTarget(fn *ast.FuncDecl) bool {
	p := fn.Type.Params.List
	return fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Fuzz") && fn.Body != nil &&
		len(p) == 1 && len(p[0].Names) == 1 && types.ExprString(p[0].Type) == "*testing.F"
}

// fuzzCall finds f.Fuzz(func…) in a target.
func fuzzCall(fn *ast.FuncDecl) (call *ast.CallExpr, body *ast.FuncLit) {
	f := fn.Type.Params.List[0].Names[0].Name
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || types.ExprString(c.Fun) != f+".Fuzz" || len(c.Args) != 1 {
			return true
		}
		if lit, ok := c.Args[0].(*ast.FuncLit); ok {
			call, body = c, lit
		}
		return false
	})
	return call, body
}

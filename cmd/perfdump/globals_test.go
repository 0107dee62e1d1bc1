package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNothingGlobalChanges reads the source of all packages: none has a func
// init, or assigns to a variable of a package. (That none prints, forbidigo holds. What is made
// once stands in a sync.OnceValue, which is not assigned to.)
func TestNothingGlobalChanges(t *testing.T) {
	packages := map[string][]*ast.File{}
	set := token.NewFileSet()
	require.NoError(t, filepath.WalkDir(repo(t), func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "tools"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		packages[filepath.Dir(name)] = append(packages[filepath.Dir(name)], f)
		return err
	}))
	require.Greater(t, len(packages), 40)
	for _, files := range packages {
		globals := globalsOf(files)
		for _, f := range files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				if fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s: func init", set.Position(fn.Pos()))
				}
				for _, wrong := range writes(fn, globals) {
					t.Errorf("%s: a variable of the package is changed", set.Position(wrong))
				}
			}
		}
	}
}

// TestChangesAreSeen holds what the test above sees and what it does not.
func TestChangesAreSeen(t *testing.T) {
	const source = `package p
var a, b = 1, map[string]int{}
var c struct{ x int }
func one() { a = 2 }
func two() { b["x"]++ }
func three() { c.x += 1 }
func four() { p := &a; *p = 1 }
func five(a int) { a = 2 }
func six() { a := 1; a++; for b := range 3 { b++ } }
func seven() { delete(b, "x") }
`
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "p.go", source, 0)
	require.NoError(t, err)
	globals := globalsOf([]*ast.File{f})
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			want := map[string]int{"four": 0, "five": 0, "six": 0}
			n, clean := want[fn.Name.Name]
			if !clean {
				n = 1
			}
			assert.Len(t, writes(fn, globals), n, fn.Name.Name)
		}
	}
}

// globalsOf returns the variables of a package, as identifiers refer to them.
func globalsOf(files []*ast.File) map[any]bool {
	globals := map[any]bool{}
	all := files[0].Scope.Objects // of all files, which know their own alone
	for _, f := range files {
		for name, o := range f.Scope.Objects {
			if all[name] = o; o.Kind == ast.Var {
				globals[o] = true
			}
		}
	}
	for _, f := range files {
		for _, id := range f.Unresolved {
			id.Obj = all[id.Name]
		}
	}
	return globals
}

// writes returns where a function assigns to globals or parts of them, or takes
// elements out. It does not follow pointers: tables that are large are handed
// on by their address, and the race detector is there for what is left.
func writes(fn *ast.FuncDecl, globals map[any]bool) (wrong []token.Pos) {
	check := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.IndexExpr:
				e = x.X
			case *ast.SelectorExpr:
				e = x.X
			case *ast.StarExpr:
				e = x.X
			case *ast.ParenExpr:
				e = x.X
			case *ast.Ident:
				if globals[x.Obj] {
					wrong = append(wrong, x.Pos())
				}
				return
			default:
				return
			}
		}
	}
	if fn.Body == nil {
		return nil
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.AssignStmt:
			for _, e := range x.Lhs {
				check(e)
			}
		case *ast.IncDecStmt:
			check(x.X)
		case *ast.CallExpr:
			if id, ok := x.Fun.(*ast.Ident); ok && (id.Name == "delete" || id.Name == "clear") && len(x.Args) > 0 {
				check(x.Args[0])
			}
		}
		return true
	})
	return wrong
}

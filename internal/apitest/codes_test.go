package apitest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCodesAreExplained wants a sentence at each exported code of an error, an
// anomaly or a remark: a reader of the package's documentation has no other page
// at hand.
func TestCodesAreExplained(t *testing.T) {
	l := newLoader(t)
	n := 0
	for path, at := range l.list {
		if !at.public() {
			continue
		}
		for _, file := range at.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(at.Dir, file), nil, parser.ParseComments)
			require.NoError(t, err)
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.CONST {
					continue
				}
				for _, spec := range g.Specs {
					v := spec.(*ast.ValueSpec)
					name := v.Names[0].Name
					if !isCode(v) || !ast.IsExported(name) {
						continue
					}
					n++
					alone := len(g.Specs) == 1 && strings.HasPrefix(g.Doc.Text(), name)
					assert.True(t, alone || v.Doc.Text() != "" || v.Comment.Text() != "", "%s: %s has no comment", path, name)
				}
			}
		}
	}
	assert.Greater(t, n, 20)
}

// isCode reports whether a constant is declared as a perfdump.Code, or made by
// a conversion to one.
func isCode(v *ast.ValueSpec) bool {
	of := v.Type
	if of == nil && len(v.Values) > 0 {
		if call, ok := v.Values[0].(*ast.CallExpr); ok {
			of = call.Fun
		}
	}
	if s, ok := of.(*ast.SelectorExpr); ok {
		of = s.Sel
	}
	name, ok := of.(*ast.Ident)
	return ok && name.Name == "Code"
}

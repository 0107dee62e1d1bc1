package apitest

import (
	"go/ast"
	"go/parser"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// link is what go doc reads as the name of something exported, and the
// character after it: before a letter, as in [Record]s, it makes no link.
var link = regexp.MustCompile(`\[\*?((?:[a-z]\w*\.)?[A-Z][A-Za-z0-9]*(?:\.[A-Z][A-Za-z0-9]*)?)\](\w?)`)

// TestDocLinks checks that each name in brackets in a comment exists, so that
// no doc refers to what was renamed or removed.
func TestDocLinks(t *testing.T) {
	l := newLoader(t)
	links := 0
	for path, at := range l.list {
		if !at.public() {
			continue
		}
		p, err := l.load(path)
		require.NoError(t, err)
		for _, name := range at.GoFiles {
			f, err := parser.ParseFile(l.fset, filepath.Join(at.Dir, name), nil, parser.SkipObjectResolution|parser.ParseComments)
			require.NoError(t, err)
			for _, group := range f.Comments {
				for _, c := range group.List {
					for _, m := range link.FindAllStringSubmatch(c.Text, -1) {
						links++
						assert.Empty(t, m[2], "%s: %s continues after the bracket", l.fset.Position(c.Pos()), m[0])
						assert.True(t, names(p, m[1]), "%s: there is no %s", l.fset.Position(c.Pos()), m[0])
					}
				}
			}
		}
	}
	require.Greater(t, links, 100)
}

// names reports whether a name in a comment is one of p, of one of its types,
// or of a package that p imports.
func names(p *types.Package, name string) bool {
	parts := strings.Split(name, ".")
	if ast.IsExported(parts[0]) {
		return declares(p, parts)
	}
	return slices.ContainsFunc(p.Imports(), func(i *types.Package) bool {
		return i.Name() == parts[0] && declares(i, parts[1:])
	})
}

// declares reports whether p has a name, or a type with a field or a method.
func declares(p *types.Package, parts []string) bool {
	o := p.Scope().Lookup(parts[0])
	if o == nil || len(parts) == 1 {
		return o != nil
	}
	member, _, _ := types.LookupFieldOrMethod(o.Type(), true, p, parts[1])
	return member != nil
}

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// kind is a way to break code.
type kind int

const (
	comparison kind = iota // < to <=, == to != and so on
	constant               // a number, one more or one less
	sum                    // + to -
	logic                  // && to ||
	negation               // a ! dropped
	extreme                // min to max
	guard                  // the return of an if with a comparison dropped
	kinds
)

// site is a place that can be broken, and the ways it can be.
type site struct {
	file       string // from the module's root
	line       int
	start, end int // of the bytes that are replaced
	kind       kind
	after      []string
	source     []byte // of the whole file
}

var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.ADD: token.SUB, token.SUB: token.ADD,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

// kindOf gives the kind of an operator that swaps has, and kinds for others.
func kindOf(op token.Token) kind {
	switch op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
		return comparison
	case token.ADD, token.SUB, token.ADD_ASSIGN, token.SUB_ASSIGN:
		return sum
	case token.LAND, token.LOR:
		return logic
	default:
		return kinds
	}
}

// texts are functions and methods whose work is words for people.
var texts = regexp.MustCompile(`^(String|Error|GoString)$`)

// wording are calls whose arguments are words for people.
var wording = regexp.MustCompile(`^(fmt\.|errors\.|strconv\.Quote)`)

// sitesOf gives the sites of a package's files, in their order.
func sitesOf(root string, t target) ([]site, error) {
	names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(t.dir), "*.go"))
	if err != nil {
		return nil, err
	}
	var list []site
	for _, name := range names {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") || t.skip.MatchString(base) {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found, err := sitesOfFile(t.dir+"/"+base, source)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// finder walks a file.
type finder struct {
	name   string
	source []byte
	file   *token.File
	list   []site
}

func sitesOfFile(name string, source []byte) ([]site, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &finder{name: name, source: source, file: set.File(tree.Pos())}
	for _, decl := range tree.Decls {
		f.declaration(decl)
	}
	return f.list, nil
}

// declaration walks functions and constants. Variables of a package are
// tables, which are no decode path.
func (f *finder) declaration(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Body != nil && !texts.MatchString(d.Name.Name) {
			ast.Inspect(d.Body, f.visit)
		}
	case *ast.GenDecl:
		if d.Tok == token.CONST {
			ast.Inspect(d, f.visit)
		}
	}
}

// visit notes the sites of a node and says whether to walk what is below.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.AssignStmt:
		if to, ok := swaps[n.Tok]; ok {
			f.add(sum, n.TokPos, len(n.Tok.String()), to.String())
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.add(negation, n.OpPos, 1, "")
		}
	case *ast.CallExpr:
		return f.call(n)
	case *ast.IfStmt:
		f.guard(n)
	case *ast.BasicLit:
		f.number(n)
	case *ast.ArrayType:
		return false // lengths of arrays belong to their types
	case *ast.CaseClause:
		for _, s := range n.Body {
			ast.Inspect(s, f.visit)
		}
		return false // other cases are other kinds of input, not bounds
	}
	return true
}

func (f *finder) binary(n *ast.BinaryExpr) {
	to, ok := swaps[n.Op]
	if !ok || isNil(n.X) || isNil(n.Y) || n.Op == token.ADD && (isText(n.X) || isText(n.Y)) {
		return
	}
	f.add(kindOf(n.Op), n.OpPos, len(n.Op.String()), to.String())
}

// call leaves out words for people and capacities, whose breaks nobody could
// see.
func (f *finder) call(n *ast.CallExpr) bool {
	switch name := f.text(n.Fun); {
	case wording.MatchString(name), name == "slices.Grow", strings.HasSuffix(name, ".Grow"), name == "panic":
		return false
	case name == "min":
		f.add(extreme, n.Fun.Pos(), 3, "max")
	case name == "max":
		f.add(extreme, n.Fun.Pos(), 3, "min")
	case name == "make" && len(n.Args) == 3:
		ast.Inspect(n.Args[1], f.visit)
		return false
	}
	return true
}

// guard takes the way out of an if whose condition compares.
func (f *finder) guard(n *ast.IfStmt) {
	if len(n.Body.List) == 0 || !compares(n.Cond) {
		return
	}
	switch out := n.Body.List[len(n.Body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		f.add(guard, out.Pos(), int(out.End()-out.Pos()), "")
	}
}

func (f *finder) number(n *ast.BasicLit) {
	if n.Kind != token.INT {
		return
	}
	v, err := strconv.ParseUint(n.Value, 0, 64)
	if err != nil {
		return
	}
	base, prefix := 10, ""
	if strings.HasPrefix(n.Value, "0x") || strings.HasPrefix(n.Value, "0X") {
		base, prefix = 16, "0x"
	}
	after := []string{prefix + strconv.FormatUint(v+1, base)}
	if v > 0 {
		after = append(after, prefix+strconv.FormatUint(v-1, base))
	}
	f.add(constant, n.Pos(), len(n.Value), after...)
}

func (f *finder) add(of kind, pos token.Pos, length int, after ...string) {
	start := f.file.Offset(pos)
	f.list = append(f.list, site{
		file: f.name, line: f.file.Line(pos), start: start, end: start + length,
		kind: of, after: after, source: f.source,
	})
}

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.file.Offset(n.Pos()):f.file.Offset(n.End())])
}

func isNil(n ast.Expr) bool {
	name, ok := n.(*ast.Ident)
	return ok && name.Name == "nil"
}

func isText(n ast.Expr) bool {
	lit, ok := n.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}

// compares tells whether a condition holds a comparison with anything but nil.
func compares(n ast.Expr) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && !isNil(b.X) && !isNil(b.Y) {
			found = found || kindOf(b.Op) == comparison
		}
		return !found
	})
	return found
}

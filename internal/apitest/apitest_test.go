package apitest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRender(t *testing.T) {
	const src = `package p

const (
	A Kind = iota
	B
	c
	Text = "a\nb"
)

type Kind uint8

func (Kind) String() string { return "" }

var Err error

type T[E any] struct {
	hidden
	Options
	N, m int
	F    func(name string, more ...int) (n int, err error)
}

type hidden struct{ Seen *T[int] }

func (hidden) Promoted()    {}
func (*hidden) ByPointer()  {}
func (*T[E]) Do(e E)        {}
func (T[E]) private()       {}

type Options struct{ Mode Kind }

func (Options) Told() {}

type I interface {
	Do(i int) I
	stay()
}

type Other = hidden
type Same = Options

func Map[K comparable, V any](m map[K]V, f ...func(K) V) []V { return nil }
func New() *Options { return nil }
func unexported() {}
`
	const want = `const A Kind = 0
const B Kind = 1
const Text untyped string = "a\nb"
func Map[K comparable, V any](map[K]V, ...func(K) V) []V
func New() *Options
method (*Other) ByPointer()
method (*T) ByPointer()
method (*T) Do(E)
method (Kind) String() string
method (Other) Promoted()
method (T) Promoted()
type I interface
type I interface, Do(int) I
type I interface, unexported methods
type Kind uint8
type Options struct
type Options struct, Mode Kind
method (Options) Told()
type Other = hidden
type Other struct, Seen *T[int]
type Same = Options
type T struct, F func(string, ...int) (int, error)
type T struct, N int
type T struct, Seen *T[int]
type T struct, embedded Options
type T[E any] struct
var Err error
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	require.NoError(t, err)
	conf := types.Config{IgnoreFuncBodies: true}
	p, err := conf.Check("p", fset, []*ast.File{f}, nil)
	require.NoError(t, err)
	require.ElementsMatch(t, lines(want), lines(render(p)))
}

func TestCompare(t *testing.T) {
	was := map[string]string{
		"p.txt": "func A()\nfunc B()\ntype T struct\ntype T struct, F int\n",
		"q.txt": "func Gone()\n",
		"r.txt": "func Same()\n",
	}
	is := map[string]string{
		"p.txt": "func A(int)\nfunc C()\ntype T struct\ntype T struct, F int\ntype T struct, embedded Options\n",
		"r.txt": "func Same()\n",
	}
	require.Equal(t, `api/p.txt
  changed: func A()
       to: func A(int)
  removed: func B()
  added:   func C()
  added:   type T struct, embedded Options
api/q.txt
  removed: func Gone()
`, compare(was, is))
	require.Empty(t, compare(is, is))
}

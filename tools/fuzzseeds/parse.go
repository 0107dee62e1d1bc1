package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
)

// header is the first line of a seed.
const header = "go test fuzz v1"

// parse returns the arguments that a seed holds, a line each: []byte("a"),
// uint32(7), byte('\x00'), bool(true), float64(-1.5) and their like.
func parse(seed string) ([]any, error) {
	lines := strings.Split(strings.TrimRight(seed, "\n"), "\n")
	if strings.TrimSpace(lines[0]) != header {
		return nil, fmt.Errorf("the first line is not %q", header)
	}
	args := make([]any, 0, len(lines)-1)
	for i, line := range lines[1:] {
		arg, err := argument(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		args = append(args, arg)
	}
	if len(args) == 0 {
		return nil, errors.New("no arguments")
	}
	return args, nil
}

func argument(line string) (any, error) {
	expr, err := parser.ParseExpr(line)
	if err != nil {
		return nil, err
	}
	call, ok := expr.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, errors.New("not a value with its type")
	}
	text, kind := operand(call.Args[0])
	switch typ := typeName(call.Fun); typ {
	case "[]byte", "string":
		s, err := strconv.Unquote(text)
		if typ == "string" {
			return s, err
		}
		return []byte(s), err
	case "bool":
		return strconv.ParseBool(text)
	case "int":
		n, err := strconv.ParseInt(text, 0, 64)
		return int(n), err
	case "int64":
		return strconv.ParseInt(text, 0, 64)
	case "byte", "uint8":
		if kind == token.CHAR {
			r, _, _, err := strconv.UnquoteChar(text[1:len(text)-1], '\'')
			return byte(r), err
		}
		n, err := strconv.ParseUint(text, 0, 8)
		return byte(n), err
	case "int8":
		n, err := strconv.ParseInt(text, 0, 8)
		return int8(n), err
	case "uint16":
		n, err := strconv.ParseUint(text, 0, 16)
		return uint16(n), err
	case "uint32":
		n, err := strconv.ParseUint(text, 0, 32)
		return uint32(n), err
	case "uint64":
		return strconv.ParseUint(text, 0, 64)
	case "float64":
		return strconv.ParseFloat(text, 64)
	case "math.Float64frombits":
		n, err := strconv.ParseUint(text, 0, 64)
		return math.Float64frombits(n), err
	default:
		return nil, fmt.Errorf("a type that no target takes yet: %q", typ)
	}
}

// operand returns the text of a literal, with its sign.
func operand(e ast.Expr) (string, token.Token) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Value, e.Kind
	case *ast.Ident: // true, NaN
		return e.Name, token.IDENT
	case *ast.UnaryExpr:
		text, kind := operand(e.X)
		return e.Op.String() + text, kind
	default:
		return "", token.ILLEGAL
	}
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	case *ast.ArrayType:
		return "[]" + typeName(e.Elt)
	default:
		return ""
	}
}

package apitest

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// render writes the exported API of a package, a line a name. Parameters come
// without their names, which callers do not depend on.
func render(p *types.Package) string {
	r := renderer{pkg: p}
	for _, name := range p.Scope().Names() {
		if o := p.Scope().Lookup(name); o.Exported() {
			r.object(o)
		}
	}
	if r.lines == nil {
		return ""
	}
	slices.Sort(r.lines)
	return strings.Join(slices.Compact(r.lines), "\n") + "\n"
}

type renderer struct {
	pkg   *types.Package
	lines []string
}

func (r *renderer) add(format string, args ...any) {
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

func (r *renderer) object(o types.Object) {
	switch o := o.(type) {
	case *types.Const:
		r.add("const %s %s = %s", o.Name(), r.text(o.Type()), o.Val().ExactString())
	case *types.Var:
		r.add("var %s %s", o.Name(), r.text(o.Type()))
	case *types.Func:
		r.add("func %s%s", o.Name(), r.signature(o.Signature()))
	case *types.TypeName:
		r.typeName(o)
	}
}

func (r *renderer) typeName(o *types.TypeName) {
	name := o.Name()
	if o.IsAlias() {
		is := types.Unalias(o.Type())
		r.add("type %s = %s", name, r.text(is))
		if r.visible(is) {
			return
		}
		// Its name is the only one that users have for the type.
		r.members(name, is)
		return
	}
	r.add("type %s%s %s", name, r.params(o.Type()), r.kind(o.Type().Underlying()))
	r.members(name, o.Type())
}

// visible reports whether users can name a type, so that its members are listed
// there.
func (r *renderer) visible(t types.Type) bool {
	n, ok := t.(*types.Named)
	return !ok || n.Obj().Pkg() == nil || n.Obj().Exported() && !strings.Contains(n.Obj().Pkg().Path(), "/internal/")
}

// kind is the underlying type, less what has lines of its own.
func (r *renderer) kind(t types.Type) string {
	switch t := t.(type) {
	case *types.Struct:
		return "struct"
	case *types.Interface:
		if t.IsMethodSet() {
			return "interface"
		}
	}
	return r.text(t)
}

func (r *renderer) params(t types.Type) string {
	n, ok := t.(*types.Named)
	if !ok || n.TypeParams().Len() == 0 {
		return ""
	}
	var l []string
	for p := range n.TypeParams().TypeParams() {
		l = append(l, p.Obj().Name()+" "+r.text(p.Constraint()))
	}
	return "[" + strings.Join(l, ", ") + "]"
}

// members writes the fields and methods of a type under a name. Those that it
// has from an embedded type that users can name are listed there.
func (r *renderer) members(name string, t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		r.fields(name, u)
	case *types.Interface:
		for m := range u.Methods() {
			if m.Exported() {
				r.add("type %s interface, %s%s", name, m.Name(), r.signature(m.Signature()))
			} else {
				r.add("type %s interface, unexported methods", name)
			}
		}
		return
	}
	byValue := types.NewMethodSet(t)
	for s := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		m := s.Obj().(*types.Func)
		if !m.Exported() || r.elsewhere(t, s.Index()) {
			continue
		}
		star := "*"
		if byValue.Lookup(m.Pkg(), m.Name()) != nil {
			star = ""
		}
		r.add("method (%s%s) %s%s", star, name, m.Name(), r.signature(m.Signature()))
	}
}

func (r *renderer) fields(name string, s *types.Struct) {
	for f := range s.Fields() {
		embedded := types.Unalias(f.Type())
		if p, ok := embedded.(*types.Pointer); ok {
			embedded = types.Unalias(p.Elem())
		}
		switch {
		case f.Embedded() && f.Exported():
			r.add("type %s struct, embedded %s", name, r.text(f.Type()))
		case f.Exported():
			r.add("type %s struct, %s %s", name, f.Name(), r.text(f.Type()))
		}
		if inner, ok := embedded.Underlying().(*types.Struct); ok && f.Embedded() && !r.visible(embedded) {
			r.fields(name, inner)
		}
	}
}

// elsewhere reports whether a method comes from an embedded field whose type
// users can name.
func (r *renderer) elsewhere(t types.Type, index []int) bool {
	if len(index) < 2 {
		return false
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	f := types.Unalias(s.Field(index[0]).Type())
	if p, ok := f.(*types.Pointer); ok {
		f = types.Unalias(p.Elem())
	}
	return r.visible(f) && s.Field(index[0]).Exported() || r.elsewhere(f, index[1:])
}

func (r *renderer) text(t types.Type) string {
	if s, ok := t.(*types.Signature); ok {
		return "func" + r.signature(s)
	}
	return types.TypeString(t, func(p *types.Package) string {
		if p == r.pkg {
			return ""
		}
		return p.Name()
	})
}

func (r *renderer) signature(s *types.Signature) string {
	var b strings.Builder
	if n := s.TypeParams().Len(); n > 0 {
		var l []string
		for p := range s.TypeParams().TypeParams() {
			l = append(l, p.Obj().Name()+" "+r.text(p.Constraint()))
		}
		b.WriteString("[" + strings.Join(l, ", ") + "]")
	}
	params := r.tuple(s.Params())
	if n := len(params); s.Variadic() {
		params[n-1] = "..." + strings.TrimPrefix(params[n-1], "[]")
	}
	b.WriteString("(" + strings.Join(params, ", ") + ")")
	switch results := r.tuple(s.Results()); len(results) {
	case 0:
	case 1:
		b.WriteString(" " + results[0])
	default:
		b.WriteString(" (" + strings.Join(results, ", ") + ")")
	}
	return b.String()
}

func (r *renderer) tuple(t *types.Tuple) []string {
	var l []string
	for v := range t.Variables() {
		l = append(l, r.text(v.Type()))
	}
	return l
}

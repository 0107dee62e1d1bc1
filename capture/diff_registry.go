package capture

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

func regPairs(r *registry.Reg) iter.Seq[said] {
	return func(yield func(said) bool) {
		for e := range r.Entries() {
			p := said{key: "[" + e.Path + "]"}
			switch {
			case e.Void:
				continue
			case !e.Key:
				p.key += " " + strconv.Quote(e.Value.Name)
				if p.value = "deleted"; !e.Deleted {
					p.value = valueText(&e.Value)
				}
			case e.Deleted:
				p.value = "deleted"
			}
			if !yield(p) {
				return
			}
		}
	}
}

// hivePairs yields the values that register counters. Which control set they
// stand in does not count.
func hivePairs(v *registry.View) iter.Seq[said] {
	return func(yield func(said) bool) {
		values := func(name string, k *registry.Key) bool {
			if k == nil {
				return true
			}
			for i := range k.Values {
				if !yield(said{"[" + name + "] " + strconv.Quote(k.Values[i].Name), valueText(&k.Values[i])}) {
					return false
				}
			}
			return true
		}
		for i := range v.Providers {
			p := &v.Providers[i]
			if !values(p.Service+`\Performance`, p.Performance) || !values(p.Service+`\Linkage`, p.Linkage) || !values(p.Service+`\Names`, p.Names) {
				return
			}
		}
		if v.Perflib != nil {
			values("Perflib", v.Perflib.Key)
		}
	}
}

// valueText tells the type and the data of a value, so that no two are told
// alike. It makes no more than that text, since a value may be nearly all of its
// file.
func valueText(v *registry.Value) string {
	kind := v.Type.String()
	if n, ok := v.Uint64(); ok {
		return fmt.Sprintf("%s %d", kind, n)
	}
	parts := hexParts(v.Data)
	if body, ok := endedText(v.Data); ok {
		switch {
		case (v.Type == registry.SZ || v.Type == registry.ExpandSZ) && wire.IndexNUL16(v.Data) == len(body):
			parts = quotedParts(body)
		case v.Type == registry.MultiSZ && (len(body) == 0 || endsWithNUL(body)):
			parts = memberParts(body)
		}
	}
	n := len(kind) + 1
	for part := range parts {
		n += len(part)
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteString(kind)
	b.WriteByte(' ')
	for part := range parts {
		b.Write(part)
	}
	return b.String()
}

// endedText returns text without the NUL behind it. ok is false for data that
// its text does not tell whole.
func endedText(data []byte) (body []byte, ok bool) {
	if len(data)%2 != 0 || !endsWithNUL(data) || !wire.ValidUTF16(data) {
		return nil, false
	}
	return data[:len(data)-2], true
}

func endsWithNUL(data []byte) bool { return bytes.HasSuffix(data, []byte{0, 0}) }

func hexParts(data []byte) iter.Seq[[]byte] {
	const size = 16 << 10
	return func(yield func([]byte) bool) {
		var buf []byte
		for part := range slices.Chunk(data, size) {
			if buf = hex.AppendEncode(buf[:0], part); !yield(buf) {
				return
			}
		}
	}
}

// quotedParts yields a text as [strconv.Quote] has it.
func quotedParts(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		quote := []byte{'"'}
		if !yield(quote) {
			return
		}
		var buf []byte
		for part := range wire.UTF16Parts(text) {
			if buf = strconv.AppendQuote(buf[:0], string(part)); !yield(buf[1 : len(buf)-1]) {
				return
			}
		}
		yield(quote)
	}
}

// memberParts yields the members of a list, each with its NUL, as %q has them.
func memberParts(list []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		between := []byte{'['}
		for rest := list; len(rest) > 0; {
			n := wire.IndexNUL16(rest)
			if !yield(between) {
				return
			}
			for part := range quotedParts(rest[:n]) {
				if !yield(part) {
					return
				}
			}
			rest, between = rest[n+2:], []byte{' '}
		}
		if between[0] == '[' && !yield(between) {
			return
		}
		yield([]byte{']'})
	}
}

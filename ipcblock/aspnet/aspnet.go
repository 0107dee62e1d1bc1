// Package aspnet names the ASP.NET counters in the vectors of DWORDs that its worker
// processes return. A vector does not contain its length, version or scope, and the two
// known versions number their counters differently, so [Parse] requires the version.
// docs/ipcblock.md describes what is public about the exchange.
//
// No input makes this package panic. Accepted vectors encode to the same bytes.
package aspnet

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/wire"
)

// Version is a numbering of the counters.
type Version uint8

// The versions.
const (
	V20 Version = iota + 1 // ASP.NET 2.0 to 3.5: 84 counters
	V4x                    // ASP.NET 4.0 and later: 101 counters
)

// String returns "2.0" or "4.x".
func (v Version) String() string {
	switch v {
	case V20:
		return "2.0"
	case V4x:
		return "4.x"
	default:
		return fmt.Sprintf("Version(%d)", uint8(v))
	}
}

// ParseVersion is the inverse of [Version.String]. The error for another string lists the
// versions.
func ParseVersion(s string) (Version, error) {
	for _, v := range [...]Version{V20, V4x} {
		if s == v.String() {
			return v, nil
		}
	}
	return 0, fmt.Errorf("unknown ASP.NET version %q: want 2.0 or 4.x", s)
}

// Len returns the number of DWORDs of a vector, 0 if v is unknown.
func (v Version) Len() int {
	switch v {
	case V20:
		return 84
	case V4x:
		return 101
	default:
		return 0
	}
}

// Scope is what a counter applies to.
type Scope uint8

// The scopes, in the order of a vector.
const (
	Global Scope = iota // all applications of the version
	App                 // one application
	State               // the state service
)

// String returns "global", "app" or "state".
func (s Scope) String() string { return [...]string{"global", "app", "state"}[min(s, State)] }

// Object returns the perfmon object with the counters of a scope.
func (s Scope) Object() string {
	return [...]string{"ASP.NET", "ASP.NET Applications", "ASP.NET State Service"}[min(s, State)]
}

// Counter is a counter over one DWORD of a vector.
type Counter struct {
	Index  int // of the DWORD
	Scope  Scope
	Symbol string            // in the registration
	Name   string            // in perfmon, "" if not public
	Type   countertypes.Type // 0 if Name is ""
}

// Label returns the name in perfmon, otherwise the symbol.
func (c *Counter) Label() string { return cmp.Or(c.Name, c.Symbol) }

const (
	raw      = countertypes.PERF_COUNTER_RAWCOUNT
	rate     = countertypes.PERF_COUNTER_COUNTER
	fraction = countertypes.PERF_RAW_FRACTION
	base     = countertypes.PERF_RAW_BASE
)

// Counters returns the counters of a version in the order of their registration, in which a
// base follows its fraction. Several counters may use one DWORD. The slice is shared and
// must not be changed.
func Counters(v Version) []Counter {
	switch v {
	case V20:
		return counters20
	case V4x:
		return counters40()
	default:
		return nil
	}
}

// Vector is a vector of one version. It is a view over the bytes that it was decoded from.
type Vector struct {
	version Version
	raw     []byte
}

var levels = perfdump.Levels{"counter"}

// Parse decodes a bare vector of DWORDs. b is not copied. The error is a
// *perfdump.FormatError, with code length if b does not have the length of the version, and
// code syntax if the version is not known.
func Parse(b []byte, v Version) (*Vector, error) {
	want := 4 * v.Len()
	switch {
	case want == 0:
		return nil, perfdump.NewError(perfdump.CodeSyntax, 0, levels.Root(), "unknown version %s: a vector can only be read if its version is known", v)
	case len(b) == 0:
		return nil, perfdump.NewError(perfdump.CodeEmpty, 0, levels.Root(), "the input is empty")
	case len(b) != want:
		err := perfdump.NewError(perfdump.CodeLength, int64(min(len(b), want)), levels.Root(), "%d bytes, but a vector of version %s has %d", len(b), v, want)
		if len(b) < want {
			err = err.Truncated()
		}
		return nil, err
	}
	return &Vector{v, b[:want:want]}, nil
}

// Version returns the version of x.
func (x *Vector) Version() Version { return x.version }

// Len returns how many DWORDs x has.
func (x *Vector) Len() int { return len(x.raw) / 4 }

// Uint32 returns the DWORD at index i, which must be below Len.
func (x *Vector) Uint32(i int) uint32 { return wire.U32(x.raw, 4*i) }

// Bytes returns the bytes of x. They alias the input.
func (x *Vector) Bytes() []byte { return x.raw }

// Append appends the vector of values in version v to dst. If the number of values is not
// that of the version, the error has code count and dst is unchanged.
func Append(dst []byte, v Version, values []uint32) ([]byte, error) {
	if len(values) != v.Len() || len(values) == 0 {
		return dst, perfdump.NewError(perfdump.CodeCount, -1, levels.Root(), "%d values, but version %s has %d", len(values), v, v.Len())
	}
	for _, n := range values {
		dst = binary.LittleEndian.AppendUint32(dst, n)
	}
	return dst, nil
}

// Values yields the counters with their values.
func (x *Vector) Values() iter.Seq2[*Counter, uint32] {
	return func(yield func(*Counter, uint32) bool) {
		all := Counters(x.version)
		for i := range all {
			if !yield(&all[i], x.Uint32(all[i].Index)) {
				return
			}
		}
	}
}

// Zero reports whether all counters are 0, as in the result of a collector that failed to
// read a worker, or one of another version.
func (x *Vector) Zero() bool { return wire.AllZero(x.raw) }

// Sample returns the raw sample of a counter of x's version. Its Status is
// StatusUnsupported if the counter's type is unknown. Without clocks, those of the
// capture, no rate can be computed. clocks and o may be nil.
func (x *Vector) Sample(c *Counter, clocks *countertypes.Clocks, o *countertypes.Options) countertypes.Sample {
	s := countertypes.Sample{First: uint64(x.Uint32(c.Index)), Type: c.Type, Size: 4}
	if c.Name == "" {
		s.Status = countertypes.StatusUnsupported
		return s
	}
	if clocks == nil {
		clocks = &countertypes.Clocks{}
	}
	var fromBase bool
	if s.Second, s.TimeBase, fromBase = c.Type.Tuple(clocks, o); fromBase {
		b, ok := c.baseIn(Counters(x.version))
		if !ok {
			s.Status = countertypes.StatusNoBase
			return s
		}
		s.Second = uint64(x.Uint32(b.Index))
	}
	return s
}

// baseIn returns the base of c, found by its symbol.
func (c *Counter) baseIn(all []Counter) (*Counter, bool) {
	for i := range all {
		if b := &all[i]; b.Type == base && b.Symbol == c.Symbol+"_BASE" {
			return b, true
		}
	}
	return nil, false
}

// Spans yields the meaning of each byte: one DWORD for each counter, named by the first
// symbol that uses it.
func (x *Vector) Spans() iter.Seq[perfdump.Span] {
	return func(yield func(perfdump.Span) bool) {
		symbols := make([]string, x.Len())
		for c := range x.Values() {
			if symbols[c.Index] == "" {
				symbols[c.Index] = c.Symbol
			}
		}
		for i, symbol := range symbols {
			path := levels.Root().At(0, i).Field(symbol)
			if !yield(perfdump.Span{Off: int64(4 * i), Size: 4, Kind: perfdump.KindUint, Path: path}) {
				return
			}
		}
	}
}

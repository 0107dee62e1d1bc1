// Package aspnet names the counters of ASP.NET in the vectors of DWORDs that
// its worker processes return. A vector does not hold its length, version or scope,
// and the two known versions number their counters differently, so [Parse] requires
// the version. docs/ipcblock.md says what is public about their exchange.
//
// No input makes this package panic. What is accepted encodes to the same bytes.
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

// ParseVersion is the inverse of [Version.String]. Another word is an error,
// which says which there are.
func ParseVersion(s string) (Version, error) {
	for _, v := range [...]Version{V20, V4x} {
		if s == v.String() {
			return v, nil
		}
	}
	return 0, fmt.Errorf("unknown ASP.NET version %q: want 2.0 or 4.x", s)
}

// Len returns how many DWORDs a vector has, 0 where v is unknown.
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

// Scope says what a counter counts for.
type Scope uint8

// The scopes, in the order of a vector.
const (
	Global Scope = iota // all applications of the version
	App                 // one application
	State               // the state service
)

// String returns "global", "app" or "state".
func (s Scope) String() string { return [...]string{"global", "app", "state"}[min(s, State)] }

// Object returns the object of perfmon that shows the counters of a scope.
func (s Scope) Object() string {
	return [...]string{"ASP.NET", "ASP.NET Applications", "ASP.NET State Service"}[min(s, State)]
}

// Counter is a counter over one DWORD of a vector.
type Counter struct {
	Index  int // of the DWORD
	Scope  Scope
	Symbol string            // in the registration
	Name   string            // in perfmon, "" where that is not public
	Type   countertypes.Type // 0, which is no counter's, where Name is ""
}

// Label returns the name in perfmon, else the symbol.
func (c *Counter) Label() string { return cmp.Or(c.Name, c.Symbol) }

const (
	raw      = countertypes.PERF_COUNTER_RAWCOUNT
	rate     = countertypes.PERF_COUNTER_COUNTER
	fraction = countertypes.PERF_RAW_FRACTION
	base     = countertypes.PERF_RAW_BASE
)

// Counters returns the counters of a version, in the order of their
// registration, which puts a base after its fraction. Several counters may
// show one DWORD. The slice is shared and must not be changed.
func Counters(v Version) []Counter {
	switch v {
	case V20:
		return counters20
	case V4x:
		return counters40
	default:
		return nil
	}
}

// Vector is a vector of one version. It is a view over the bytes that it was
// read from.
type Vector struct {
	version Version
	raw     []byte
}

var levels = perfdump.Levels{"counter"}

// Parse reads a bare vector of DWORDs. b is not copied. The error is a
// *perfdump.FormatError, of code length where b has not the length of the
// version, and of code syntax where the version is not known.
func Parse(b []byte, v Version) (*Vector, error) {
	want := 4 * v.Len()
	switch {
	case want == 0:
		return nil, perfdump.NewError(perfdump.CodeSyntax, 0, levels.Root(), "version %s: a vector cannot be read without knowing its version", v)
	case len(b) == 0:
		return nil, perfdump.NewError(perfdump.CodeEmpty, 0, levels.Root(), "no bytes")
	case len(b) != want:
		err := perfdump.NewError(perfdump.CodeLength, int64(min(len(b), want)), levels.Root(), "%d bytes, a vector of version %s has %d", len(b), v, want)
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

// Bytes returns the bytes of x, the input's own.
func (x *Vector) Bytes() []byte { return x.raw }

// Append appends the vector of values in version v to dst. Where there are not
// as many as the version has, the error is of code count and dst stays as it is.
func Append(dst []byte, v Version, values []uint32) ([]byte, error) {
	if len(values) != v.Len() || len(values) == 0 {
		return dst, perfdump.NewError(perfdump.CodeCount, -1, levels.Root(), "%d values, version %s has %d", len(values), v, v.Len())
	}
	for _, n := range values {
		dst = binary.LittleEndian.AppendUint32(dst, n)
	}
	return dst, nil
}

// Values yields the counters with what they show.
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

// Zero reports whether all counters are 0: so is what a collector has of a
// worker that it failed to read, or whose version is another.
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

// baseIn finds the base of c, which has its name.
func (c *Counter) baseIn(all []Counter) (*Counter, bool) {
	for i := range all {
		if b := &all[i]; b.Type == base && b.Symbol == c.Symbol+"_BASE" {
			return b, true
		}
	}
	return nil, false
}

// Spans yields what each byte means: a DWORD a counter, named by the first
// symbol that shows it.
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

// Package column describes the columns of rows once for all outputs: their names,
// their types, and their values.
package column

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// Type is what typed outputs declare a column as.
type Type uint8

// The types.
const (
	Text Type = iota
	Dict      // texts that repeat
	Int32
	Int64
	Uint32
	Uint64
	Float64
	Time  // an instant
	Local // the time that the recorder's wall clock showed
)

// Kind is what a field holds.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	String
	Unsigned
	Signed
	Float
	Moment
	Wall // a moment without an offset
)

// Field is the value of a column in a row.
type Field struct {
	Kind Kind
	Text string
	Bits uint64 // of a number
	Time time.Time
}

// Row is a raw row, or a cooked one in the form of a raw one.
type Row struct {
	*capture.Row

	Series *capture.Series // of a cooked row
}

// SetFrame gives a cooked row what all cells of a frame have in common.
func (r *Row) SetFrame(f *capture.Frame) {
	r.Time, r.Offset, r.Record, r.Source = f.Time, f.Offset, f.Record, f.Source
}

// SetSeries gives a cooked row what all cells of a series have in common.
func (r *Row) SetSeries(s *capture.Series) {
	r.Series = s
	r.Host, r.Object, r.Counter = s.Host, s.Object, s.Counter
	r.Parent, r.HasParent, r.Instance, r.HasInstance, r.InstanceIndex = s.Parent, s.HasParent, s.Instance, s.HasInstance, s.InstanceIndex
	r.ObjectIndex, r.CounterIndex = s.ObjectIndex, s.CounterIndex
}

// SetCell gives a cooked row what a cell has alone, and its series.
func (r *Row) SetCell(f *capture.Frame, i int) {
	c := &f.Cells[i]
	r.SetSeries(c.Series)
	r.Text, r.HasText = f.Texts[c.Series]
	r.PDH, r.NoFirst = c.PDH, c.EffectiveStatus() != countertypes.StatusOK
	r.PID = f.PID(i)
}

// Column is a column.
type Column struct {
	Name string
	in   Rows
	Type Type
	Null bool // there may be no value
	Of   func(*Row) Field
}

// Rows are the rows that have a column.
type Rows uint8

// The rows. A column on request is there only where it is asked for.
const (
	Raw Rows = 1 << iota
	Cooked
	request
	both = Raw | Cooked
	more = both | request
)

// The columns of cooked rows that are the same for all rows of a series are those
// from FirstOfSeries up to Value.
const (
	FirstOfSeries = 1
	Value         = 8
	Status        = 9
)

var all = []Column{
	{"time", both, Time, true, func(r *Row) Field { return moment(Moment, r.Time, r.Time) }},
	{"host", both, Dict, false, func(r *Row) Field { return text(r.Host, true) }},
	{"object", both, Dict, false, func(r *Row) Field { return text(r.Object, true) }},
	{"parent", both, Dict, true, func(r *Row) Field { return text(r.Parent, r.HasParent) }},
	{"instance", both, Dict, true, func(r *Row) Field { return text(r.Instance, r.HasInstance) }},
	{"instance_index", both, Int32, false, func(r *Row) Field { return unsigned(uint64(r.InstanceIndex), true) }},
	{"counter", both, Dict, false, func(r *Row) Field { return text(r.Counter, true) }},
	{"type", Raw, Uint32, true, func(r *Row) Field {
		if r.NoType {
			return Field{}
		}
		return Field{Kind: String, Text: r.Type.String(), Bits: uint64(r.Type)}
	}},
	{"first", Raw, Uint64, true, func(r *Row) Field { return unsigned(r.First, !r.NoFirst) }},
	{"second", Raw, Uint64, true, func(r *Row) Field { return unsigned(r.Second, !r.NoSecond) }},
	{"multi", Raw, Uint32, true, func(r *Row) Field { return unsigned(uint64(r.Multi), !r.NoMulti) }},
	{"time_base", Raw, Int64, true, func(r *Row) Field { return signed(r.TimeBase, true) }},
	{"path", Cooked, Dict, false, func(r *Row) Field { return text(r.Series.Path(), true) }},
	{"value", Cooked, Float64, true, nil}, // see Number
	{"status", Cooked, Dict, false, nil},  // the status of the cell
	{"text", more, Text, true, func(r *Row) Field { return text(r.Text, r.HasText) }},
	{"pdh_status", more, Uint32, true, func(r *Row) Field { return unsigned(uint64(r.PDH), r.PDH != 0 || !r.NoFirst) }},
	{"time_local", more, Local, true, func(r *Row) Field { return moment(Wall, r.Time, r.Local()) }},
	{"utc_offset_min", more, Int32, true, func(r *Row) Field { return signed(int64(r.Offset.Bias()), r.Offset.Known) }},
	{"record", more, Int32, false, func(r *Row) Field { return signed(int64(r.Record), true) }},
	{"object_index", more, Int32, true, func(r *Row) Field { return unsigned(uint64(r.ObjectIndex), r.ObjectIndex != 0) }},
	{"counter_index", more, Int32, true, func(r *Row) Field { return unsigned(uint64(r.CounterIndex), r.CounterIndex != 0) }},
	{"source", more, Dict, false, func(r *Row) Field {
		return text(strings.ToValidUTF8(r.Source, "\ufffd"), true) // names of files are any bytes
	}},
	{"pid", more, Int64, true, func(r *Row) Field { return unsigned(r.PID, r.PID != 0) }},
}

// Usual returns the columns that rows have without a request.
func (r Rows) Usual() []Column { return r.having(0) }

// Extra returns the columns that rows have on request.
func (r Rows) Extra() []Column { return r.having(request) }

func (r Rows) having(request Rows) (columns []Column) {
	for _, c := range all {
		if c.in&r != 0 && c.in&^both == request {
			columns = append(columns, c)
		}
	}
	return columns
}

// Select returns the usual columns, and of those on request the named ones.
func (r Rows) Select(names []string) ([]Column, error) {
	chosen, extra := r.Usual(), r.Extra()
	for _, name := range names {
		if known := Names(extra); !slices.Contains(known, name) {
			return nil, fmt.Errorf("no column %q on request: there are %s", name, strings.Join(known, ", "))
		}
	}
	for _, c := range extra {
		if slices.Contains(names, c.Name) {
			chosen = append(chosen, c)
		}
	}
	return chosen, nil
}

// Names returns the names of columns.
func Names(columns []Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}

// Number returns the value of a cell, whole numbers with all their digits.
func Number(c *capture.Cell) Field {
	v, ok := c.Number()
	if !ok {
		return Field{}
	}
	if v >= countertypes.Inexact {
		if n, whole := c.Whole(); whole {
			return unsigned(n, true)
		}
	}
	return Field{Kind: Float, Bits: math.Float64bits(v)}
}

func text(s string, is bool) Field {
	if !is {
		return Field{}
	}
	return Field{Kind: String, Text: s}
}

func unsigned(n uint64, is bool) Field {
	if !is {
		return Field{}
	}
	return Field{Kind: Unsigned, Bits: n}
}

func signed(n int64, is bool) Field {
	f := unsigned(uint64(n), is)
	if is {
		f.Kind = Signed
	}
	return f
}

func moment(kind Kind, t, shown time.Time) Field {
	if t.IsZero() {
		return Field{}
	}
	return Field{Kind: kind, Time: shown}
}

package parquet

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/perfdump/perfdump/export/internal/column"
)

// Table writes rows of any columns: of texts, whole numbers, numbers and times, whose
// values are strings, int64s, float64s and time.Times, and nil where there is none.
type Table struct{ f *file }

// NewTable returns a writer of a file. The columns are names and a value of their type.
func NewTable(w io.Writer, o Options, columns ...Column) (*Table, error) {
	f, err := newFile(w, column.Cooked, o)
	if err != nil {
		return nil, err
	}
	f.columns = nil
	for _, c := range columns {
		to := column.Column{Name: c.Name, Null: true}
		switch c.Like.(type) {
		case string:
			to.Type = column.Dict
		case int64:
			to.Type = column.Int64
		case float64:
			to.Type = column.Float64
		case time.Time:
			to.Type = column.Time
		default:
			return nil, fmt.Errorf("parquet: column %s is of no known type", c.Name)
		}
		f.columns = append(f.columns, to)
	}
	f.group, f.packer.columns = newGroup(f.columns), f.columns
	return &Table{f}, nil
}

// Column is a column of a [Table].
type Column struct {
	Name string
	Like any // a value of its type
}

// Row writes a row, with a value for each column.
func (t *Table) Row(values ...any) error {
	bytes := 0
	for i, v := range values {
		var f column.Field
		switch v := v.(type) {
		case string:
			f = column.Field{Kind: column.String, Text: v}
			bytes += len(v)
		case int64:
			f = column.Field{Kind: column.Signed, Bits: uint64(v)}
		case float64:
			f = column.Field{Kind: column.Float, Bits: math.Float64bits(v)}
		case time.Time:
			f = column.Field{Kind: column.Moment, Time: v}
		}
		t.f.group.chunks[i].field(&t.f.columns[i], f)
	}
	return t.f.row(bytes)
}

// Close writes the rest and the footer.
func (t *Table) Close() error { return t.f.close() }

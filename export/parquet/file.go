// Package parquet writes rows of counters as Parquet, the files that DuckDB,
// Spark and pandas read. It is apart from package export since its library
// is large. docs/outputs.md has the columns and the conventions.
//
//	w, err := parquet.NewCooked(file, parquet.Options{})
//	if err != nil {
//		return err
//	}
//	for f, err := range frames {
//		if err != nil {
//			return err
//		}
//		if err := w.WriteFrame(f); err != nil {
//			return err
//		}
//	}
//	return w.Close()
//
// A file has groups of 131,072 rows, fewer where they hold many names; memory
// is that of a group and does not depend on the number of rows.
package parquet

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"

	pq "github.com/parquet-go/parquet-go"

	"github.com/perfdump/perfdump/export/internal/column"
)

// types are the Go types of columns, and the rest of their
// tags.
var types = [...]struct {
	is  any
	tag string
}{
	column.Text:    {"", ""},
	column.Dict:    {"", ",dict"},
	column.Int32:   {int32(0), ""},
	column.Int64:   {int64(0), ""},
	column.Uint32:  {uint32(0), ""},
	column.Uint64:  {uint64(0), ""},
	column.Float64: {float64(0), ""},
	column.Time:    {int64(0), ",timestamp(microsecond:utc)"},
	column.Local:   {int64(0), ",timestamp(microsecond:local)"},
}

const (
	// groupRows is how many rows a group has.
	groupRows = 128 << 10
	// groupText bounds the bytes of the names and texts of a group, which are
	// held until it is written.
	groupText = 2 << 20
	// batchRows is how many rows are handed over at a time, and batchText bounds
	// the bytes of the texts that were made for them.
	batchRows = 64
	batchText = 64 << 10
)

// file writes rows of columns. It hands them over by columns, a batch at a time.
type file struct {
	w       *pq.GenericWriter[any]
	columns []column.Column
	batch   [][]pq.Value // of each column
	inBatch int          // rows before that which is being filled
	inGroup int
	pending int // bytes of the texts that were made for the batch
	text    int // bytes of the texts of the group
}

// newFile returns a file of the usual columns of rows and of those on request.
func newFile(w io.Writer, rows column.Rows, o Options) (*file, error) {
	columns, err := rows.Select(o.Columns)
	if err != nil {
		return nil, err
	}
	options, err := o.writer()
	if err != nil {
		return nil, err
	}
	// A struct has its fields in their order; a group of nodes would sort them.
	var fields []reflect.StructField
	for i, c := range columns {
		tag := c.Name
		if c.Null {
			tag += ",optional"
		}
		if c.Type == column.Text || c.Type == column.Dict {
			// The first and the last text of each page would be kept, several times
			// over, until the file ends. They let nobody skip a group: each has about
			// all the names.
			options = append(options, pq.SkipPageBounds(c.Name))
		}
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("C%d", i), Type: reflect.TypeOf(types[c.Type].is), Tag: reflect.StructTag(`parquet:"` + tag + types[c.Type].tag + `"`),
		})
	}
	schema := pq.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
	f := &file{w: pq.NewGenericWriter[any](w, append(options, schema)...), columns: columns}
	f.batch = slices.Collect(slices.Chunk(make([]pq.Value, batchRows*len(columns)), batchRows))
	return f, nil
}

// set gives column i of the row a value.
func (f *file) set(i int, v pq.Value) {
	level := 0
	if f.columns[i].Null && !v.IsNull() {
		level = 1
	}
	f.put(i, v.Level(0, level, i))
}

// put gives column i of the row what get has returned.
func (f *file) put(i int, v pq.Value) { f.batch[i][f.inBatch] = v }

// get returns what column i of the row has.
func (f *file) get(i int) pq.Value { return f.batch[i][f.inBatch] }

// setField gives column i of the row the value of a field. Numbers keep their
// bits; a process whose number an INT64 cannot hold is null.
func (f *file) setField(i int, of column.Field) {
	v := pq.NullValue()
	switch {
	case of.Kind == column.Null:
	case of.Kind == column.Moment || of.Kind == column.Wall:
		v = pq.Int64Value(of.Time.UnixMicro())
	default:
		switch f.columns[i].Type {
		case column.Text, column.Dict:
			f.pending += len(of.Text)
			v = textValue(of.Text)
		case column.Int32, column.Uint32:
			v = pq.Int32Value(int32(of.Bits))
		case column.Int64, column.Uint64:
			if f.columns[i].Name != "pid" || of.Bits <= math.MaxInt64 {
				v = pq.Int64Value(int64(of.Bits))
			}
		default: // no raw row has a number in another column
		}
	}
	f.set(i, v)
}

func textValue(s string) pq.Value { return pq.ByteArrayValue([]byte(strings.ToValidUTF8(s, "\ufffd"))) }

// write writes the row, whose names and texts that the group has not seen yet
// have so many bytes.
func (f *file) write(text int) error {
	f.inBatch++
	f.inGroup++
	f.text += text
	full := f.inGroup == groupRows || f.text >= groupText
	if full || f.inBatch == batchRows || f.pending >= batchText {
		if err := f.hand(); err != nil {
			return err
		}
	}
	if !full {
		return nil
	}
	f.inGroup, f.text = 0, 0
	return f.w.Flush()
}

// hand hands the batch over.
func (f *file) hand() error {
	n := f.inBatch
	f.inBatch, f.pending = 0, 0
	if n == 0 {
		return nil
	}
	for i, c := range f.w.ColumnWriters() {
		if _, err := c.WriteRowValues(f.batch[i][:n]); err != nil {
			return err
		}
	}
	return nil
}

// close writes the rest and the footer.
func (f *file) close() error {
	if err := f.hand(); err != nil {
		return err
	}
	return f.w.Close()
}

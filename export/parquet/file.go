package parquet

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	pq "github.com/parquet-go/parquet-go"
)

// column is a column of a file: its name, the Go type that stands for its type
// and what the library has to be told besides.
type column struct {
	name string
	is   reflect.Type
	tag  string
}

var (
	text     = reflect.TypeFor[string]()
	int32s   = reflect.TypeFor[int32]()
	int64s   = reflect.TypeFor[int64]()
	uint32s  = reflect.TypeFor[uint32]()
	uint64s  = reflect.TypeFor[uint64]()
	float64s = reflect.TypeFor[float64]()
)

const (
	// groupRows is how many rows a group has.
	groupRows = 128 << 10
	// groupText bounds the bytes of the names and texts of a group, which are
	// held until it is written.
	groupText = 4 << 20
)

// file writes rows of columns.
type file struct {
	w       *pq.GenericWriter[any]
	columns []column
	row     pq.Row
	rows    []pq.Row
	inGroup int
	text    int
}

// newFile returns a file of the columns and of those on request, which have to
// be known.
func newFile(w io.Writer, columns, onRequest []column, o Options) (*file, error) {
	for _, name := range o.Columns {
		if !slices.ContainsFunc(onRequest, func(c column) bool { return c.name == name }) {
			return nil, fmt.Errorf("no column %q on request", name)
		}
	}
	columns = slices.Clone(columns)
	for _, c := range onRequest {
		if slices.Contains(o.Columns, c.name) {
			columns = append(columns, c)
		}
	}
	options, err := o.writer()
	if err != nil {
		return nil, err
	}
	// A struct has its fields in their order; a group of nodes would sort them.
	var fields []reflect.StructField
	for i, c := range columns {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("C%d", i), Type: c.is, Tag: reflect.StructTag(`parquet:"` + strings.TrimSuffix(c.name+","+c.tag, ",") + `"`),
		})
	}
	schema := pq.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
	f := &file{w: pq.NewGenericWriter[any](w, append(options, schema)...), columns: columns, row: make(pq.Row, len(columns))}
	f.rows = []pq.Row{f.row}
	return f, nil
}

func (f *file) optional(i int) bool { return strings.Contains(f.columns[i].tag, "optional") }

// set gives column i of the row a value.
func (f *file) set(i int, v pq.Value) {
	level := 0
	if f.optional(i) {
		level = 1
	}
	f.row[i] = v.Level(0, level, i)
}

func (f *file) setNull(i int) { f.row[i] = pq.NullValue().Level(0, 0, i) }

func (f *file) setText(i int, s string, is bool) {
	if !is {
		f.setNull(i)
		return
	}
	f.set(i, textValue(s))
}

func textValue(s string) pq.Value { return pq.ByteArrayValue([]byte(strings.ToValidUTF8(s, "\ufffd"))) }

func (f *file) setTime(i int, t time.Time, is bool) {
	if !is {
		f.setNull(i)
		return
	}
	f.set(i, pq.Int64Value(t.UnixMicro()))
}

func (f *file) setInt32(i int, n int32, is bool) {
	if !is {
		f.setNull(i)
		return
	}
	f.set(i, pq.Int32Value(n))
}

func (f *file) setInt64(i int, n int64, is bool) {
	if !is {
		f.setNull(i)
		return
	}
	f.set(i, pq.Int64Value(n))
}

// write writes the row, whose names and texts that the group has not seen yet
// have so many bytes.
func (f *file) write(text int) error {
	if _, err := f.w.WriteRows(f.rows); err != nil {
		return err
	}
	f.inGroup++
	f.text += text
	if f.inGroup < groupRows && f.text < groupText {
		return nil
	}
	f.inGroup, f.text = 0, 0
	return f.w.Flush()
}

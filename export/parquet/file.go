package parquet

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	pq "github.com/parquet-go/parquet-go"

	"github.com/perfdump/perfdump/capture"
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
	groupText = 2 << 20
	// batchRows is how many rows are handed over at a time, and batchText bounds
	// the bytes of the texts that were made for them.
	batchRows = 64
	batchText = 64 << 10
)

// file writes rows of columns. It hands them over by columns, a batch at a time.
type file struct {
	w       *pq.GenericWriter[any]
	columns []column
	levels  []int        // of each column, where it has a value
	batch   [][]pq.Value // of each column
	inBatch int          // rows before that which is being filled
	inGroup int
	pending int // bytes of the texts that were made for the batch
	paths   []byte
	text    int // bytes of the texts of the group
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
	for _, c := range columns {
		if c.is == text {
			// The least and the greatest text of each page would be kept, several
			// times over, until the file ends. They let nobody pass over a group:
			// each has about all the names.
			options = append(options, pq.SkipPageBounds(c.name))
		}
	}
	// A struct has its fields in their order; a group of nodes would sort them.
	var fields []reflect.StructField
	for i, c := range columns {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("C%d", i), Type: c.is, Tag: reflect.StructTag(`parquet:"` + strings.TrimSuffix(c.name+","+c.tag, ",") + `"`),
		})
	}
	schema := pq.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
	f := &file{w: pq.NewGenericWriter[any](w, append(options, schema)...), columns: columns}
	for _, c := range columns {
		level := 0
		if strings.Contains(c.tag, "optional") {
			level = 1
		}
		f.levels = append(f.levels, level)
	}
	f.batch = slices.Collect(slices.Chunk(make([]pq.Value, batchRows*len(columns)), batchRows))
	return f, nil
}

// set gives column i of the row a value.
func (f *file) set(i int, v pq.Value) { f.put(i, v.Level(0, f.levels[i], i)) }

// put gives column i of the row what get has returned.
func (f *file) put(i int, v pq.Value) { f.batch[i][f.inBatch] = v }

// get returns what column i of the row has.
func (f *file) get(i int) pq.Value { return f.batch[i][f.inBatch] }

func (f *file) setNull(i int) { f.put(i, pq.NullValue().Level(0, 0, i)) }

func (f *file) setText(i int, s string, is bool) {
	if !is {
		f.setNull(i)
		return
	}
	f.set(i, f.fresh(s))
}

// fresh makes a text that the batch holds.
func (f *file) fresh(s string) pq.Value {
	f.pending += len(s)
	return textValue(s)
}

// path makes the path of a series, which is valid until the batch is handed over.
func (f *file) path(s *capture.Series) pq.Value {
	from := len(f.paths)
	f.paths = s.AppendPath(f.paths)
	path := f.paths[from:]
	f.pending += len(path)
	if !utf8.Valid(path) {
		return textValue(string(path))
	}
	return pq.ByteArrayValue(path)
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

// setPID sets the number of a process, null where it is not known.
func (f *file) setPID(i int, pid uint64) { f.setInt64(i, int64(pid), pid != 0 && pid <= math.MaxInt64) }

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
	f.paths = f.paths[:0]
	return nil
}

// close writes the rest and the footer.
func (f *file) close() error {
	if err := f.hand(); err != nil {
		return err
	}
	return f.w.Close()
}

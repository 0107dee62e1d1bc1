// Package parquet writes rows of counters as Parquet, the files that DuckDB,
// Spark and pandas read. docs/outputs.md has the columns and the conventions.
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
// is that of two groups and does not depend on the number of rows. One group is
// packed while the next one is filled.
//
// [OpenSeries] reads what [NewSeries] has written, and nothing else. Whatever a file
// says, the memory is that of a group: FuzzSeries and TestMemoryOfSeries hold it.
package parquet

import (
	"encoding/binary"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/export/internal/column"
)

const (
	// groupRows is how many rows a group has.
	groupRows = 128 << 10
	// groupText bounds the bytes of the names and texts of a group, which are
	// held until it is written.
	groupText = 2 << 20
	// magic begins and ends a file.
	magic = "PAR1"
)

// file writes groups of rows.
type file struct {
	w       io.Writer
	o       Options
	codec   int
	columns []column.Column
	group   *group // that is filled
	text    int    // bytes of the names and texts in it

	packer packer
	spare  *group
	ready  chan packed // of the group that is packed; nil if there is none
	groups []packed    // that are written, without their bytes
	at     int64       // how much is written
}

// packed is a group as the file has it.
type packed struct {
	of     *group
	rows   int
	at     int64
	bytes  []byte
	chunks []placed
}

// newFile returns a file of the usual columns of rows and of those on request.
func newFile(w io.Writer, rows column.Rows, o Options) (*file, error) {
	columns, err := rows.Select(o.Columns)
	if err != nil {
		return nil, err
	}
	codec, err := o.codec()
	if err != nil {
		return nil, err
	}
	if o.GroupRows <= 0 {
		o.GroupRows = groupRows
	}
	return &file{w: w, o: o, codec: codec.number, columns: columns, group: newGroup(columns), packer: packer{columns: columns, codec: codec}}, nil
}

// row ends a row, whose names and texts that the group has not seen yet have so many
// bytes.
func (f *file) row(text int) error {
	f.group.rows++
	f.text += text
	if f.group.rows < f.o.GroupRows && f.text < groupText {
		return nil
	}
	return f.flush()
}

// flush lets the group be packed while the next one is filled.
func (f *file) flush() error {
	if err := f.wait(); err != nil {
		return err
	}
	full := f.group
	if f.group = f.spare; f.group == nil {
		f.group = newGroup(f.columns)
	}
	f.text = 0
	ready := make(chan packed, 1)
	f.ready = ready
	go func() {
		bytes, chunks := f.packer.pack(full)
		rows := full.rows
		full.reset()
		ready <- packed{of: full, rows: rows, bytes: bytes, chunks: chunks}
	}()
	return nil
}

// wait writes the group that is being packed.
func (f *file) wait() error {
	if f.ready == nil {
		return nil
	}
	g := <-f.ready
	f.ready, f.spare = nil, g.of
	if err := f.begin(); err != nil {
		return err
	}
	g.at = f.at
	err := f.write(g.bytes)
	g.of, g.bytes = nil, nil
	f.groups = append(f.groups, g)
	return err
}

// begin writes what is before the first group.
func (f *file) begin() error {
	if f.at > 0 {
		return nil
	}
	return f.write([]byte(magic))
}

func (f *file) write(b []byte) error {
	n, err := f.w.Write(b)
	f.at += int64(n)
	return err
}

// close writes the rest and the footer.
func (f *file) close() error {
	if f.group.rows > 0 {
		if err := f.flush(); err != nil {
			return err
		}
	}
	if err := f.wait(); err != nil {
		return err
	}
	if err := f.begin(); err != nil {
		return err
	}
	f.group, f.spare, f.packer = newGroup(nil), nil, packer{}
	footer := f.footer()
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	return f.write(append(footer, magic...))
}

// schema begins a footer: it says which columns the file has.
func schema(columns []column.Column) (t thrift) {
	t.open()
	t.i32(1, 2)
	t.list(2, thriftStruct, len(columns)+1)
	t.open()
	t.text(4, "perfdump")
	t.i32(5, len(columns))
	t.close()
	for i := range columns {
		t.column(&columns[i])
	}
	return t
}

// footer says what is in the file.
func (f *file) footer() []byte {
	t := schema(f.columns)
	rows := 0
	for i := range f.groups {
		rows += f.groups[i].rows
	}
	t.i64(3, int64(rows))
	t.list(4, thriftStruct, len(f.groups))
	for i := range f.groups {
		f.rowGroup(&t, &f.groups[i])
	}
	if len(f.o.Metadata) > 0 {
		t.list(5, thriftStruct, len(f.o.Metadata))
		for _, key := range slices.Sorted(maps.Keys(f.o.Metadata)) {
			t.open()
			t.text(1, key)
			t.text(2, f.o.Metadata[key])
			t.close()
		}
	}
	by := "perfdump"
	if f.o.Version != "" {
		by += " version " + strings.Trim(f.o.Version, "()") // parentheses have a meaning there
	}
	t.text(6, by)
	t.list(7, thriftStruct, len(f.columns)) // edges are in the order of the types
	for range f.columns {
		t.open()
		t.empty(1)
		t.close()
	}
	t.close()
	return t.b
}

func (t *thrift) column(c *column.Column) {
	kind := &kinds[c.Type]
	t.open()
	t.i32(1, kind.physical)
	if c.Null {
		t.i32(3, 1)
	} else {
		t.i32(3, 0)
	}
	t.text(4, c.Name)
	if kind.converted >= 0 {
		t.i32(6, kind.converted)
	}
	if kind.logical != nil {
		t.structure(10)
		kind.logical(t)
		t.close()
	}
	t.close()
}

func (f *file) rowGroup(t *thrift, g *packed) {
	size, used := int64(0), int64(0)
	t.open()
	t.list(1, thriftStruct, len(g.chunks))
	for i := range g.chunks {
		c := &g.chunks[i]
		size, used = size+c.size, used+c.packed
		t.open()
		t.i64(2, 0) // nowhere else
		t.structure(3)
		f.chunk(t, g, i)
		t.close()
		t.close()
	}
	t.i64(2, size)
	t.i64(3, int64(g.rows))
	t.i64(5, g.at)
	t.i64(6, used)
	t.close()
}

func (f *file) chunk(t *thrift, g *packed, i int) {
	c := &g.chunks[i]
	t.i32(1, kinds[f.columns[i].Type].physical)
	encodings := []int{c.encoding, levelEncoding}
	if c.dictionary >= 0 {
		encodings = append(encodings, plainEncoding)
	}
	t.list(2, thriftI32, len(encodings))
	for _, e := range encodings {
		t.b = binary.AppendVarint(t.b, int64(e))
	}
	t.list(3, thriftBinary, 1)
	t.element(f.columns[i].Name)
	t.i32(4, f.codec)
	t.i64(5, int64(g.rows))
	t.i64(6, c.size)
	t.i64(7, c.packed)
	t.i64(9, g.at+c.data)
	if c.dictionary >= 0 {
		t.i64(11, g.at+c.dictionary)
	}
	t.structure(12)
	t.i64(3, int64(c.nulls))
	if c.edges {
		t.text(5, c.high)
		t.text(6, c.low)
	}
	t.close()
}

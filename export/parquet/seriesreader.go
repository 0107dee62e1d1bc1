package parquet

import (
	"bytes"
	"encoding/binary"
	"io"
	"iter"

	"github.com/klauspost/compress/zstd"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export/internal/column"
)

const (
	// maxGroup is how many bytes a group has at most, packed or not: six megabytes for the
	// most rows, groupText, and what the names of its last series are longer.
	maxGroup = 16 << 20
	// maxMetadata is how many values the metadata has at most.
	maxMetadata = 1 << 16
)

var levels = perfdump.Levels{"group"}

// Run is consecutive rows of a series.
type Run struct {
	// Series is the same in all runs of a group, and in the one that the next group goes on
	// with. It has what the columns say, and an ID by which it can be written.
	Series *capture.Series
	Points []Point // valid until the next run
}

// SeriesReader reads files that [NewSeries] has written, several at a time if need be.
type SeriesReader struct {
	r        io.ReaderAt
	columns  []column.Column
	codec    int64
	rows     int64
	metadata map[string]string
	groups   []groupAt
}

// groupAt is where a group is.
type groupAt struct{ at, size, rows int64 }

// OpenSeries reads the footer of a file that [NewSeries] has written without columns on
// request, in groups of 131,072 rows or less. All else is a [perfdump.FormatError].
func OpenSeries(r io.ReaderAt, size int64) (*SeriesReader, error) {
	s := &SeriesReader{r: r, columns: column.Cooked.Usual(), codec: -1, metadata: map[string]string{}}
	s.columns[0].Type = times
	end := size - int64(4+len(magic))
	if end < int64(len(magic)) {
		return nil, perfdump.NewError(perfdump.CodeTruncated, size, perfdump.Path{}, "%d bytes are no Parquet", size)
	}
	head, err := s.bytes(0, int64(len(magic)))
	if err != nil {
		return nil, err
	}
	tail, err := s.bytes(end, size-end)
	if err != nil {
		return nil, err
	}
	if string(head) != magic || string(tail[4:]) != magic {
		return nil, perfdump.NewError(perfdump.CodeSignature, 0, perfdump.Path{}, "the file does not begin and end with %s", magic)
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	if n > end-int64(len(head)) {
		return nil, perfdump.NewError(perfdump.CodeLength, end, perfdump.Path{}, "a footer of %d bytes in a file of %d", n, size)
	}
	footer, err := s.bytes(end-n, n)
	if err == nil {
		err = s.footer(footer, end)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// bytes reads n bytes, which the file is known to have.
func (r *SeriesReader) bytes(at, n int64) ([]byte, error) {
	b := make([]byte, n)
	if got, err := r.r.ReadAt(b, at); got < len(b) {
		return nil, &perfdump.FormatError{Code: perfdump.CodeIO, Off: at + int64(got), Err: err}
	}
	return b, nil
}

// Rows returns how many rows the file has.
func (r *SeriesReader) Rows() int64 { return r.rows }

// Metadata returns the metadata of the file, which must not be changed.
func (r *SeriesReader) Metadata() map[string]string { return r.metadata }

// All returns the runs in the order of the file, from its beginning. An error is the last, with
// no run.
func (r *SeriesReader) All() iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			yield(Run{}, err)
			return
		}
		defer unpack.Close()
		g := groupReader{r: r, zstd: unpack, chunks: make([]values, len(r.columns))}
		for i := range r.groups {
			err = g.read(i)
			for err == nil && g.row < g.rows {
				var run Run
				if run, err = g.run(); err == nil && !yield(run, nil) {
					return
				}
			}
			if err != nil {
				yield(Run{}, err)
				return
			}
		}
	}
}

// footer reads a footer that ends there. Groups follow each other from the first bytes on.
func (r *SeriesReader) footer(b []byte, end int64) error {
	start := end - int64(len(b))
	b, ours := bytes.CutPrefix(b, schema(r.columns).b)
	if !ours {
		return perfdump.NewError(perfdump.CodeUnknownFormat, start, perfdump.Path{}, "the columns are not those that cooked rows have without a request")
	}
	at, rows := int64(len(magic)), int64(0)
	var g groupAt
	var key string
	t := &thriftReader{b: b, end: end}
	t.leaf = func(place uint64, n int64, text []byte) {
		switch place {
		case 0x03:
			r.rows = n
		case 0x04010304: // of each chunk
			if n != zstdCodec && n != snappyCodec && n != plainCodec || r.codec >= 0 && n != r.codec {
				t.fail(perfdump.CodeUnknownFormat, "a chunk of codec %d after codec %d", n, r.codec)
			}
			r.codec = n
		case 0x0403:
			g.rows = n
		case 0x0405:
			g.at = n
		case 0x0406: // ends a group
			g.size = n
			switch {
			case g.at != at || n <= 0 || n > start-at || g.rows <= 0:
				t.fail(perfdump.CodeLength, "a group of %d rows has %d bytes from 0x%x on, which are not the next of those from 0x%x to 0x%x", g.rows, n, g.at, at, start)
			case n > maxGroup || g.rows > groupRows:
				t.fail(perfdump.CodeLimit, "a group has %d rows and %d bytes, more than %d or %d", g.rows, n, groupRows, maxGroup)
			}
			at, rows, r.groups = at+n, rows+g.rows, append(r.groups, g)
		case 0x0501:
			key = string(text)
		case 0x0502:
			if r.metadata[key] = string(text); len(r.metadata) > maxMetadata {
				t.fail(perfdump.CodeLimit, "more than %d values of metadata", maxMetadata)
			}
		}
	}
	if t.fields(0, 2); len(t.b) > 0 || at != start || rows != r.rows {
		t.fail(perfdump.CodeCount, "%d bytes of the footer, %d of groups and %d rows are left over", len(t.b), start-at, r.rows-rows)
	}
	return t.err
}

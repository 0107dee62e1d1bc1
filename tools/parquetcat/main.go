// Command parquetcat prints the rows of Parquet files, a line "name = value"
// for each value that is there and an empty one after each row. The reader
// shares no code with the writer that its output is held against; the zstd
// inside of it is the writer's, since the reader has none.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	goparquet "github.com/fraugster/parquet-go"
	"github.com/fraugster/parquet-go/parquet"
	"github.com/klauspost/compress/zstd"
)

// blocks are the pages of a file.
type blocks struct {
	w *zstd.Encoder
	r *zstd.Decoder
}

func (z blocks) CompressBlock(b []byte) ([]byte, error)   { return z.w.EncodeAll(b, nil), nil }
func (z blocks) DecompressBlock(b []byte) ([]byte, error) { return z.r.DecodeAll(b, nil) }

func main() {
	var z blocks
	var errs [2]error
	z.w, errs[0] = zstd.NewWriter(nil)
	z.r, errs[1] = zstd.NewReader(nil)
	if err := errors.Join(errs[:]...); err != nil {
		fail(err)
	}
	goparquet.RegisterBlockCompressor(parquet.CompressionCodec_ZSTD, z)
	for _, name := range os.Args[1:] {
		if err := cat(os.Stdout, name); err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "parquetcat:", err)
	os.Exit(1)
}

func cat(to io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := goparquet.NewFileReader(f)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(to)
	for {
		row, err := r.NextRow()
		if errors.Is(err, io.EOF) {
			return w.Flush()
		}
		if err != nil {
			return err
		}
		for _, c := range r.Columns() {
			v, ok := row[c.Name()]
			if !ok {
				continue
			}
			if b, text := v.([]byte); text {
				v = string(b)
			}
			fmt.Fprintf(w, "%s = %v\n", c.Name(), v)
		}
		fmt.Fprintln(w)
	}
}

// Command parquetcat prints the rows of Parquet files, a line "name = value"
// for each value that is there and an empty one after each row. The reader
// shares no code with the writer that its output is held against, but for zstd.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/xitongsys/parquet-go/reader"
	"github.com/xitongsys/parquet-go/source"
)

// file is what the reader reads: it opens it again for each column.
type file struct {
	*os.File
}

func (f file) Open(name string) (source.ParquetFile, error) {
	if name == "" {
		name = f.Name()
	}
	o, err := os.Open(name)
	return file{o}, err
}

func (f file) Create(string) (source.ParquetFile, error) { return nil, errors.ErrUnsupported }

func main() {
	for _, name := range os.Args[1:] {
		if err := cat(os.Stdout, name); err != nil {
			fmt.Fprintln(os.Stderr, "parquetcat:", err)
			os.Exit(1)
		}
	}
}

func cat(to io.Writer, name string) error {
	f, err := file{}.Open(name)
	if err != nil {
		return err
	}
	r, err := reader.NewParquetColumnReader(f, 1)
	if err != nil {
		return err
	}
	defer r.ReadStop()
	rows := r.GetNumRows()
	columns := r.Footer.GetSchema()[1:]
	values := make([][]any, len(columns))
	for i := range columns {
		if values[i], _, _, err = r.ReadColumnByIndex(int64(i), rows); err != nil {
			return err
		}
	}
	w := bufio.NewWriter(to)
	for row := range rows {
		for i, c := range columns {
			if v := values[i][row]; v != nil {
				fmt.Fprintf(w, "%s = %v\n", strings.ToLower(c.GetName()), v) // it makes Go names
			}
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

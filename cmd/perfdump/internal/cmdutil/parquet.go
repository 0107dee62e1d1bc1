package cmdutil

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/export/parquet"
)

// Parquet holds the flags of -o parquet.
type Parquet struct {
	Compression string
	Partition   bool

	cmd *cobra.Command
}

// AddFlags registers the flags.
func (p *Parquet) AddFlags(cmd *cobra.Command) {
	Choice(cmd, &p.Compression, "compression", "", parquet.Compressions()[0], "how -o parquet is packed", parquet.Compressions()...)
	cmd.Flags().BoolVar(&p.Partition, "partition", false, "-o parquet as a tree of files by host and date below the directory of -w")
	p.cmd = cmd
}

// Check refuses flags that do not fit the output.
func (p *Parquet) Check(f *Factory, output, write string) error {
	switch {
	case output != "parquet" && (p.Partition || p.cmd.Flags().Changed("compression")):
		return &UsageError{Text: "--compression and --partition are for parquet", Hint: "add -o parquet"}
	case output != "parquet":
		return nil
	case p.Partition && write == "":
		return &UsageError{Text: "--partition writes many files", Hint: "-w DIR names the directory for them"}
	case write == "" && f.IO.StdoutTTY():
		return &UsageError{Text: "parquet is binary data, and standard output is a terminal", Hint: "-w FILE writes to a file"}
	}
	return nil
}

// options returns the options of a file with additional columns.
func (p *Parquet) options(f *Factory, columns, files []string) parquet.Options {
	return parquet.Options{Columns: columns, Compression: p.Compression, Version: f.Version, Metadata: map[string]string{"source": strings.Join(files, ", ")}}
}

// Cooked returns a writer of cooked rows to out, or below dir with --partition.
func (p *Parquet) Cooked(f *Factory, out io.Writer, dir string, columns, files []string) (export.FrameWriter, error) {
	if !p.Partition {
		w, err := parquet.NewCooked(out, p.options(f, columns, files))
		return w, columnError(err)
	}
	t, err := newTree(f, dir, func(w io.Writer) (export.FrameWriter, error) {
		return parquet.NewCooked(w, p.options(f, columns, files))
	})
	return &frameTree{tree: t}, err
}

// Raw returns a writer of raw rows to out, or below dir with --partition.
func (p *Parquet) Raw(f *Factory, out io.Writer, dir string, columns, files []string) (export.Writer, error) {
	if !p.Partition {
		w, err := parquet.NewRaw(out, p.options(f, columns, files))
		return w, columnError(err)
	}
	t, err := newTree(f, dir, func(w io.Writer) (export.Writer, error) { return parquet.NewRaw(w, p.options(f, columns, files)) })
	return &rowTree{tree: t}, err
}

func columnError(err error) error {
	if err == nil {
		return nil
	}
	return &UsageError{Text: "--with: " + err.Error()}
}

// Discard removes the files that a writer has not closed.
func Discard(w any) {
	if d, ok := w.(interface{ Discard() }); ok {
		d.Discard()
	}
}

// SQL is the flag of -o sql.
type SQL struct {
	Dialect string

	cmd *cobra.Command
}

// AddFlags registers the flag.
func (s *SQL) AddFlags(cmd *cobra.Command) {
	Choice(cmd, &s.Dialect, "dialect", "", "sqlite", "the database that the statements of -o sql are for", export.SQLDialects()...)
	s.cmd = cmd
}

// Check refuses the flag with another output.
func (s *SQL) Check(output string) error {
	if s.cmd.Flags().Changed("dialect") && output != "sql" {
		return &UsageError{Text: "--dialect is for sql", Hint: "add -o sql"}
	}
	return nil
}

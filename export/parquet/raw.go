package parquet

import (
	"io"
	"iter"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/export/internal/column"
)

// raw writes raw rows.
type raw struct{ f *file }

// NewRaw returns a writer of a file of raw rows.
func NewRaw(w io.Writer, o Options) (export.Writer, error) {
	f, err := newFile(w, column.Raw, o)
	if err != nil {
		return nil, err
	}
	return &raw{f}, nil
}

func (r *raw) Write(s *capture.Snapshot) error { return r.WriteRows(s.Rows()) }

func (r *raw) WriteRows(rows iter.Seq[*capture.Row]) error {
	var row column.Row
	for row.Row = range rows {
		for i := range r.f.columns {
			r.f.group.chunks[i].field(&r.f.columns[i], r.f.columns[i].Of(&row))
		}
		// Names repeat, so an eighth of them is taken for new; texts do not.
		names := len(row.Host) + len(row.Object) + len(row.Parent) + len(row.Instance) + len(row.Counter) + len(row.Source)
		if err := r.f.row(names/8 + len(row.Text)); err != nil {
			return err
		}
	}
	return nil
}

// Flush does nothing: rows are written by the group, and the rest by Close.
func (r *raw) Flush() error { return nil }

func (r *raw) Close() error { return r.f.close() }

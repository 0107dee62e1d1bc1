package parquet

import (
	"io"
	"iter"

	"github.com/perfdump/perfdump/capture"
)

var rawColumns = []column{
	{"time", int64s, "optional,timestamp(microsecond:utc)"},
	{"host", text, "dict"},
	{"object", text, "dict"},
	{"parent", text, "optional,dict"},
	{"instance", text, "optional,dict"},
	{"instance_index", int32s, ""},
	{"counter", text, "dict"},
	{"type", uint32s, "optional"},
	{"first", uint64s, "optional"},
	{"second", uint64s, "optional"},
	{"multi", uint32s, "optional"},
	{"time_base", int64s, "optional"},
}

var rawOnRequest = []column{
	{"text", text, "optional"},
	{"pdh_status", uint32s, "optional"},
	{"time_local", int64s, "optional,timestamp(microsecond:local)"},
	{"utc_offset_min", int32s, "optional"},
	{"record", int32s, ""},
	{"object_index", int32s, "optional"},
	{"counter_index", int32s, "optional"},
	{"source", text, "dict"},
	{"pid", int64s, "optional"},
}

const numRaw = 12

// Raw writes raw rows. It is an export.Writer, and has to be closed.
type Raw struct{ f *file }

// NewRaw returns a writer of a file of raw rows.
func NewRaw(w io.Writer, o Options) (*Raw, error) {
	f, err := newFile(w, rawColumns, rawOnRequest, o)
	if err != nil {
		return nil, err
	}
	return &Raw{f}, nil
}

// Write writes the rows of a snapshot.
func (r *Raw) Write(s *capture.Snapshot) error { return r.WriteRows(s.Rows()) }

// WriteRows writes rows.
func (r *Raw) WriteRows(rows iter.Seq[*capture.Row]) error {
	for row := range rows {
		if err := r.write(row); err != nil {
			return err
		}
	}
	return nil
}

func (r *Raw) write(row *capture.Row) error {
	f := r.f
	f.setTime(0, row.Time, !row.Time.IsZero())
	f.setText(1, row.Host, true)
	f.setText(2, row.Object, true)
	f.setText(3, row.Parent, row.HasParent)
	f.setText(4, row.Instance, row.HasInstance)
	f.setInt32(5, int32(row.InstanceIndex), true)
	f.setText(6, row.Counter, true)
	f.setInt32(7, int32(row.Type), !row.NoType)
	f.setInt64(8, int64(row.First), !row.NoFirst)
	f.setInt64(9, int64(row.Second), !row.NoSecond)
	f.setInt32(10, int32(row.Multi), !row.NoMulti)
	f.setInt64(11, row.TimeBase, true)
	for k := numRaw; k < len(f.columns); k++ {
		switch f.columns[k].name {
		case "text":
			f.setText(k, row.Text, row.HasText)
		case "pdh_status":
			f.setInt32(k, int32(row.PDH), row.PDH != 0 || !row.NoFirst)
		case "time_local":
			f.setTime(k, row.Local(), !row.Time.IsZero())
		case "utc_offset_min":
			f.setInt32(k, int32(row.Offset.Bias()), row.Offset.Known)
		case "record":
			f.setInt32(k, int32(row.Record), true)
		case "object_index":
			f.setInt32(k, int32(row.ObjectIndex), row.ObjectIndex != 0)
		case "counter_index":
			f.setInt32(k, int32(row.CounterIndex), row.CounterIndex != 0)
		case "source":
			f.setText(k, row.Source, true)
		case "pid":
			f.setPID(k, row.PID)
		}
	}
	// Names repeat, so an eighth of them is taken for new; texts do not.
	names := len(row.Host) + len(row.Object) + len(row.Parent) + len(row.Instance) + len(row.Counter) + len(row.Source)
	return f.write(names/8 + len(row.Text))
}

// Flush is there for export.Writer. Rows are written by the group, so it does
// nothing; Close writes the rest.
func (r *Raw) Flush() error { return nil }

// Close writes the rest and the footer.
func (r *Raw) Close() error { return r.f.close() }

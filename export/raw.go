package export

import (
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
)

// RawFormats returns the names of the formats that have raw values in the
// place of cooked ones, besides those of [Formats] and checkmk.
func RawFormats() []string { return []string{"sql", "openmetrics", "influx"} }

// NewRaw returns a writer of raw values in a format of [RawFormats].
func NewRaw(w io.Writer, format string, o CookedOptions) (*RawFrames, error) {
	o.SQL.Raw, o.Metrics.Raw, o.Influx.Raw = true, true, true
	switch format {
	case "sql":
		return newRawFrames(newSQL(w, o.SQL)), nil
	case "openmetrics":
		return newRawFrames(newOpenMetrics(w, o.Metrics)), nil
	case "influx":
		return newRawFrames(newInflux(w, o.Influx)), nil
	}
	return nil, fmt.Errorf("no raw values in format %q: there are %s", format, strings.Join(RawFormats(), ", "))
}

// RawFrames hands the raw values of snapshots to a writer of frames that takes
// them. Values that are no numbers are left out. It remembers each series that
// it has met, and nothing of their values.
type RawFrames struct {
	w      FrameWriter
	frame  capture.Frame
	series rawSeries
}

// newRawFrames returns a [Writer] that writes to w.
func newRawFrames(w FrameWriter) *RawFrames {
	return &RawFrames{w: w}
}

// Writer returns what it writes to.
func (r *RawFrames) Writer() FrameWriter { return r.w }

// Write writes a snapshot.
func (r *RawFrames) Write(s *capture.Snapshot) error {
	r.begin(s.Time, s.Host, s.Source, s.Record)
	for row := range s.Rows() {
		r.add(row)
	}
	return r.w.WriteFrame(&r.frame)
}

// WriteRows writes rows, those of one record as a frame. They may be of several
// hosts.
func (r *RawFrames) WriteRows(rows iter.Seq[*capture.Row]) error {
	begun := false
	for row := range rows {
		f := &r.frame
		if begun && (f.Record != row.Record || f.Source != row.Source || !f.Time.Equal(row.Time)) {
			if err := r.w.WriteFrame(f); err != nil {
				return err
			}
			begun = false
		}
		if !begun {
			begun = true
			r.begin(row.Time, row.Host, row.Source, row.Record)
		}
		r.add(row)
	}
	if !begun {
		return nil
	}
	return r.w.WriteFrame(&r.frame)
}

// Flush is there for [Writer]. What ends the output is written by Close alone,
// so it does nothing.
func (r *RawFrames) Flush() error { return nil }

// Close ends the output; see [FrameWriter].
func (r *RawFrames) Close() error { return r.w.Close() }

func (r *RawFrames) begin(t time.Time, host, source string, record int) {
	r.series.frame++
	r.frame = capture.Frame{Time: t, Host: host, Source: source, Record: record, Cells: r.frame.Cells[:0], Tuples: r.frame.Tuples[:0]}
}

func (r *RawFrames) add(row *capture.Row) {
	if row.NoFirst {
		return
	}
	r.frame.Cells = append(r.frame.Cells, capture.Cell{Series: r.series.of(row)})
	r.frame.Tuples = append(r.frame.Tuples, capture.Tuple{First: row.First, Second: row.Second, Multi: row.Multi, Known: true})
}

package export

import (
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/paged"
)

// RawFormats returns the names of the formats that have raw values in the
// place of cooked ones, besides those of [Formats] and checkmk.
func RawFormats() []string { return []string{"sql", "openmetrics", "influx"} }

// NewRaw returns a writer of raw values in a format of [RawFormats]; another
// one is an error.
func NewRaw(w io.Writer, format string, o CookedOptions) (*RawFrames, error) {
	o.SQL.Raw, o.Metrics.Raw, o.Influx.Raw = true, true, true
	switch format {
	case "sql":
		q, err := newSQL(w, o.SQL)
		if err != nil {
			return nil, err
		}
		return newRawFrames(q), nil
	case "openmetrics":
		return newRawFrames(newOpenMetrics(w, o.Metrics)), nil
	case "influx":
		return newRawFrames(newInflux(w, o.Influx)), nil
	}
	return nil, fmt.Errorf("no raw values in format %q: there are %s", format, strings.Join(RawFormats(), ", "))
}

// RawFrames hands the raw values of snapshots to a writer of frames that takes
// them. Values that are no numbers are left out. It remembers each series that
// it has met, and nothing of their values. What it hands over is valid until
// the next: there may be a million series.
type RawFrames struct {
	w      FrameWriter
	parted parted                      // the same, nil where it is none
	frame  capture.Frame               // as much of it as has been met and not yet been written
	of     paged.Slice[capture.Series] // those of its cells, one after the other
	begun  bool                        // some of the frame has been written
	series rawSeries
}

// parted is a FrameWriter that takes frames bit by bit: one of a busy server has
// a million cells.
type parted interface {
	FrameWriter
	// writePart writes some cells of a frame; first says whether these are the
	// first.
	writePart(f *capture.Frame, first bool) error
}

// partCells is about how many cells a part has.
const partCells = 4096

// newRawFrames returns a [Writer] that writes to w.
func newRawFrames(w FrameWriter) *RawFrames {
	p, _ := w.(parted)
	return &RawFrames{w: w, parted: p}
}

// Writer returns what it writes to.
func (r *RawFrames) Writer() FrameWriter { return r.w }

// Write writes a snapshot.
func (r *RawFrames) Write(s *capture.Snapshot) error {
	r.begin(capture.Frame{Time: s.Time, Offset: s.Offset, Zone: s.Zone, Host: s.Host, Source: s.Source, Log: s.Log, Record: s.Record})
	r.series.room.Size += int64(s.Size())
	r.series.room.Take(s.Size()) // it is in memory
	for row := range s.Rows() {
		if err := r.add(row); err != nil {
			return err
		}
	}
	return r.flush()
}

// WriteRows writes rows, those of one record as a frame. They may be of several
// hosts.
func (r *RawFrames) WriteRows(rows iter.Seq[*capture.Row]) error {
	begun := false
	for row := range rows {
		r.series.room.Size += leastRow
		f := &r.frame
		if begun && (f.Record != row.Record || f.Source != row.Source || !f.Time.Equal(row.Time)) {
			if err := r.flush(); err != nil {
				return err
			}
			begun = false
		}
		if !begun {
			begun = true
			r.begin(capture.Frame{Time: row.Time, Offset: row.Offset, Zone: row.Zone, Host: row.Host, Source: row.Source, Log: row.Log, Record: row.Record})
		}
		if err := r.add(row); err != nil {
			return err
		}
	}
	if !begun {
		return nil
	}
	return r.flush()
}

// flush writes what there is of the frame.
func (r *RawFrames) flush() error {
	var err error
	if r.parted != nil {
		err = r.parted.writePart(&r.frame, !r.begun)
	} else {
		err = r.w.WriteFrame(&r.frame)
	}
	r.begun = true
	r.frame.Cells, r.frame.Tuples = r.frame.Cells[:0], r.frame.Tuples[:0]
	return err
}

// Flush is there for [Writer]. What ends the output is written by Close alone,
// so it does nothing.
func (r *RawFrames) Flush() error { return nil }

// Close ends the output; see [FrameWriter].
func (r *RawFrames) Close() error { return r.w.Close() }

// begin begins a frame, which has no cells yet.
func (r *RawFrames) begin(f capture.Frame) {
	r.series.frame++
	r.begun = false
	f.Cells, f.Tuples = r.frame.Cells[:0], r.frame.Tuples[:0]
	r.frame = f
}

func (r *RawFrames) add(row *capture.Row) error {
	if row.NoFirst {
		return nil
	}
	series, err := r.series.of(row)
	if err != nil {
		return err
	}
	// A part does not end within an instance, which some outputs keep together.
	if n := len(r.frame.Cells); r.parted != nil && n >= partCells && r.frame.Cells[n-1].Series.Owner != series.Owner {
		if err := r.flush(); err != nil {
			return err
		}
	}
	s := r.of.At(len(r.frame.Cells))
	*s = series
	r.frame.Cells = append(r.frame.Cells, capture.Cell{Series: s})
	r.frame.Tuples = append(r.frame.Tuples, capture.Tuple{First: row.First, Second: row.Second, Multi: row.Multi, Known: true})
	return nil
}

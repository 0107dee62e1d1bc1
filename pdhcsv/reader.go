package pdhcsv

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"time"

	"github.com/perfdump/perfdump"
)

// Options say how a file is read. The zero value is tolerant, with the default
// limits and windows-1252.
type Options struct {
	Mode perfdump.Mode
	// CodePage is the Windows code page of a header that is no UTF-8 and has no
	// byte order mark; 0 is 1252.
	CodePage uint32
	// TimeFormat says how times are written, as for strftime: "%d.%m.%Y %H:%M:%S",
	// with %Y or %y, %m, %d, %H or %I and %p, %M, %S, %f. "" is the form of Windows, or
	// that of a spreadsheet, if all times agree on one reading; that takes a source that
	// is an io.Seeker, and so do decimal commas that are not in the first row.
	TimeFormat string
	Limits     perfdump.Limits
}

// Row is what a file says of one moment.
type Row struct {
	Local  time.Time // what the clock on the wall showed, as if it was UTC
	Time   time.Time // UTC, by the bias in the header; Local without one
	Values []float64 // of each column, NaN where there is no value
	Cells  int       // how many columns the line has cells for; the others are NaN
	Index  int       // position in the file, from 0
	Off    int64     // where it begins
}

// Reader reads a file row by row. It is not safe for concurrent use.
type Reader struct {
	from      io.Reader // as it was given
	start     int64     // where it was then, if it can go back
	src       io.Reader
	o         Options
	time      timeReader
	header    Header
	anomalies perfdump.Anomalies
	err       error
	done      bool

	buf   []byte
	begin int   // of what is not read yet
	base  int64 // offset of buf[0] in the text that buf holds
	eof   bool
	at    place

	lastOdd bool         // the name of the last column is no path
	lastAt  int64        // where it stands
	comma   bool         // numbers have a decimal comma
	skipped map[int]bool // the columns that are no counters
	late    bool         // the last column is the description and has a value nevertheless

	row  Row
	rows int     // how many were read
	open bool    // a cell of the line has no closing quote
	told []bool  // of each column: its repeat is known to differ
	next []int32 // of each column: the next one of its name, 0 where there is none
	set  int     // the columns from here on are NaN, since no row before had them
}

// NewReader reads the header of a file. src is read ahead, and not closed.
//
// The error is a *perfdump.FormatError: "empty", "signature" where the first
// line is no header, "syntax", "limit"; in strict mode any anomaly; or "io"
// with what src said.
func NewReader(src io.Reader, o Options) (*Reader, error) {
	r := &Reader{from: src, src: src, o: o, time: parseTime}
	if o.TimeFormat != "" {
		var err error
		if r.time, err = newTimeFormat(o.TimeFormat); err != nil {
			return nil, perfdump.NewError(perfdump.CodeSyntax, -1, perfdump.Path{}, "time format %v", err)
		}
	}
	r.anomalies.Reset(o.Limits.MaxAnomalies())
	if s, ok := src.(io.Seeker); ok {
		r.start, _ = s.Seek(0, io.SeekCurrent)
	}
	if err := r.readHeader(); err != nil {
		return nil, err
	}
	if r.lastOdd && r.err == nil {
		r.describe(r.lastAt)
	}
	if r.err != nil {
		return nil, r.err
	}
	r.row.Values = make([]float64, r.header.Len())
	for i := range r.row.Values {
		r.row.Values[i] = math.NaN()
	}
	return r, nil
}

// Header returns the header. It belongs to the Reader and does not change.
func (r *Reader) Header() *Header { return &r.header }

// Anomalies returns what was odd so far.
func (r *Reader) Anomalies() *perfdump.Anomalies { return &r.anomalies }

// anomaly keeps an anomaly, which is an error in strict mode.
func (r *Reader) anomaly(a perfdump.Anomaly) {
	r.anomalies.Add(a)
	if r.o.Mode == perfdump.Strict && r.err == nil {
		r.err = a.Err()
	}
}

// Rows yields the rows that have not been read yet. A row is valid until the
// next one, and costs no allocation.
//
// The end is also the first line that does not begin with a time: programs
// write what they have to say behind their data. The error, behind which
// nothing comes, is an "io" error, or in strict mode the first anomaly.
func (r *Reader) Rows() iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for r.nextRow() {
			if !yield(&r.row, nil) {
				return
			}
		}
		if r.err != nil {
			yield(nil, r.err)
		}
	}
}

// nextRow reads the next row into r.row.
func (r *Reader) nextRow() bool {
	if r.done || r.err != nil {
		return false
	}
	line, ok := r.line()
	if !ok {
		r.done = true
		return false
	}
	off := r.base + int64(r.begin-len(line.all))
	index := r.rows
	if index == 0 {
		if err := r.findForms(line.text, off); err != nil {
			r.err = err
			return false
		}
	}
	if !r.parse(line.text, off, index) {
		r.done = true
		if len(bytes.TrimSpace(line.text)) > 0 || r.more() {
			r.anomaly(perfdump.NewAnomaly(CodeTrailingText, r.at.of(off), inRow(index), trailing(index)))
		}
		return false
	}
	r.rows++
	return r.err == nil
}

// trailing says what a line is that does not begin with a time.
func trailing(row int) string {
	if row == 0 {
		return "the first line behind the header does not begin with a time such as 05/15/2024 13:46:30.874: nothing is read; --time-format says how times are written"
	}
	return "a line that does not begin with a time ends the data: what follows is not read"
}

// more reports whether anything but blanks is left.
func (r *Reader) more() bool {
	for {
		line, ok := r.line()
		if !ok {
			return false
		}
		if len(bytes.TrimSpace(line.text)) > 0 {
			return true
		}
	}
}

// parse takes a line apart into r.row. It is false where the first cell is no
// time; the row is then as it was.
func (r *Reader) parse(line []byte, off int64, index int) bool {
	r.open = false
	cell, pos := r.cut(line, 0)
	local, ok := r.time(cell)
	if !ok {
		return false
	}
	row := &r.row
	back := index > 0 && local.Before(row.Local)
	row.Local, row.Time, row.Index, row.Off = local, r.header.Zone.UTC(local), index, r.at.of(off)
	if back {
		r.anomaly(perfdump.NewAnomaly(CodeTimeOrder, row.Off, inRow(index), "the time is before that of the row above, as where daylight time ends"))
	}
	values := row.Values
	n := 0
	for ; n < len(values) && pos < len(line); n++ {
		start := pos + 1
		cell, pos = r.cut(line, start)
		v, ok := r.number(cell)
		if !ok {
			v = math.NaN()
			if !blank(cell) && !r.skipped[n] {
				r.anomaly(perfdump.NewAnomaly(CodeValueText, r.at.of(off+int64(start)), inCell(index, n), "the cell is no number: taken for missing"))
			}
		}
		values[n] = v
	}
	if n < len(values) && !(r.header.described && n == len(values)-1) {
		r.anomaly(perfdump.NewAnomaly(CodeShortRow, row.Off, inRow(index), "%d cells for %d columns: the rest is missing", int64(n), int64(len(values))))
	}
	// A short row costs what it has, not what the header has.
	for i := n; i < r.set; i++ {
		values[i] = math.NaN()
	}
	row.Cells, r.set = n, n
	if pos < len(line) && !blank(line[pos+1:]) {
		r.anomaly(perfdump.NewAnomaly(CodeLongRow, r.at.of(off+int64(pos)), inRow(index), "more cells than the %d columns: passed over", int64(len(values))))
	}
	r.lateValue()
	if r.header.first != nil {
		r.compareRepeats(index)
	}
	return true
}

// compareRepeats tells once of each repeated column that it differs from the
// first of its name.
func (r *Reader) compareRepeats(index int) {
	values, cells := r.row.Values, r.row.Cells
	if r.told == nil {
		r.told = make([]bool, len(values))
		r.next = r.header.repeats()
	}
	for i, j := range r.header.first[:cells] {
		a, b := values[i], values[j]
		if int(j) != i && !r.told[i] && a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
			r.tell(index, i, j)
		}
	}
	// Columns that the row does not reach differ from those that have a value
	// in it. They leave their chain with that, so that this costs them once.
	for j, v := range values[:cells] {
		if r.header.first[j] != int32(j) || math.IsNaN(v) {
			continue
		}
		last, i := int32(j), r.next[j]
		for i != 0 && int(i) < cells {
			last, i = i, r.next[i]
		}
		r.next[last] = 0
		for ; i != 0; i = r.next[i] {
			if !r.told[i] {
				r.tell(index, int(i), int32(j))
			}
		}
	}
}

func (r *Reader) tell(index, column int, first int32) {
	r.told[column] = true
	r.anomaly(perfdump.NewAnomaly(CodeDuplicateColumn, r.row.Off, inCell(index, column), "the column has the name of column %d and another value: the first one counts", int64(first)))
}

// textLine is a line with its end and without.
type textLine struct{ all, text []byte }

// line returns the next line, which is valid until the one after it.
func (r *Reader) line() (textLine, bool) {
	searched := r.begin
	for {
		if i := bytes.IndexByte(r.buf[searched:], '\n'); i >= 0 {
			all := r.buf[r.begin : searched+i+1]
			r.begin += len(all)
			return textLine{all, bytes.TrimSuffix(all[:len(all)-1], []byte("\r"))}, true
		}
		searched = len(r.buf)
		if r.eof {
			all := r.buf[r.begin:]
			r.begin += len(all)
			return textLine{all, bytes.TrimSuffix(all, []byte("\r"))}, len(all) > 0
		}
		searched -= r.fill()
		if r.err != nil {
			return textLine{}, false
		}
	}
}

const bufferSize = 64 << 10

// fill reads on. It may move what is in buf to its front, and returns by how
// much.
func (r *Reader) fill() (moved int) {
	if r.begin > 0 {
		moved = r.begin
		r.buf = r.buf[:copy(r.buf, r.buf[r.begin:])]
		r.base += int64(moved)
		r.begin = 0
	}
	if len(r.buf) == cap(r.buf) {
		grown := make([]byte, len(r.buf), max(bufferSize, 2*cap(r.buf)))
		copy(grown, r.buf)
		r.buf = grown
	}
	for range 100 {
		n, err := r.src.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+n]
		switch {
		case errors.Is(err, io.EOF):
			r.eof = true
			return moved
		case err != nil:
			r.fail(err)
			return moved
		case n > 0:
			return moved
		}
	}
	r.fail(io.ErrNoProgress)
	return moved
}

func (r *Reader) fail(err error) {
	r.eof = true
	r.err = &perfdump.FormatError{Code: perfdump.CodeIO, Off: r.at.of(r.base + int64(len(r.buf))), Err: err}
}

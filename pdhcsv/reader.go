package pdhcsv

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/wire"
)

// Options says how a file is read. The zero value is tolerant, with the default
// limits and windows-1252. The CodePage is that of a header without a byte order mark
// that is not UTF-8.
type Options struct {
	perfdump.Options

	// TimeFormat says how times are written, as for strftime: "%d.%m.%Y %H:%M:%S",
	// with %Y or %y, %m, %d, %H or %I and %p, %M, %S, %f. "" is the form of Windows, or
	// that of a spreadsheet, if all times agree on one reading; that takes a source that
	// is an io.Seeker, and so do decimal commas that are not in the first row.
	TimeFormat string
}

// Row is what a file says of one moment.
type Row struct {
	Local  time.Time // what the local clock showed, as if it was UTC
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
	o         Options
	time      timeReader
	header    Header
	anomalies perfdump.Anomalies
	err       error
	done      bool

	text  *wire.TextReader
	in    *bufio.Reader // of text
	whole []byte        // a line that the buffer does not hold
	again bool          // the line is to be read again
	last  []byte        // the line that was read last
	off   int64         // its offset in the file
	next  int64         // that of the next one
	seen  int           // bytes of the line whose length in the file is known
	ahead int64         // that length

	lastOdd bool         // the name of the last column is no path
	lastAt  int64        // where it is
	comma   bool         // numbers have a decimal comma
	skipped map[int]bool // the columns that are no counters
	late    bool         // the last column is the description and has a value nevertheless

	row     Row
	rows    int    // how many were read
	open    bool   // a cell of the line has no closing quote
	differs []bool // of each column: it is reported that it differs from the first of its name
	set     int    // the columns from here on are NaN, since no row before had them
}

// NewReader reads the header of a file. src is read ahead, and not closed.
//
// The error is a *perfdump.FormatError: "empty", "signature" where the first
// line is no header, "syntax", "limit"; in strict mode any anomaly; or "io"
// with what src said.
func NewReader(src io.Reader, o Options) (*Reader, error) {
	r := &Reader{from: src, o: o, time: parseTime}
	r.read(wire.NewTextReader(src))
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

// Anomalies returns the anomalies so far.
func (r *Reader) Anomalies() *perfdump.Anomalies { return &r.anomalies }

// anomaly keeps an anomaly, which is an error in strict mode.
func (r *Reader) anomaly(code perfdump.Code, off int64, path perfdump.Path, text string, args ...int64) {
	a := perfdump.NewAnomaly(code, off, path, text, args...)
	r.anomalies.Add(a)
	if r.o.Mode == perfdump.Strict && r.err == nil {
		r.err = a.Err()
	}
}

// Rows yields the rows that have not been read yet. A row is valid until the
// next one, and costs no allocation.
//
// The end is also the first line that does not begin with a time: programs
// write what they have to say after their data. The error, after which
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
	all, ok := r.line(false)
	if !ok {
		r.done = true
		return false
	}
	line, index := trimEnd(all), r.rows
	if index == 0 {
		if r.err = r.findForms(line); r.err != nil {
			return false
		}
	}
	off := r.off
	if r.parse(line, index) {
		r.rows++
		return r.err == nil
	}
	r.done = true
	for ok && blank(trimEnd(all)) {
		all, ok = r.line(false)
	}
	switch {
	case !ok:
	case index == 0:
		r.anomaly(codeTrailingText, off, inRow(index), "the first line after the header does not begin with a time such as 05/15/2024 13:46:30.874: nothing is read; --time-format says how times are written")
	default:
		r.anomaly(codeTrailingText, off, inRow(index), "a line that does not begin with a time ends the data: what follows is not read")
	}
	return false
}

// parse takes a line apart into r.row. It is false where the first cell is no
// time; the row is then as it was.
func (r *Reader) parse(line []byte, index int) bool {
	r.open = false
	cell, pos := r.cut(line, 0)
	local, ok := r.time(cell)
	if !ok {
		return false
	}
	row := &r.row
	back := index > 0 && local.Before(row.Local)
	row.Local, row.Time, row.Index, row.Off = local, r.header.Zone.UTC(local), index, r.off
	if back {
		r.anomaly(codeTimeOrder, row.Off, inRow(index), "the time is before that of the row above, as where daylight time ends")
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
				r.anomaly(codeValueText, r.at(start), inCell(index, n), "the cell is no number: the value is missing")
			}
		}
		values[n] = v
	}
	if n < len(values) && !(r.header.described && n == len(values)-1) {
		r.anomaly(codeShortRow, row.Off, inRow(index), "%d cells for %d columns: the rest is missing", int64(n), int64(len(values)))
	}
	// A short row costs what it has, not what the header has.
	for i := n; i < r.set; i++ {
		values[i] = math.NaN()
	}
	row.Cells, r.set = n, n
	if pos < len(line) && !blank(line[pos+1:]) {
		r.anomaly(codeLongRow, r.at(pos), inRow(index), "more cells than the %d columns: the rest is skipped", int64(len(values)))
	}
	r.lateValue()
	if r.header.first != nil {
		r.compareRepeats(index)
	}
	return true
}

// compareRepeats reports once of each repeated column that it differs from the
// first of its name.
func (r *Reader) compareRepeats(index int) {
	values, cells := r.row.Values, r.row.Cells
	if r.differs == nil {
		r.differs = make([]bool, len(values))
	}
	report := func(i, first int) {
		r.differs[i] = true
		r.anomaly(codeDuplicateColumn, r.row.Off, inCell(index, i), "the column has the name of column %d and another value: the first one counts", int64(first))
	}
	for i, j := range r.header.first[:cells] {
		a, b := values[i], values[j]
		if int(j) != i && !r.differs[i] && a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
			report(i, int(j))
		}
	}
	// Columns that the row does not reach differ from those that have a value
	// in it. They leave their chain with that, so that this costs them once.
	next := r.header.next
	for j, v := range values[:cells] {
		if r.header.first[j] != int32(j) || math.IsNaN(v) {
			continue
		}
		last, i := int32(j), next[j]
		for i != 0 && int(i) < cells {
			last, i = i, next[i]
		}
		next[last] = 0
		for ; i != 0; i = next[i] {
			if !r.differs[i] {
				report(int(i), j)
			}
		}
	}
}

const bufferSize = 64 << 10

// read begins to read a text.
func (r *Reader) read(text *wire.TextReader) {
	r.text, r.in = text, bufio.NewReaderSize(text, bufferSize)
}

// line returns the next line with its end, which is valid until the one after it;
// with more, it and the line before, which is at most once blank.
func (r *Reader) line(more bool) (line []byte, ok bool) {
	switch {
	case r.again:
		r.again = false
		return r.last, true
	case more:
		if len(r.whole) == 0 {
			r.whole = append(r.whole, r.last...)
		}
	default:
		r.whole, r.off = r.whole[:0], r.next
	}
	for {
		part, err := r.in.ReadSlice('\n')
		if r.next == 0 {
			r.off, r.next = r.text.Mark(), r.text.Mark()
		}
		r.last = part
		if err != nil || more || len(r.whole) > 0 {
			r.whole = append(r.whole, part...)
			r.last = r.whole
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		r.next, r.seen, r.ahead = r.off+r.text.Len(r.last), 0, 0
		if err != nil && !errors.Is(err, io.EOF) {
			r.err = &perfdump.FormatError{Code: perfdump.CodeIO, Off: r.next, Err: err}
			return nil, false
		}
		return r.last, len(r.last) > 0
	}
}

// at returns the offset in the file of byte i of the line that was read last.
func (r *Reader) at(i int) int64 {
	if i < r.seen {
		r.seen, r.ahead = 0, 0
	}
	r.ahead += r.text.Len(r.last[r.seen:i])
	r.seen = i
	return r.off + r.ahead
}

// trimEnd cuts off the end of a line.
func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

package export

import (
	"bufio"
	"strconv"

	"github.com/perfdump/perfdump/internal/decimal"
)

// sqlRow is a row of CounterData.
type sqlRow struct {
	first, second uint64
	value         float64
	multi         uint32
	number        int32 // of the counter, less than 0 where the tuple is not known
}

// sqlPart is a text, and the rows after it.
type sqlPart struct {
	text       int    // where it ends
	rows       int    // where they end
	comma      bool   // before the first row
	head, tail string // of each row, before and after the number of its counter
}

// sqlTask is what a worker writes.
type sqlTask struct {
	text  []byte
	rows  []sqlRow
	parts []sqlPart
}

// sqlRows has workers write the rows of CounterData between other text.
type sqlRows struct {
	crew       *crew[sqlTask]
	task       *task[sqlTask]
	head, tail string
	ended      bool
}

func newSQLRows(w *bufio.Writer, workers int) sqlRows {
	return sqlRows{crew: newCrew(w, workers, func() func(*sqlTask, []byte) ([]byte, error) { return new(sqlWriter).append })}
}

// frame says of what log and time the next rows are.
func (r *sqlRows) frame(log *sqlLog, when string) {
	r.head = "('" + log.guid + "',"
	r.tail = "," + strconv.Itoa(log.records) + "," + when + ","
	r.part()
}

// part begins a part where the last one has rows.
func (r *sqlRows) part() *sqlPart {
	if r.task == nil {
		r.task = r.crew.get()
		t := &r.task.of
		t.text, t.rows, t.parts = t.text[:0], t.rows[:0], t.parts[:0]
	}
	t := &r.task.of
	n := len(t.parts)
	if n == 0 || t.parts[n-1].rows > 0 {
		t.parts = append(t.parts, sqlPart{text: len(t.text)})
		n++
	}
	p := &t.parts[n-1]
	p.head, p.tail = r.head, r.tail
	return p
}

// write writes text.
func (r *sqlRows) write(s string) {
	p := r.part()
	t := &r.task.of
	t.text = append(t.text, s...)
	if p.text = len(t.text); p.text >= taskBytes {
		r.send()
	}
}

// add adds a row, with a comma between it and the one before.
func (r *sqlRows) add(row sqlRow, comma bool) {
	if r.task == nil {
		r.part()
	}
	t := &r.task.of
	p := &t.parts[len(t.parts)-1]
	if p.rows == 0 {
		p.comma = comma
	}
	t.rows = append(t.rows, row)
	if p.rows = len(t.rows); p.rows >= taskValues {
		r.send()
	}
}

func (r *sqlRows) send() {
	_ = r.crew.send(r.task) // err returns the error
	r.task = nil
}

func (r *sqlRows) err() error { return r.crew.err() }

// end writes what is left.
func (r *sqlRows) end() error {
	if r.task != nil && !r.ended {
		r.send()
	}
	r.ended = true
	return r.crew.end()
}

// sqlWriter writes rows.
type sqlWriter struct {
	second uint64 // the last one: rows of an object have the same clock
	text   []byte
}

func (w *sqlWriter) append(t *sqlTask, dst []byte) ([]byte, error) {
	text, rows := 0, 0
	for i := range t.parts {
		p := &t.parts[i]
		dst = append(dst, t.text[text:p.text]...)
		text = p.text
		if p.rows == 0 {
			continue
		}
		for k := range t.rows[rows:p.rows] {
			if k > 0 || p.comma {
				dst = append(dst, ",\n"...)
			}
			dst = w.appendRow(dst, p, &t.rows[rows+k])
		}
		rows = p.rows
	}
	return dst, nil
}

func (w *sqlWriter) appendRow(dst []byte, p *sqlPart, r *sqlRow) []byte {
	dst = decimal.AppendInt(append(dst, p.head...), int64(max(r.number, -r.number)))
	dst = decimal.Append(append(dst, p.tail...), r.value)
	if r.number < 0 {
		return append(dst, ",NULL,NULL,NULL,NULL,NULL)"...)
	}
	dst = appendHalves(dst, r.first, true)
	if r.second != w.second || len(w.text) == 0 {
		w.second, w.text = r.second, appendHalves(w.text[:0], r.second, true)
	}
	dst = append(dst, w.text...)
	return append(appendIntOr(dst, int64(int32(r.multi)), true), ')')
}

// appendHalves appends the low and the high 32 bits, both signed.
func appendHalves(dst []byte, n uint64, is bool) []byte {
	dst = appendIntOr(dst, int64(int32(n)), is)
	return appendIntOr(dst, int64(int32(n>>32)), is)
}

package export

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/decimal"
	"github.com/perfdump/perfdump/internal/paged"
	"github.com/perfdump/perfdump/pdhcsv"
)

// SQLOptions say how the tables of PDH are written.
type SQLOptions struct {
	Dialect string // one of [SQLDialects], "" is sqlite
	Every   int    // every nth record was read: another log than that of all
	Raw     bool   // raw values alone: CounterValue is 0
}

// SQL writes statements that add logs to the three tables in which PDH keeps
// them: CounterData, CounterDetails, DisplayToID. The tables are made where
// they are missing. The database numbers the counters, so several logs share
// the tables; a log that is there stays as it is. A cell without a value has a
// row if its raw sample is known, with CounterValue 0: readers cook it again.
type SQL struct {
	w       *bufio.Writer
	o       SQLOptions
	dialect sqlDialect
	text    sqlText
	logs    map[string]*sqlLog
	order   []*sqlLog
	series  paged.Slice[sqlSeries]
	owners  map[sqlOwner]*numbers // which counters each instance has
	names   map[string]int32      // of counters
	table   string                // the beginning of the open statement
	rows    int                   // of it
	staged  int                   // rows of the open transaction
	fresh   bool                  // some are of new counters
	row     []byte
	begun   bool
	repeats int
	omitted int
}

// sqlSeries is what has become of a series.
type sqlSeries uint8

const (
	sqlNew sqlSeries = iota
	sqlWritten
	sqlRepeat // another one has its names
)

// sqlOwner is an instance as the tables tell it from others.
type sqlOwner struct {
	host, object, parent, instance string
	hasParent, hasInstance         bool
	index                          int
}

// sqlLog is a log: a row of DisplayToID.
type sqlLog struct {
	guid, display, zone string
	first, last         string // times, as literals
	records, bias       int
	hasBias             bool
}

const (
	sqlBatch  = 500   // rows of a statement: SQL Server takes 1,000 at most
	sqlStaged = 5_000 // rows of a transaction
	sqlTime   = "2006-01-02 15:04:05.000"

	// How long texts may be, in units of UTF-16. A display may get a GUID at its end.
	sqlName, sqlDisplay, sqlZone = 1024, 600, 32
)

// newSQL returns a writer of SQL.
func newSQL(w io.Writer, o SQLOptions) (*SQL, error) {
	if o.Dialect == "" {
		o.Dialect = "sqlite"
	}
	dialect, ok := sqlDialects[o.Dialect]
	if !ok {
		return nil, fmt.Errorf("no SQL dialect %q: there are %s", o.Dialect, strings.Join(SQLDialects(), ", "))
	}
	return &SQL{
		w: newBuffer(w), o: o, dialect: dialect, text: dialect.text(),
		logs: map[string]*sqlLog{}, owners: map[sqlOwner]*numbers{}, names: map[string]int32{},
	}, nil
}

// WriteFrame writes the rows of a frame.
func (q *SQL) WriteFrame(f *capture.Frame) error { return q.writePart(f, true) }

func (q *SQL) writePart(f *capture.Frame, first bool) error {
	q.start()
	when := "NULL"
	if year := f.Time.UTC().Year(); year < 1 || year > 9999 {
		q.omitted += len(f.Cells)
		return nil
	} else if !f.Time.IsZero() {
		when = "'" + f.Time.UTC().Format(sqlTime) + "'"
	}
	log := q.log(f)
	if first {
		log.add(when)
	}
	for i := range f.Cells {
		if s := q.series.At(f.Cells[i].Series.ID); *s == sqlNew {
			*s = q.counter(f.Cells[i].Series)
		}
	}
	for i := range f.Cells {
		c := &f.Cells[i]
		v, ok := c.Number()
		tuple := f.Tuple(i)
		if ok = ok && !q.o.Raw; !ok && !tuple.Known || *q.series.At(c.Series.ID) == sqlRepeat {
			continue
		}
		if !ok {
			v = 0
		}
		q.data(c.Series, log, when, v, tuple)
	}
	_, err := q.w.Write(nil)
	return err
}

// start writes what stands before the first row.
func (q *SQL) start() {
	if !q.begun {
		q.begun = true
		q.write(q.text.create + q.dialect.after + q.dialect.begin)
	}
}

// log returns the log of a frame: that of a recorder, or of a machine.
func (q *SQL) log(f *capture.Frame) *sqlLog {
	key := f.Log
	if key == "" {
		key = "\x00" + f.Host
	}
	l := q.logs[key]
	if l == nil {
		l = &sqlLog{guid: q.guid(key, f), display: f.Source, zone: f.Zone, hasBias: f.Offset.Known}
		if l.hasBias {
			zone := pdhcsv.ZoneOf(f.Zone, f.Offset.East)
			l.bias, l.zone = zone.Bias, zone.Name
		}
		q.logs[key] = l
		q.order = append(q.order, l)
	}
	return l
}

// guid makes the GUID of a log (version 8, one made by its writer). Raw values
// and every nth record are logs of their own, since their rows have the same keys
// as those of all values and other contents. Where machine or time are not known
// the values of the first record keep logs apart.
func (q *SQL) guid(log string, f *capture.Frame) string {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%q %s %t %d", log, f.Time.UTC().Format(time.RFC3339Nano), q.o.Raw, max(1, q.o.Every))
	if f.Log == "" && (f.Host == "" || f.Time.IsZero()) {
		for i := range f.Cells {
			v, _ := f.Cells[i].Number()
			t := f.Tuple(i)
			_, _ = fmt.Fprintf(h, "%q %x %x %x %x", f.Cells[i].Series.Path(), v, t.First, t.Second, t.Multi)
		}
	}
	b := h.Sum(nil)
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// add adds a record.
func (l *sqlLog) add(when string) {
	l.records++
	if when != "NULL" {
		l.last = max(l.last, when)
		if l.first == "" || when < l.first {
			l.first = when
		}
	}
}

// counter writes a series, unless another one has its names: a base is in the
// SecondValue of its counter.
func (q *SQL) counter(s *capture.Series) sqlSeries {
	o := sqlOwner{s.Host, s.Object, s.Parent, s.ShownInstance(), s.HasParent, s.HasInstance, s.InstanceIndex}
	taken := q.owners[o]
	if taken == nil {
		taken = &numbers{}
		q.owners[o] = taken
	}
	n, ok := q.names[s.Counter]
	if !ok {
		n = int32(len(q.names))
		q.names[s.Counter] = n
	}
	if !taken.add(n) {
		if !s.HasType || !s.Type.IsBase() {
			q.repeats++
		}
		return sqlRepeat
	}
	machine := s.Host
	if machine != "" {
		machine = `\\` + machine
	}
	b := strconv.AppendInt(q.begin(q.text.counters), int64(s.ID)+1, 10)
	b = q.appendText(append(b, ",NULL"...), machine, true)
	b = q.appendText(b, s.Object, true)
	b = q.appendText(b, s.Counter, true)
	b = appendIntOr(b, int64(int32(s.Type)), s.HasType)
	b = appendIntOr(b, int64(s.DefaultScale), true)
	b = q.appendText(b, s.ShownInstance(), s.HasInstance)
	b = appendIntOr(b, int64(s.InstanceIndex), s.HasInstance)
	b = q.appendText(b, s.Parent, s.HasParent)
	b = appendHalves(b, uint64(s.TimeBase), s.TimeBase != 0)
	q.fresh = true
	q.end(b)
	return sqlWritten
}

func (q *SQL) data(s *capture.Series, log *sqlLog, when string, v float64, t capture.Tuple) {
	b := append(q.begin(q.text.data), '\'')
	b = append(append(b, log.guid...), '\'', ',')
	b = strconv.AppendInt(b, int64(s.ID)+1, 10)
	b = strconv.AppendInt(append(b, ','), int64(log.records), 10)
	b = append(append(b, ','), when...)
	b = decimal.Append(append(b, ','), v)
	b = appendHalves(b, t.First, t.Known)
	b = appendHalves(b, t.Second, t.Known)
	b = appendIntOr(b, int64(int32(t.Multi)), t.Known)
	q.end(b)
}

// begin begins a row of an INSERT, and the statement where it is the first.
func (q *SQL) begin(table string) []byte {
	if q.table != table {
		q.finish()
		q.table = table
	}
	sep := ",\n("
	if q.rows == 0 {
		sep = table + "("
	}
	q.rows++
	return append(q.row[:0], sep...)
}

// end ends a row, and what has enough of them.
func (q *SQL) end(row []byte) {
	q.row = append(row, ')')
	_, _ = q.w.Write(q.row)
	if q.staged++; q.staged == sqlStaged {
		q.merge()
		q.write("COMMIT;\n" + q.dialect.after + q.dialect.begin)
	} else if q.rows == sqlBatch {
		q.finish()
	}
}

// finish ends the statement that is open.
func (q *SQL) finish() {
	if q.rows > 0 {
		q.write(";\n")
		q.rows = 0
	}
}

// merge moves the rows of the transaction to the tables of PDH.
func (q *SQL) merge() {
	q.finish()
	if q.fresh {
		q.write(q.text.number)
	}
	if q.staged > 0 {
		q.write(q.text.merge)
	}
	q.fresh, q.staged = false, 0
}

// Repeats returns how many series were left out because another one has the same
// names. Bases are not counted: the tables have them in the rows of their counters.
func (q *SQL) Repeats() int { return q.repeats }

// Omitted returns how many values were left out because their times are out of
// the years 1 to 9999.
func (q *SQL) Omitted() int { return q.omitted }

// Close writes the rows of the logs and ends the last transaction.
func (q *SQL) Close() error {
	q.start()
	q.merge()
	for _, l := range q.order {
		q.display(l)
	}
	q.write("COMMIT;\n" + q.dialect.after + q.text.drop + q.dialect.after)
	return q.w.Flush()
}

// display writes the row of a log. One that has grown since it was loaded gets
// a new row.
func (q *SQL) display(l *sqlLog) {
	name := cutSQL(l.display, sqlDisplay)
	b := fmt.Appendf(nil, "DELETE FROM DisplayToID WHERE GUID = '%s' AND NumberOfRecords < %d;\n", l.guid, l.records)
	b = fmt.Appendf(b, "INSERT INTO DisplayToID (GUID, RunID, DisplayString, LogStartTime, LogStopTime, NumberOfRecords, MinutesToUTC, TimeZoneName)\n"+
		"SELECT '%s',0,CASE WHEN EXISTS (SELECT 1 FROM DisplayToID WHERE DisplayString = ", l.guid)
	b = q.appendLiteral(b, name)
	b = q.appendLiteral(append(b, ") THEN "...), name+" "+l.guid)
	b = q.appendLiteral(append(b, " ELSE "...), name)
	b = append(b, " END"...)
	for _, when := range []string{l.first, l.last} {
		if when == "" {
			when = "NULL"
		}
		b = append(append(b, ','), when...)
	}
	b = appendIntOr(b, int64(l.records), true)
	b = appendIntOr(b, int64(l.bias), l.hasBias)
	b = append(b, ',')
	if l.zone == "" {
		b = append(b, "NULL"...)
	} else {
		b = q.appendLiteral(b, cutSQL(l.zone, sqlZone))
	}
	b = fmt.Appendf(b, "\nWHERE NOT EXISTS (SELECT 1 FROM DisplayToID WHERE GUID = '%s');\n", l.guid)
	_, _ = q.w.Write(b)
}

// write writes s; an error stays with the writer.
func (q *SQL) write(s string) { _, _ = q.w.WriteString(s) }

// appendText appends a name behind a comma, NULL where it is none.
func (q *SQL) appendText(dst []byte, s string, is bool) []byte {
	if !is {
		return append(dst, ",NULL"...)
	}
	return q.appendLiteral(append(dst, ','), cutSQL(s, sqlName))
}

// appendLiteral appends a string literal. A NUL ends the input of most programs
// that read SQL, so it becomes U+FFFD. sqlcmd takes a line GO for the end of a
// batch and $(x) for a variable, also within a literal.
func (q *SQL) appendLiteral(dst []byte, s string) []byte {
	s = strings.ToValidUTF8(s, "\ufffd")
	if q.dialect.nchar {
		dst = append(dst, 'N')
	}
	dst = append(dst, '\'')
	for i := range len(s) {
		switch c := s[i]; {
		case c == 0:
			dst = append(dst, "\ufffd"...)
		case c == '\'':
			dst = append(dst, "''"...)
		case q.dialect.nchar && (c == '\n' || c == '\r'):
			dst = fmt.Appendf(dst, "'+NCHAR(%d)+N'", c)
		case q.dialect.nchar && c == '(' && i > 0 && s[i-1] == '$':
			dst = append(dst, "'+N'("...)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '\'')
}

// cutSQL cuts a text to n units of UTF-16. A hash of all of it at its end keeps
// names apart that begin alike.
func cutSQL(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = strings.ToValidUTF8(s, "\ufffd")
	hash := fmt.Sprintf("~%x", sha256.Sum256([]byte(s)))[:17]
	units, cut := 0, 0
	for i, r := range s {
		if units += utf16.RuneLen(r); units <= n-len(hash) {
			cut = i + utf8.RuneLen(r)
		}
	}
	if units <= n {
		return s
	}
	return s[:cut] + hash
}

func appendIntOr(dst []byte, n int64, is bool) []byte {
	if !is {
		return append(dst, ",NULL"...)
	}
	return strconv.AppendInt(append(dst, ','), n, 10)
}

// appendHalves appends the low and the high 32 bits, both signed.
func appendHalves(dst []byte, n uint64, is bool) []byte {
	dst = appendIntOr(dst, int64(int32(n)), is)
	return appendIntOr(dst, int64(int32(n>>32)), is)
}

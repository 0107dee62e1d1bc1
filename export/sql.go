package export

import (
	"bufio"
	"cmp"
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
	"github.com/perfdump/perfdump/pdhcsv"
)

// sqlTables writes statements that add logs to the three tables in which PDH keeps
// them: CounterData, CounterDetails, DisplayToID. They create missing tables. The
// database numbers the counters, so several logs can share the tables; a log that
// is there is not changed. A cell without a value has a row with CounterValue 0 if
// its raw sample is known: readers cook it again.
type sqlTables struct {
	w       *bufio.Writer
	to      sqlRows
	raw     bool // raw values alone: CounterValue is 0
	every   int
	dialect sqlDialect
	text    sqlText
	logs    map[string]*sqlLog
	order   []*sqlLog
	series  []int8              // by ID: 0 new, 1 written, -1 left out since another one has its names
	names   map[string]int32    // numbers of the names of counters
	owners  map[[2]uint64]int32 // numbers of instances, by hashes of their names: names take ten times as much
	seeds   seeds
	owner   *capture.Owner // the last one: series come instance by instance
	number  int32          // of it
	taken   pairs          // the series that are written
	line    []byte         // the last one of a counter
	table   string         // the beginning of the open statement
	rows    int            // of it
	staged  int            // rows of the open transaction
	fresh   bool           // some are of new counters
	begun   bool
	repeats int
	omitted int
}

// sqlOwner is an instance as the tables identify it.
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
	maxSQLName, maxSQLDisplay, maxSQLZone = 1024, 600, 32
)

func newSQL(w io.Writer, o Options) (FrameWriter, error) {
	dialect, ok := sqlDialects[cmp.Or(o.Dialect, "sqlite")]
	if !ok {
		return nil, fmt.Errorf("no SQL dialect %q: there are %s", o.Dialect, strings.Join(SQLDialects(), ", "))
	}
	q := &sqlTables{
		w: newBuffer(w), raw: o.raw, every: o.Every, dialect: dialect, text: dialect.text(),
		logs: map[string]*sqlLog{}, names: map[string]int32{}, owners: map[[2]uint64]int32{}, seeds: newSeeds(), taken: pairs{},
	}
	q.to = newSQLRows(q.w, o.Workers)
	return q, nil
}

func (q *sqlTables) WriteFrame(f *capture.Frame) error { return q.writePart(f, true) }

func (q *sqlTables) writePart(f *capture.Frame, first bool) error {
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
		if s := at(&q.series, f.Cells[i].Series.ID); *s == 0 {
			*s = q.counter(f.Cells[i].Series)
		}
	}
	q.to.frame(log, when)
	for i := range f.Cells {
		c := &f.Cells[i]
		v, ok := c.Number()
		tuple := f.Tuple(i)
		if ok = ok && !q.raw; !ok && !tuple.Known || q.series[c.Series.ID] < 0 {
			continue
		}
		if !ok {
			v = 0
		}
		comma := q.begin(q.text.data)
		number := int32(c.Series.ID) + 1
		if !tuple.Known {
			number = -number
		}
		q.to.add(sqlRow{tuple.First, tuple.Second, v, tuple.Multi, number}, comma)
		q.end()
	}
	return q.to.err()
}

// start writes what is before the first row.
func (q *sqlTables) start() {
	if !q.begun {
		q.begun = true
		q.write(q.text.create + q.dialect.after + q.dialect.begin)
	}
}

// log returns the log of a frame: one for each recorder, or else each machine.
func (q *sqlTables) log(f *capture.Frame) *sqlLog {
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

// guid makes the GUID of a log (version 8, which is custom). Raw values and every
// nth record are logs of their own: their rows have the same keys as those of all
// values, and other contents. If machine or time are unknown, the values of the
// first record distinguish logs.
func (q *sqlTables) guid(log string, f *capture.Frame) string {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%q %s %t %d", log, f.Time.UTC().Format(time.RFC3339Nano), q.raw, max(1, q.every))
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

func (l *sqlLog) add(when string) {
	l.records++
	if when != "NULL" {
		l.last = max(l.last, when)
		if l.first == "" || when < l.first {
			l.first = when
		}
	}
}

// counter writes a series, unless another one has its names. A base has those of
// its counter, whose SecondValue it is.
func (q *sqlTables) counter(s *capture.Series) int8 {
	if q.owner != s.Owner {
		owner := sqlOwner{s.Host, s.Object, s.Parent, s.ShownInstance(), s.HasParent, s.HasInstance, s.InstanceIndex}
		q.owner, q.number = s.Owner, numberOf(q.owners, hashOf(q.seeds, owner))
	}
	if !q.taken.add(numberOf(q.names, s.Counter), q.number) {
		if !s.HasType || !s.Type.IsBase() {
			q.repeats++
		}
		return -1
	}
	machine := s.Host
	if machine != "" {
		machine = `\\` + machine
	}
	b := q.line[:0]
	if q.begin(q.text.counters) {
		b = append(b, ",\n"...)
	}
	b = append(b, '(')
	b = strconv.AppendInt(b, int64(s.ID)+1, 10)
	b = q.appendText(append(b, ",NULL"...), machine, true)
	b = q.appendText(b, s.Object, true)
	b = q.appendText(b, s.Counter, true)
	b = appendIntOr(b, int64(int32(s.Type)), s.HasType)
	b = appendIntOr(b, int64(s.DefaultScale), true)
	b = q.appendText(b, s.ShownInstance(), s.HasInstance)
	b = appendIntOr(b, int64(s.InstanceIndex), s.HasInstance)
	b = q.appendText(b, s.Parent, s.HasParent)
	b = appendHalves(b, uint64(s.TimeBase), s.TimeBase != 0)
	q.fresh, q.line = true, append(b, ')')
	q.write(string(q.line))
	q.end()
	return 1
}

// begin begins a row, and an INSERT for the first one. It is true for the others, before
// which there is a comma.
func (q *sqlTables) begin(table string) bool {
	if q.table != table {
		q.finish()
		q.table = table
	}
	q.rows++
	if q.rows == 1 {
		q.write(table)
	}
	return q.rows > 1
}

// end ends a statement or transaction that has enough rows.
func (q *sqlTables) end() {
	if q.staged++; q.staged == sqlStaged {
		q.merge()
		q.write("COMMIT;\n" + q.dialect.after + q.dialect.begin)
	} else if q.rows == sqlBatch {
		q.finish()
	}
}

// finish ends the statement that is open.
func (q *sqlTables) finish() {
	if q.rows > 0 {
		q.write(";\n")
		q.rows = 0
	}
}

// merge moves the rows of the transaction to the tables of PDH.
func (q *sqlTables) merge() {
	q.finish()
	if q.fresh {
		q.write(q.text.number)
	}
	if q.staged > 0 {
		q.write(q.text.merge)
	}
	q.fresh, q.staged = false, 0
}

// omissions do not count bases: the tables have them in the rows of their counters.
func (q *sqlTables) omissions() []Omission {
	return []Omission{
		{q.omitted, "value", "left out: their times are outside the years 1 to 9999; -o csv has them"},
		{q.repeats, "counter", "left out: others have the same names; -o csv has them"},
	}
}

// Close writes the rows of the logs and ends the last transaction.
func (q *sqlTables) Close() error {
	q.start()
	q.merge()
	for _, l := range q.order {
		q.display(l)
	}
	q.write("COMMIT;\n" + q.dialect.after + q.text.drop + q.dialect.after)
	if err := q.to.end(); err != nil {
		return err
	}
	return q.w.Flush()
}

// Discard ends the workers. It does nothing after Close.
func (q *sqlTables) Discard() { _ = q.to.end() }

// display writes the row of a log, again if it has grown since it was loaded.
func (q *sqlTables) display(l *sqlLog) {
	text := func(s string) string { return string(q.appendLiteral(nil, s)) }
	name, zone, bias := cutSQL(l.display, maxSQLDisplay), "NULL", "NULL"
	if l.zone != "" {
		zone = text(cutSQL(l.zone, maxSQLZone))
	}
	if l.hasBias {
		bias = strconv.Itoa(l.bias)
	}
	q.write(fmt.Sprintf(`DELETE FROM DisplayToID WHERE GUID = '%[1]s' AND NumberOfRecords < %[2]d;
INSERT INTO DisplayToID (GUID, RunID, DisplayString, LogStartTime, LogStopTime, NumberOfRecords, MinutesToUTC, TimeZoneName)
SELECT '%[1]s',0,CASE WHEN EXISTS (SELECT 1 FROM DisplayToID WHERE DisplayString = %[3]s) THEN %[4]s ELSE %[3]s END,%[5]s,%[6]s,%[2]d,%[7]s,%[8]s
WHERE NOT EXISTS (SELECT 1 FROM DisplayToID WHERE GUID = '%[1]s');
`, l.guid, l.records, text(name), text(name+" "+l.guid), cmp.Or(l.first, "NULL"), cmp.Or(l.last, "NULL"), bias, zone))
}

func (q *sqlTables) write(s string) { q.to.write(s) }

// appendText appends a name after a comma, NULL if it is none.
func (q *sqlTables) appendText(dst []byte, s string, is bool) []byte {
	if !is {
		return append(dst, ",NULL"...)
	}
	return q.appendLiteral(append(dst, ','), cutSQL(s, maxSQLName))
}

// appendLiteral appends a string literal. A NUL becomes U+FFFD, since most programs
// end reading SQL at it. sqlcmd ends a batch at a line GO and replaces $(x), also
// within a literal.
func (q *sqlTables) appendLiteral(dst []byte, s string) []byte {
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

// cutSQL cuts a text to n units of UTF-16. A hash at the end distinguishes long
// names that begin with the same text.
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
	return decimal.AppendInt(append(dst, ','), n)
}

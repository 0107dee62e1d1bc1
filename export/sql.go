package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/decimal"
	"github.com/perfdump/perfdump/internal/paged"
	"github.com/perfdump/perfdump/pdhcsv"
)

// SQLOptions say how the tables of PDH are written.
type SQLOptions struct {
	// GUID names the log in the tables; "" is one made of the first frame, the
	// same for the same input.
	GUID string
	// Display is the log's DisplayString; "" is the source of the first frame.
	Display string
	Raw     bool // raw values alone: CounterValue is 0
}

// sqlTables writes statements that make and fill the three tables in which PDH keeps
// logs in databases: CounterData, CounterDetails, DisplayToID. They are ANSI
// SQL, and SQLite loads them. A cell without a value has a row if its raw
// sample is known, with CounterValue 0: readers cook it again.
type sqlTables struct {
	w       *bufio.Writer
	o       SQLOptions
	known   paged.Slice[bool] // of each series: it has its row in CounterDetails
	records int
	first   string
	last    string
	bias    int
	hasBias bool
	zone    string
	table   string // that the open statement fills
	batch   int    // rows of it
	row     []byte
	begun   bool
}

// newSQL returns a writer of SQL.
func newSQL(w io.Writer, o SQLOptions) *sqlTables { return &sqlTables{w: newBuffer(w), o: o} }

// sqlSchema makes the tables. GUIDs are text, as SQLite has no type for them.
const sqlSchema = `CREATE TABLE CounterData (GUID char(36) NOT NULL, CounterID int NOT NULL, RecordIndex int NOT NULL, CounterDateTime char(24), CounterValue float NOT NULL, FirstValueA int, FirstValueB int, SecondValueA int, SecondValueB int, MultiCount int, PRIMARY KEY (GUID, CounterID, RecordIndex));
CREATE TABLE CounterDetails (CounterID int NOT NULL PRIMARY KEY, MachineName varchar(1024) NOT NULL, ObjectName varchar(1024) NOT NULL, CounterName varchar(1024) NOT NULL, CounterType int, DefaultScale int, InstanceName varchar(1024), InstanceIndex int, ParentName varchar(1024), ParentObjectID int, TimeBaseA int, TimeBaseB int);
CREATE TABLE DisplayToID (GUID char(36) NOT NULL PRIMARY KEY, RunID int, DisplayString varchar(1024) NOT NULL UNIQUE, LogStartTime char(24), LogStopTime char(24), NumberOfRecords int, MinutesToUTC int, TimeZoneName char(32));
BEGIN TRANSACTION;
`

// sqlBatch is how many rows one statement inserts. SQL Server takes 1,000 at
// most, SQLite did 500 for long.
const sqlBatch = 500

const sqlTime = "2006-01-02 15:04:05.000"

// WriteFrame writes the rows of a frame.
func (q *sqlTables) WriteFrame(f *capture.Frame) error { return q.writePart(f, true) }

func (q *sqlTables) writePart(f *capture.Frame, first bool) error {
	if first {
		q.records++
	}
	when := "NULL"
	if !f.Time.IsZero() {
		when = "'" + f.Time.UTC().Format(sqlTime) + "'"
		q.last = max(q.last, when)
		if q.first == "" || when < q.first {
			q.first = when
		}
	}
	q.start(f)
	for i := range f.Cells {
		s := f.Cells[i].Series
		if known := q.known.At(s.ID); !*known {
			*known = true
			q.details(s)
		}
	}
	for i := range f.Cells {
		c := &f.Cells[i]
		v, ok := c.Number()
		tuple := f.Tuple(i)
		if ok = ok && !q.o.Raw; !ok && !tuple.Known {
			continue
		}
		if !ok {
			v = 0
		}
		q.data(c.Series, when, v, tuple)
	}
	q.end()
	_, err := q.w.Write(nil)
	return err
}

// start writes what stands before the first frame, which may be an empty one.
func (q *sqlTables) start(f *capture.Frame) {
	if q.begun {
		return
	}
	q.begun = true
	if q.o.GUID == "" {
		q.o.GUID = guid(f)
	}
	if q.o.Display == "" {
		q.o.Display = f.Source
	}
	q.hasBias, q.zone = f.Offset.Known, f.Zone
	if q.hasBias {
		zone := pdhcsv.ZoneOf(f.Zone, f.Offset.East)
		q.bias, q.zone = zone.Bias, zone.Name
	}
	q.text(sqlSchema)
}

// guid makes the name of a log of what begins it, in the form of a GUID made
// by its writer (version 8).
func guid(f *capture.Frame) string {
	h := sha256.New()
	for _, s := range []string{f.Host, f.Source, f.Time.UTC().Format(time.RFC3339Nano)} {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	b := h.Sum(nil)
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// values begins a row of an INSERT, and the statement where it is the first.
func (q *sqlTables) values(table string) []byte {
	if q.table != table {
		q.end()
		q.table = table
	}
	b := q.row[:0]
	if q.batch == 0 {
		b = append(append(append(b, "INSERT INTO "...), table...), " VALUES\n("...)
	} else {
		b = append(b, ",\n("...)
	}
	q.batch++
	return b
}

// write ends a row, and the statement where it has enough of them.
func (q *sqlTables) write(row []byte) {
	q.row = append(row, ')')
	_, _ = q.w.Write(q.row)
	if q.batch == sqlBatch {
		q.end()
	}
}

// end ends the statement that is open.
func (q *sqlTables) end() {
	if q.batch > 0 {
		q.text(";\n")
		q.batch = 0
	}
}

func (q *sqlTables) details(s *capture.Series) {
	b := q.values("CounterDetails")
	b = strconv.AppendInt(b, int64(s.ID)+1, 10)
	machine := s.Host
	if machine != "" {
		machine = `\\` + machine
	}
	b = appendSQL(append(b, ','), machine)
	b = appendSQL(append(b, ','), s.Object)
	b = appendSQL(append(b, ','), s.Counter)
	b = appendIntOr(b, int64(int32(s.Type)), s.HasType)
	b = appendIntOr(b, int64(s.DefaultScale), true)
	b = appendSQLOr(b, s.Instance, s.HasInstance)
	b = appendIntOr(b, int64(s.InstanceIndex), s.HasInstance)
	b = appendSQLOr(b, s.Parent, s.HasParent)
	b = appendIntOr(b, 0, false)
	b = appendHalves(b, uint64(s.TimeBase), s.TimeBase != 0)
	q.write(b)
}

func (q *sqlTables) data(s *capture.Series, when string, v float64, t capture.Tuple) {
	b := append(q.values("CounterData"), '\'')
	b = append(append(b, q.o.GUID...), '\'', ',')
	b = strconv.AppendInt(b, int64(s.ID)+1, 10)
	b = strconv.AppendInt(append(b, ','), int64(q.records), 10)
	b = append(append(b, ','), when...)
	b = decimal.Append(append(b, ','), v)
	b = appendHalves(b, t.First, t.Known)
	b = appendHalves(b, t.Second, t.Known)
	b = appendIntOr(b, int64(int32(t.Multi)), t.Known)
	q.write(b)
}

// Close writes the row of the log and ends the transaction.
func (q *sqlTables) Close() error {
	q.start(&capture.Frame{})
	b := append(q.values("DisplayToID"), '\'')
	b = append(append(b, q.o.GUID...), "',0,"...)
	b = appendSQL(b, q.o.Display)
	for _, when := range []string{q.first, q.last} {
		if when == "" {
			when = "NULL"
		}
		b = append(append(b, ','), when...)
	}
	b = appendIntOr(b, int64(q.records), true)
	b = appendIntOr(b, int64(q.bias), q.hasBias)
	b = appendSQLOr(b, q.zone, q.zone != "")
	q.write(b)
	q.end()
	q.text("COMMIT;\n")
	return q.w.Flush()
}

// text writes s; an error stays with the writer.
func (q *sqlTables) text(s string) { _, _ = q.w.WriteString(s) }

// appendSQL appends a string literal. A NUL ends the input of most programs
// that read SQL, so it becomes U+FFFD.
func appendSQL(dst []byte, s string) []byte {
	s = strings.ToValidUTF8(s, "\ufffd")
	dst = append(dst, '\'')
	for i := range len(s) {
		switch c := s[i]; c {
		case 0:
			dst = append(dst, "\ufffd"...)
		case '\'':
			dst = append(dst, '\'', '\'')
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '\'')
}

func appendSQLOr(dst []byte, s string, is bool) []byte {
	if !is {
		return append(dst, ",NULL"...)
	}
	return appendSQL(append(dst, ','), s)
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

package export

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
)

// Writer writes snapshots one after the other.
type Writer interface {
	// Write writes a snapshot. It may keep some of it back until Flush.
	Write(s *capture.Snapshot) error
	// Flush writes what was kept back. A Writer may be used after it.
	Flush() error
}

// Formats returns the names of the formats that have raw rows.
func Formats() []string { return []string{"jsonl", "csv"} }

// NewRows returns a writer of raw rows in a format of [Formats]. The columns
// are those of the package doc, then those on request, of [OnRequest]. A format
// or column that is none is an error; those of the writer are the errors of w.
func NewRows(w io.Writer, format string, columns ...string) (Writer, error) {
	for _, c := range columns {
		if !slices.Contains(OnRequest(), c) {
			return nil, fmt.Errorf("no column %q on request: there are %s", c, strings.Join(OnRequest(), ", "))
		}
	}
	switch format {
	case "jsonl":
		return newJSONL(w, columns...), nil
	case "csv":
		return newCSV(w, columns...), nil
	}
	return nil, fmt.Errorf("no rows in format %q: there are %s", format, strings.Join(Formats(), ", "))
}

// The columns of raw rows.
const (
	colTime = iota
	colHost
	colObject
	colParent
	colInstance
	colInstanceIndex
	colCounter
	colType
	colFirst
	colSecond
	colMulti
	colTimeBase
	colText // the first on request
	colPDHStatus
	colTimeLocal
	colOffset
	colRecord
	colObjectIndex
	colCounterIndex
	colSource
	colPID
	numColumns
)

var columnNames = [numColumns]string{
	"time", "host", "object", "parent", "instance", "instance_index", "counter", "type", "first", "second", "multi", "time_base",
	"text", "pdh_status", "time_local", "utc_offset_min", "record", "object_index", "counter_index", "source", "pid",
}

// OnRequest returns the names of the columns that rows have on request.
func OnRequest() []string { return slices.Clone(columnNames[colText:]) }

// columnsOf returns the columns of a writer, those on request in the order of
// columnNames.
func columnsOf(onRequest []string) []int {
	var all []int
	for c, name := range columnNames {
		if c < colText || slices.Contains(onRequest, name) {
			all = append(all, c)
		}
	}
	return all
}

// bufferSize is how much is written at a time.
const bufferSize = 64 << 10

func newBuffer(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, bufferSize) }

// appendTime appends t with milliseconds, or with all digits where they do not
// tell it all.
func appendTime(dst []byte, t time.Time) []byte {
	layout := "2006-01-02T15:04:05.000Z07:00"
	if t.Nanosecond()%int(time.Millisecond) != 0 {
		layout = time.RFC3339Nano
	}
	return t.UTC().AppendFormat(dst, layout)
}

// typeNames remembers the text of the types it has met.
type typeNames map[uint32]string

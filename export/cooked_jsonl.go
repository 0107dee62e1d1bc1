package export

import (
	"bufio"
	"io"

	"github.com/perfdump/perfdump/capture"
)

// cookedJSONL writes cooked rows as JSON, one object a line.
type cookedJSONL struct {
	w       *bufio.Writer
	columns []string
	prefix  prefixes // keys from host to path, and the key of the value
	time    []byte
	line    []byte
}

// newCookedJSONL returns a writer of JSON Lines with some columns on request.
func newCookedJSONL(w io.Writer, onRequest ...string) *cookedJSONL {
	return &cookedJSONL{w: newBuffer(w), columns: cookedColumns(onRequest)}
}

// WriteFrame writes a row for each cell.
func (j *cookedJSONL) WriteFrame(f *capture.Frame) error {
	j.time = append(j.time[:0], `{"time":`...)
	if f.Time.IsZero() {
		j.time = append(j.time, null...)
	} else {
		j.time = append(appendTime(append(j.time, '"'), f.Time), '"')
	}
	for i := range f.Cells {
		c := &f.Cells[i]
		line := j.prefix.append(append(j.line[:0], j.time...), c.Series, appendJSONPrefix)
		line, ok := appendValueOf(line, c)
		if !ok {
			line = append(line, null...)
		}
		line = append(append(append(line, `,"status":"`...), c.Verdict().String()...), '"')
		for _, column := range j.columns[cookedOnRequest:] {
			line = append(append(append(line, `,"`...), column...), `":`...)
			line = j.onRequest(line, column, f, i)
		}
		j.line = append(line, '}', '\n')
		if _, err := j.w.Write(j.line); err != nil {
			return err
		}
	}
	return nil
}

func (j *cookedJSONL) shard(w *bufio.Writer) sharded {
	return &cookedJSONL{w: w, columns: j.columns}
}

func (j *cookedJSONL) buffer() *bufio.Writer { return j.w }

func (j *cookedJSONL) rowCells() int { return 0 }

func (j *cookedJSONL) onRequest(line []byte, column string, f *capture.Frame, cell int) []byte {
	if column == "time_local" {
		if f.Time.IsZero() {
			return append(line, null...)
		}
		return append(appendLocal(append(line, '"'), f.Local()), '"')
	}
	to, ok := appendOnRequest(line, column, f, cell, AppendJSONString)
	if !ok {
		return append(line, null...)
	}
	return to
}

func appendJSONPrefix(dst []byte, s *capture.Series) []byte {
	b := AppendJSONString(append(dst, `,"host":`...), s.Host)
	b = AppendJSONString(append(b, `,"object":`...), s.Object)
	b = appendJSONOr(append(b, `,"parent":`...), s.Parent, s.HasParent)
	b = appendJSONOr(append(b, `,"instance":`...), s.Instance, s.HasInstance)
	b = appendNumber(append(b, `,"instance_index":`...), float64(s.InstanceIndex))
	b = AppendJSONString(append(b, `,"counter":`...), s.Counter)
	b = AppendJSONString(append(b, `,"path":`...), s.Path())
	return append(b, `,"value":`...)
}

func appendJSONOr(dst []byte, s string, is bool) []byte {
	if !is {
		return append(dst, null...)
	}
	return AppendJSONString(dst, s)
}

// Close writes what is left.
func (j *cookedJSONL) Close() error { return j.w.Flush() }

package export

import "github.com/perfdump/perfdump/internal/decimal"

// influxTask is the lines that a worker writes.
type influxTask struct {
	lines        []influxLine
	values       []influxValue
	tags, fields []string // by their numbers, as far as the lines need them
	size         int      // of the names
}

// influxLine is a line or a part of it.
type influxLine struct {
	tags        int32
	first, last bool // parts
	timed       bool
	nano        int64
	end         int // of its values
}

type influxValue struct {
	value float64
	field int32
}

func (t *influxTask) append(dst []byte) ([]byte, error) {
	at := 0
	for i := range t.lines {
		l := &t.lines[i]
		sep := byte(',')
		if l.first {
			dst, sep = append(dst, t.tags[l.tags]...), ' '
		}
		for _, v := range t.values[at:l.end] {
			dst = append(append(dst, sep), t.fields[v.field]...)
			dst, sep = appendFloat(dst, v.value, 'f'), ','
		}
		at = l.end
		if !l.last {
			continue
		}
		if l.timed {
			dst = decimal.AppendInt(append(dst, ' '), l.nano)
		}
		dst = append(dst, '\n')
	}
	return dst, nil
}

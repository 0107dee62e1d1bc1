package export

import (
	"math"
	"strconv"
)

// metricLines are samples in the order of the output, and what is before them.
type metricLines struct {
	samples []sample
	heads   []metricHead
	text    []byte
	size    int // of the lines, about
}

// metricHead says where the text of a series is: that before its first line, then
// that at the beginning of each.
type metricHead struct {
	from, line, to int
	end            int // of its samples
}

// metricMerge takes sorted samples and gives them to writers of lines.
type metricMerge struct {
	*crew[metricLines]

	m      *openMetrics
	task   *task[metricLines]
	family int32  // the last one
	last   int32  // the last series
	held   sample // the last one: there may be another of its time
}

// A worker gets so many samples, or so many bytes of text, where names are long.
const (
	taskValues = 4 << 10
	taskBytes  = 256 << 10
)

// add takes a sample. A series has one sample for each time, and one without a time:
// the last.
func (l *metricMerge) add(id int32, s sample) error {
	if id == l.last && s.time() == l.held.time() {
		l.held = s
		if s.timed() {
			l.m.replaced++
		} else {
			l.m.untimed++
		}
		return nil
	}
	if err := l.put(); err != nil {
		return err
	}
	if id != l.last {
		l.last = id
		l.head()
	}
	l.held = s
	return nil
}

// put adds the sample that is held.
func (l *metricMerge) put() error {
	if l.last < 0 {
		return nil
	}
	b := &l.task.of
	b.samples = append(b.samples, l.held)
	h := &b.heads[len(b.heads)-1]
	h.end = len(b.samples)
	b.size += h.to - h.line
	if len(b.samples) < taskValues && b.size+len(b.text) < taskBytes {
		return nil
	}
	err := l.send(l.task)
	l.task = nil
	l.head()
	return err
}

// head begins a series, or goes on with it in another batch.
func (l *metricMerge) head() {
	if l.task == nil {
		l.task = l.get()
		b := &l.task.of
		b.samples, b.heads, b.text, b.size = b.samples[:0], b.heads[:0], b.text[:0], 0
	}
	b := &l.task.of
	h := metricHead{from: len(b.text), end: len(b.samples)}
	place := l.m.places.known.At(int(l.last))
	f := &l.m.families[place.name-1]
	if l.family != place.name {
		l.family = place.name
		b.text = append(append(b.text, "# TYPE "...), f.name...)
		if l.m.raw {
			b.text = append(b.text, " unknown\n"...)
		} else {
			b.text = append(b.text, " gauge\n"...)
		}
	}
	h.line = len(b.text)
	b.text = append(b.text, f.name...)
	if labels := l.m.places.texts.texts[place.tags]; labels != "" {
		b.text = append(append(append(b.text, '{'), labels[1:]...), '}')
	}
	b.text = append(b.text, ' ')
	h.to = len(b.text)
	b.heads = append(b.heads, h)
}

// end writes what is left.
func (l *metricMerge) end() error {
	err := l.put()
	if l.task != nil && err == nil {
		err = l.send(l.task)
	}
	if endErr := l.crew.end(); err == nil {
		err = endErr
	}
	return err
}

// metricWriter writes lines.
type metricWriter struct {
	high int64  // of seconds: without their last four digits
	text []byte // its digits
}

func (m *metricWriter) append(b *metricLines, dst []byte) ([]byte, error) {
	at := 0
	for _, h := range b.heads {
		dst = append(dst, b.text[h.from:h.line]...)
		name := b.text[h.line:h.to]
		for _, s := range b.samples[at:h.end] {
			dst = append(dst, name...)
			if s.when&1 != 0 {
				dst = strconv.AppendUint(dst, s.bits, 10)
			} else {
				dst = appendNumber(dst, math.Float64frombits(s.bits))
			}
			if s.timed() {
				dst = m.appendSeconds(append(dst, ' '), s.time())
			}
			dst = append(dst, '\n')
		}
		at = h.end
	}
	return dst, nil
}

// appendSeconds appends a time in milliseconds as seconds with three decimals. The
// times of a series have most of their digits in common.
func (m *metricWriter) appendSeconds(dst []byte, ms int64) []byte {
	const low = 10_000
	seconds := ms / 1000
	if seconds < low {
		if ms < 0 {
			dst, ms = append(dst, '-'), -ms
		}
		dst = strconv.AppendInt(dst, ms/1000, 10)
	} else {
		if high := seconds / low; high != m.high {
			m.high, m.text = high, strconv.AppendInt(m.text[:0], high, 10)
		}
		n := seconds % low
		dst = append(append(dst, m.text...), byte('0'+n/1000), byte('0'+n/100%10), byte('0'+n/10%10), byte('0'+n%10))
	}
	ms %= 1000
	return append(dst, '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10))
}

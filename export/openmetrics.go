package export

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
)

// openMetrics writes the text format of OpenMetrics with the names of
// windows_exporter's performancecounter collector, in English where the English
// names are known: see [MetricName]. The format requires all values of a metric
// together, so Close sorts and writes them; many are sorted on the scratch. Raw
// values have the type unknown, cooked ones are gauges.
type openMetrics struct {
	w        *bufio.Writer
	raw      bool
	group    regroup
	places   places
	ranks    []uint64 // by ID; 1 + the rank, 0 if the series is new
	families []metricFamily
	byName   map[string]int32
	counters map[counterKey]int32
	omitted  int
	replaced int
}

type counterKey struct{ object, counter string }

// metricFamily is the counter of an object that has a name.
type metricFamily struct {
	name            string
	object, counter string
	members         []int32 // the labels of each
}

func newOpenMetrics(w io.Writer, o Options) (FrameWriter, error) {
	m := &openMetrics{w: newBuffer(w), raw: o.raw, group: newRegroup(o.Scratch), byName: map[string]int32{}, counters: map[counterKey]int32{}}
	m.places = places{name: m.family, tags: metricLabels, quote: `"`}
	return m, nil
}

// WriteFrame keeps the values of a frame. Cells without one are counted and
// left out.
func (m *openMetrics) WriteFrame(f *capture.Frame) error { return m.writePart(f, true) }

func (m *openMetrics) writePart(f *capture.Frame, _ bool) error {
	when := int64(math.MinInt64)
	if !f.Time.IsZero() {
		when = f.Time.UnixMilli() << 1
	}
	for i := range f.Cells {
		c := &f.Cells[i]
		p, ok := m.point(c, f.Tuple(i))
		if !ok {
			m.omitted++
			continue
		}
		p.rank, p.when = m.rank(c.Series), p.when|when
		if err := m.group.add(p); err != nil {
			return err
		}
	}
	return nil
}

// point returns the value of a cell. Raw values are integers, but times are in
// seconds.
func (m *openMetrics) point(c *capture.Cell, t capture.Tuple) (point, bool) {
	if !m.raw {
		v, ok := c.Number()
		return point{bits: math.Float64bits(v)}, ok
	}
	if !t.Known {
		return point{}, false
	}
	switch c.Series.Type {
	case countertypes.PERF_100NSEC_TIMER, countertypes.PERF_PRECISION_100NS_TIMER:
		return point{bits: math.Float64bits(float64(t.First) * 1e-7)}, true
	case countertypes.PERF_ELAPSED_TIME:
		if c.Series.TimeBase <= 0 || t.Second < t.First {
			return point{}, false
		}
		return point{bits: math.Float64bits(float64(t.Second-t.First) / float64(c.Series.TimeBase))}, true
	default:
		return point{when: 1, bits: t.First}, true
	}
}

// rank returns the place of a series in the output: metrics, and the series of
// each, are in order of appearance.
func (m *openMetrics) rank(s *capture.Series) uint64 {
	rank := at(&m.ranks, s.ID)
	if *rank == 0 {
		place := m.places.find(s)
		f := &m.families[place.name]
		*rank = uint64(place.name)<<32 + uint64(len(f.members)) + 1
		f.members = append(f.members, place.tags)
	}
	return *rank - 1
}

// family returns the number of the family of a series.
func (m *openMetrics) family(s *capture.Series) int32 {
	object, counter := s.English()
	key := counterKey{object, counter}
	n, ok := m.counters[key]
	if ok {
		return n
	}
	name, whole := MetricName(object, counter), strings.ToLower(metricPrefix+`\`+object+`\`+counter)
	for {
		if n, ok = m.byName[name]; !ok {
			n = int32(len(m.families))
			m.families = append(m.families, metricFamily{name: name, object: object, counter: counter})
			m.byName[name] = n
			break
		}
		if f := &m.families[n]; strings.EqualFold(f.object, object) && strings.EqualFold(f.counter, counter) {
			break
		}
		name, whole = escapeMetric(whole), whole+`\` // the name of another counter
	}
	m.counters[key] = n
	return n
}

func (m *openMetrics) omissions() []Omission {
	return []Omission{
		{m.omitted, "value", "left out: no number; -o csv has a status for each"},
		{m.replaced, "value", "left out: the series has another value at that time; -o csv has all"},
		{len(m.places.again), "name", "of several counters with the same labels: the label duplicate distinguishes them"},
	}
}

const metricPrefix = "windows_performancecounter"

// MetricName returns the name of a counter as windows_exporter's performancecounter
// collector makes it, except for letters that are not English: the collector replaces
// them by _. Here the name is escaped as Prometheus does: U__, with the code points
// of the letters.
func MetricName(object, counter string) string {
	var name []rune
	for _, c := range strings.ToLower(metricPrefix + "_" + object + "_" + counter) {
		switch {
		case c == '%':
			name = append(name, []rune("percent")...)
		case c == '(' || c == ')':
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf && unicode.In(c, unicode.L, unicode.M, unicode.N):
			name = append(name, c)
		default:
			name = append(name, '_')
		}
	}
	return escapeMetric(strings.Trim(string(name), "_"))
}

// escapeMetric escapes a name with the scheme "values" of Prometheus.
func escapeMetric(name string) string {
	classic := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
	}
	if !strings.ContainsFunc(name, func(c rune) bool { return !classic(c) }) {
		return name
	}
	b := []byte("U__")
	for _, c := range name {
		switch {
		case c == '_':
			b = append(b, "__"...)
		case classic(c):
			b = append(b, byte(c))
		default:
			b = append(strconv.AppendInt(append(b, '_'), int64(c), 16), '_')
		}
	}
	return string(b)
}

func metricLabels(dst []byte, o *capture.Owner) []byte {
	add := func(name, value string) {
		if value != "" {
			dst = append(append(append(dst, ','), name...), '=', '"')
			dst = append(appendLabel(dst, value), '"')
		}
	}
	add("host", o.Host)
	if o.HasInstance {
		add("instance", string(pdhpath.AppendInstance(nil, "", o.Instance, o.InstanceIndex)))
	}
	if o.HasParent {
		add("parent", o.Parent)
	}
	add("pid", idText(o.PID))
	add("tid", idText(o.Thread))
	return dst
}

// appendLabel appends the value of a label. Control characters become blanks: some
// readers end a line at a carriage return.
func appendLabel(dst []byte, s string) []byte {
	s = strings.ToValidUTF8(s, "\ufffd")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\' || c == '"':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c < ' ' || c == 0x7f:
			dst = append(dst, ' ')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

func (m *openMetrics) Close() error {
	kind := "gauge"
	if m.raw {
		kind = "unknown"
	}
	family := int64(-1)
	var line []byte // of the point before
	before := point{rank: math.MaxUint64}
	err := m.group.merge(func(p point) error {
		// A series has one sample for each time, and one without a time: the last.
		if p.compare(&before) == 0 {
			m.replaced++
		} else if _, err := m.w.Write(line); err != nil {
			return err
		}
		before = p
		n := int64(p.rank >> 32)
		f := &m.families[n]
		if n != family {
			family = n
			if _, err := fmt.Fprintf(m.w, "# TYPE %s %s\n", f.name, kind); err != nil {
				return err
			}
		}
		line = append(line[:0], f.name...)
		if labels := m.places.texts.texts[f.members[uint32(p.rank)]]; labels != "" {
			line = append(append(append(line, '{'), labels[1:]...), '}')
		}
		line = append(line, ' ')
		if p.when&1 != 0 {
			line = strconv.AppendUint(line, p.bits, 10)
		} else {
			line = appendNumber(line, math.Float64frombits(p.bits))
		}
		if when := p.when &^ 1; when != math.MinInt64 {
			line = appendSeconds(append(line, ' '), when>>1)
		}
		line = append(line, '\n')
		return nil
	})
	if err != nil {
		return err
	}
	_, _ = m.w.Write(line)
	if _, err := m.w.WriteString("# EOF\n"); err != nil {
		return err
	}
	return m.w.Flush()
}

// appendSeconds appends a time in milliseconds as seconds with three decimals.
func appendSeconds(dst []byte, ms int64) []byte {
	if ms < 0 {
		dst, ms = append(dst, '-'), -ms
	}
	dst = strconv.AppendInt(dst, ms/1000, 10)
	ms %= 1000
	return append(dst, '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10))
}

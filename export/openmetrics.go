package export

import (
	"bufio"
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
	workers  int
	group    regroup
	places   places
	families []metricFamily
	byName   map[string]int32
	counters map[counterKey]int32
	omitted  int
	replaced int
	untimed  int
}

type counterKey struct{ object, counter string }

// metricFamily is the counter of an object that has a name.
type metricFamily struct {
	name            string
	object, counter string
	series          []int32 // their IDs, in order of appearance
}

func newOpenMetrics(w io.Writer, o Options) (FrameWriter, error) {
	m := &openMetrics{w: newBuffer(w), raw: o.raw, workers: o.Workers, byName: map[string]int32{}, counters: map[counterKey]int32{}}
	m.group = newRegroup(o.Scratch, m.series)
	m.places = places{name: m.family, tags: metricLabels, quote: `"`}
	return m, nil
}

// series yields the IDs of series in the order of the output: metrics, and the series
// of each, are in order of appearance.
func (m *openMetrics) series(yield func(int32) bool) {
	for i := range m.families {
		for _, id := range m.families[i].series {
			if !yield(id) {
				return
			}
		}
	}
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
		p, ok := m.sample(c, f.Tuple(i))
		if !ok {
			m.omitted++
			continue
		}
		if m.places.isNew(c.Series) {
			of := &m.families[m.places.find(c.Series).name].series
			*of = append(*of, int32(c.Series.ID))
		}
		p.when |= when
		if err := m.group.add(c.Series.ID, p); err != nil {
			return err
		}
	}
	return nil
}

// sample returns the value of a cell. Raw values are integers, but times are in
// seconds.
func (m *openMetrics) sample(c *capture.Cell, t capture.Tuple) (sample, bool) {
	if !m.raw {
		v, ok := c.Number()
		return sample{bits: math.Float64bits(v)}, ok
	}
	if !t.Known {
		return sample{}, false
	}
	switch c.Series.Type {
	case countertypes.PERF_100NSEC_TIMER, countertypes.PERF_PRECISION_100NS_TIMER:
		return sample{bits: math.Float64bits(float64(t.First) * 1e-7)}, true
	case countertypes.PERF_ELAPSED_TIME:
		if c.Series.TimeBase <= 0 || t.Second < t.First {
			return sample{}, false
		}
		return sample{bits: math.Float64bits(float64(t.Second-t.First) / float64(c.Series.TimeBase))}, true
	default:
		return sample{when: 1, bits: t.First}, true
	}
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
		{m.replaced, "value", "left out: several snapshots have the same time, and a series has one value at a time; -o csv has all"},
		{m.untimed, "value", "left out: several snapshots have no time, and a series has one value without; -o csv has all"},
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

// Discard leaves the scratch alone.
func (m *openMetrics) Discard() { _ = m.group.wait() }

func (m *openMetrics) Close() error {
	lines := metricMerge{m: m, last: -1}
	lines.crew = newCrew(m.w, m.workers, func() func(*metricLines, []byte) ([]byte, error) { return new(metricWriter).append })
	err := m.group.merge(lines.add)
	if endErr := lines.end(); err == nil {
		err = endErr
	}
	if err != nil {
		return err
	}
	_, _ = m.w.WriteString("# EOF\n")
	return m.w.Flush()
}

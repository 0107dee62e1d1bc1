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
	"github.com/perfdump/perfdump/internal/paged"
	"github.com/perfdump/perfdump/pdhpath"
)

// MetricsOptions say how OpenMetrics text is written.
type MetricsOptions struct {
	Raw bool // raw values, of the type unknown; else cooked ones, gauges
	// Scratch takes what is beyond a million values. Without it more of them
	// are an error.
	Scratch Scratch
}

// OpenMetrics writes the text format of OpenMetrics with the names of
// windows_exporter's performancecounter collector, which are English: so are the
// names here, as far as they are known. See [MetricName]. The format wants all
// values of a metric together, so they are put in order, on the scratch if there
// are many, and written by Close.
type OpenMetrics struct {
	w        *bufio.Writer
	o        MetricsOptions
	group    regroup
	series   paged.Slice[metricSeries]
	families []metricFamily
	byName   map[string]int32
	counters map[counterKey]int32
	labels   map[string]int32
	texts    []string       // of labels, by their numbers
	owner    *capture.Owner // that number is of
	number   int32
	again    map[metricPlace]int32 // how many more series have the same labels
	omitted  int
	replaced int
}

// metricPlace is a family and labels.
type metricPlace struct{ family, labels int32 }

type metricSeries struct {
	family int32 // 1 + its number; 0 where the series is new
	member int32
}

type counterKey struct{ object, counter string }

// metricFamily is what one name stands for: a counter of an object.
type metricFamily struct {
	name            string
	object, counter string
	members         numbers // the labels of each
}

// newOpenMetrics returns a writer of OpenMetrics text.
func newOpenMetrics(w io.Writer, o MetricsOptions) *OpenMetrics {
	return &OpenMetrics{
		w: newBuffer(w), o: o, group: newRegroup(o.Scratch),
		byName: map[string]int32{}, counters: map[counterKey]int32{}, labels: map[string]int32{},
		again: map[metricPlace]int32{},
	}
}

// WriteFrame keeps the values of a frame. Cells without one are counted and
// left out.
func (m *OpenMetrics) WriteFrame(f *capture.Frame) error { return m.writePart(f, true) }

func (m *OpenMetrics) writePart(f *capture.Frame, _ bool) error {
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
		s := m.series.At(c.Series.ID)
		if s.family == 0 {
			m.learn(s, c.Series)
		}
		p.rank, p.when = uint64(s.family-1)<<32|uint64(s.member), p.when|when
		if err := m.group.add(p); err != nil {
			return err
		}
	}
	return nil
}

// point returns what a cell says. Raw values are integers, but for those that
// are times: these are seconds.
func (m *OpenMetrics) point(c *capture.Cell, t capture.Tuple) (point, bool) {
	if !m.o.Raw {
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

// learn finds the metric of a series and its place in the output. Metrics
// stand in the order in which they appear, and so do the series of each.
func (m *OpenMetrics) learn(s *metricSeries, of *capture.Series) {
	n := m.familyOf(of.English())
	members := &m.families[n].members
	labels := m.labelsOf(of.Owner)
	for place := (metricPlace{n, labels}); !members.add(labels); {
		m.again[place]++
		labels = m.labelsAgain(place.labels, m.again[place])
	}
	s.family, s.member = n+1, int32(len(members.all)-1)
}

// familyOf returns the number of the family of a counter. A name is long, and
// made once for all instances.
func (m *OpenMetrics) familyOf(object, counter string) int32 {
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

// labelsOf returns the number of the labels of an instance.
func (m *OpenMetrics) labelsOf(o *capture.Owner) int32 {
	if m.owner == o {
		return m.number
	}
	m.owner, m.number = o, m.labelsNumber(metricLabels(o))
	return m.number
}

// labelsAgain returns the number of labels that tell the nth more series from
// the others of the same labels.
func (m *OpenMetrics) labelsAgain(labels, n int32) int32 {
	text := "{"
	if of := m.texts[labels]; of != "" {
		text = strings.TrimSuffix(of, "}") + ","
	}
	return m.labelsNumber(fmt.Sprintf(`%sduplicate="%d"}`, text, n))
}

// labelsNumber returns the number of a text of labels.
func (m *OpenMetrics) labelsNumber(text string) int32 {
	n, ok := m.labels[text]
	if !ok {
		n = int32(len(m.texts))
		m.labels[text] = n
		m.texts = append(m.texts, text)
	}
	return n
}

// Omitted returns how many cells were left out: those without a value.
func (m *OpenMetrics) Omitted() int { return m.omitted }

// Replaced returns how many values were left out because a later one is of the same
// series and time.
func (m *OpenMetrics) Replaced() int { return m.replaced }

// Repeats returns how many names and labels several series have, which the label
// duplicate tells apart.
func (m *OpenMetrics) Repeats() int { return len(m.again) }

const metricPrefix = "windows_performancecounter"

// MetricName returns the name of a counter, as windows_exporter's
// performancecounter collector makes it. It would make _ of letters that are not
// English; these stay, and the name is escaped as Prometheus does where it may
// not hold them: U__, with the numbers of the letters in it.
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

// escapeMetric escapes a name that has other letters than the classic ones, as
// Prometheus does with the scheme "values".
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

// metricLabels returns the labels of an instance in braces, "" without any.
func metricLabels(s *capture.Owner) string {
	var b []byte
	add := func(name, value string) {
		if value == "" {
			return
		}
		if b == nil {
			b = append(b, '{')
		} else {
			b = append(b, ',')
		}
		b = append(append(b, name...), '=', '"')
		b = append(appendLabel(b, value), '"')
	}
	add("host", s.Host)
	if s.HasInstance {
		add("instance", string(pdhpath.AppendInstance(nil, "", s.Instance, s.InstanceIndex)))
	}
	if s.HasParent {
		add("parent", s.Parent)
	}
	if s.PID != 0 {
		add("pid", strconv.FormatUint(s.PID, 10))
	}
	if s.Thread != 0 {
		add("tid", strconv.FormatUint(s.Thread, 10))
	}
	if b == nil {
		return ""
	}
	return string(append(b, '}'))
}

// appendLabel appends the value of a label. A carriage return would end the
// line for some readers, so it becomes a blank, as other control characters do.
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

// Close writes everything.
func (m *OpenMetrics) Close() error {
	kind := "gauge"
	if m.o.Raw {
		kind = "unknown"
	}
	family := int64(-1)
	var line []byte // of the point before
	before := point{rank: math.MaxUint64}
	err := m.group.merge(func(p point) error {
		// A sample is alone at its time, or without a time in its series: the last
		// one counts.
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
		labels := m.texts[f.members.at(int(uint32(p.rank)))]
		line = append(append(append(line[:0], f.name...), labels...), ' ')
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

package derive

import (
	"math"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// Metric is a value that is computed from counters of one instance.
type Metric struct {
	Name       string
	Expression string // as it was written
	About      string // the comment right above it, "" for none

	parts      []Part
	expression *node
}

// Part is a counter that a metric is computed from.
type Part struct {
	Object  string // "" is the object of the metric, or its twin
	Counter string
}

// String returns the part as it is written in brackets.
func (p Part) String() string {
	if p.Object == "" {
		return p.Counter
	}
	return p.Object + `\` + p.Counter
}

// Parts returns the counters of a metric in the order in which it names them,
// each once. The slice belongs to the metric.
func (m *Metric) Parts() []Part { return m.parts }

// String returns the line that the metric is parsed from.
func (m *Metric) String() string {
	if strings.ContainsAny(m.Name, "[]=") || strings.HasPrefix(m.Name, "#") {
		return "[" + strings.ReplaceAll(m.Name, "]", "]]") + "] = " + m.Expression
	}
	return m.Name + " = " + m.Expression
}

// value computes the metric of the cells of its parts.
func (m *Metric) value(cells []*capture.Cell) (float64, countertypes.Status) {
	v, status := m.expression.eval(cells)
	switch {
	case status != countertypes.StatusOK:
		return 0, status
	case math.IsInf(v, 0) || math.IsNaN(v):
		return 0, countertypes.StatusInvalidData
	default:
		return v, status
	}
}

// fold returns a name for comparison without regard to case.
func fold(s string) string { return strings.ToLower(s) }

// twins are the objects that describe the same instances: what happened, and
// what it cost.
var twins = [...][2]string{
	{"Per Processor Network Interface Card Activity", "Per Processor Network Activity Cycles"},
}

// Twin returns the object whose counters belong to an object as well, instance
// by instance.
func Twin(object string) (string, bool) {
	for _, t := range twins {
		switch {
		case strings.EqualFold(object, t[0]):
			return t[1], true
		case strings.EqualFold(object, t[1]):
			return t[0], true
		}
	}
	return "", false
}

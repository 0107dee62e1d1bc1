// Package expression compiles metrics: values that are computed from counters of
// one instance by + - * / and parentheses. docs/cookbook.md has the grammar.
package expression

import (
	"math"
	"strings"

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

// Operand is the value of a part, or why there is none.
type Operand struct {
	Value  float64
	Status countertypes.Status
}

// Value computes the metric of the values of its parts, in their order.
func (m *Metric) Value(parts []Operand) (float64, countertypes.Status) {
	v, status := m.expression.eval(parts)
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

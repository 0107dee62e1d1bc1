package derive

import "strings"

// Metric is a value that is computed of counters of one instance.
type Metric struct {
	Name       string
	Expression string // as it was written
	About      string // the comment right above it, "" for none

	parts []Part
	code  []op
	depth int // of the stack that the code needs
}

// Part is a counter that a metric is computed of.
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

// String returns the line that the metric is parsed of.
func (m *Metric) String() string {
	if strings.ContainsAny(m.Name, "[]=") || strings.HasPrefix(m.Name, "#") {
		return "[" + strings.ReplaceAll(m.Name, "]", "]]") + "] = " + m.Expression
	}
	return m.Name + " = " + m.Expression
}

// fold is what names are compared by: they have no case.
func fold(s string) string { return strings.ToLower(s) }

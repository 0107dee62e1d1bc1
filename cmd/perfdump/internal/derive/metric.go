package derive

import (
	"strings"

	"github.com/perfdump/perfdump/internal/expression"
)

// Metric is a value that is computed from counters of one instance.
type Metric = expression.Metric

// Part is a counter that a metric is computed from.
type Part = expression.Part

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

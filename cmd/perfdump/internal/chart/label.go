package chart

import (
	"strings"

	"github.com/perfdump/perfdump/capture"
)

// names records what the series of a chart have in common: that goes into the
// title, the rest into the legend.
type names struct {
	hosts, objects, counters, instances bool // they differ
	one                                 *capture.Series
}

func (n *names) add(s *capture.Series) {
	if n.one == nil {
		n.one = s
	}
	n.hosts = n.hosts || !strings.EqualFold(s.Host, n.one.Host)
	n.objects = n.objects || !strings.EqualFold(s.Object, n.one.Object)
	n.counters = n.counters || !strings.EqualFold(s.Counter, n.one.Counter)
	n.instances = n.instances || s.DisplayName() != n.one.DisplayName()
}

// title returns what all series are of.
func (n *names) title() string {
	switch {
	case n.one == nil:
		return "Counters"
	case n.objects && n.counters:
		return "Counters"
	case n.objects:
		return n.one.Counter
	}
	title := n.one.Object
	if in := n.one.DisplayName(); !n.instances && in != "" {
		title += "(" + in + ")"
	}
	if !n.counters {
		title += ": " + n.one.Counter
	}
	return title
}

// label returns what distinguishes a series from the others.
func (n *names) label(s *capture.Series) string {
	in := s.DisplayName()
	label := s.Counter
	switch {
	case n.objects && in != "":
		label = s.Object + "(" + in + `)\` + s.Counter
	case n.objects:
		label = s.Object + `\` + s.Counter
	case n.counters && n.instances && in != "":
		label = in + ": " + s.Counter
	case !n.counters && in != "":
		label = in
	}
	if n.hosts {
		label = `\\` + s.Host + " " + label
	}
	return label
}

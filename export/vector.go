package export

import (
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
)

// Vector is a vector of ASP.NET's counters to be shown.
type Vector struct {
	Source string // the name of the file
	Vector *aspnet.Vector
	// Show chooses counters; nil is all.
	Show func(*aspnet.Counter) bool
}

// WriteVector writes the counters of a vector by the objects that perfmon shows
// them in. It reports whether a counter was shown.
func (t *Table) WriteVector(v Vector) (shown bool, err error) {
	if t.begun {
		t.text("\n")
	}
	t.begun = true
	facts := []string{"version " + v.Vector.Version().String(), plural(v.Vector.Len(), "DWORD")}
	if v.Source != "" && v.Source != "-" {
		facts = append(facts, cell.Clean(v.Source))
	}
	t.text(t.style.Bold("ASP.NET counters") + "  " + strings.Join(facts, ", ") + "\n")
	if v.Vector.Zero() {
		t.note("all counters are 0: the worker could not be read, or is of another version")
	}
	var lines []blockLine
	last := aspnet.Global
	for c := range v.Vector.Values() {
		if c.Scope != last {
			shown = t.category(capture.VectorObject(last), lines) || shown
			last, lines = c.Scope, lines[:0]
		}
		if (c.Name == "" || !c.Type.IsBase() || t.o.All) && (v.Show == nil || v.Show(c)) {
			lines = append(lines, newVectorLine(v.Vector, c))
		}
	}
	shown = t.category(capture.VectorObject(last), lines) || shown
	return shown, t.err()
}

func newVectorLine(x *aspnet.Vector, c *aspnet.Counter) blockLine {
	l := blockLine{name: cell.Clean(capture.VectorName(c)), kind: c.Type, untyped: c.Name == ""}
	s := x.Sample(c, nil, nil)
	l.value = strconv.FormatUint(s.First, 10)
	if c.Type.NeedsBase() {
		l.base = " / " + strconv.FormatUint(s.Second, 10)
	}
	return l
}

package comparelogs

import (
	"io"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/comparison"
	"github.com/perfdump/perfdump/internal/table"
)

// line is a line of JSON.
type line struct {
	Path     string   `json:"path"`
	Machine  string   `json:"machine"`
	Object   string   `json:"object"`
	Instance string   `json:"instance"`
	Counter  string   `json:"counter"`
	Unit     string   `json:"unit"`
	Sides    string   `json:"sides"`
	Notable  bool     `json:"notable"`
	Spread   *float64 `json:"spread"`
	Spreads  *float64 `json:"spreads"`
	Older    *side    `json:"older"`
	Newer    *side    `json:"newer"`
	Avg      *moved   `json:"avg"`
	P95      *moved   `json:"p95"`
}

type side struct {
	Samples int      `json:"samples"`
	Missing int      `json:"missing"`
	Min     *float64 `json:"min"`
	Avg     *float64 `json:"avg"`
	P95     *float64 `json:"p95"`
	Max     *float64 `json:"max"`
}

type moved struct {
	Delta   *float64 `json:"delta"`
	Percent *float64 `json:"percent"`
}

// finite returns a number as JSON has it: one that is not finite is null.
func finite(v float64) *float64 {
	if v-v != 0 {
		return nil
	}
	return &v
}

func sideOf(l *comparison.Line) *side {
	if l == nil {
		return nil
	}
	s := &side{Samples: int(l.Count), Missing: int(l.Missing)}
	if l.Count > 0 {
		s.Min, s.Avg, s.P95, s.Max = finite(l.Min), finite(l.Mean), finite(l.P95()), finite(l.Max)
	}
	return s
}

func (c *compared) lines(out io.Writer) error {
	p := table.NewPrinter(out, table.Options{})
	for _, x := range c.changes {
		l := x.Line()
		j := line{Path: x.Path, Machine: l.Series.Host, Object: l.Object, Instance: l.Instance(), Counter: l.Counter, Unit: string(unitOf(x)), Sides: "both", Notable: x.Notable, Older: sideOf(x.Older), Newer: sideOf(x.Newer)}
		switch {
		case x.Newer == nil:
			j.Sides = "older"
		case x.Older == nil:
			j.Sides = "newer"
		case x.Older.Count > 0 && x.Newer.Count > 0:
			j.Spread, j.Spreads = finite(x.Spread), finite(x.Spreads)
			j.Avg, j.P95 = movedBy(x.Average()), movedBy(x.P95())
		}
		if p.JSON(j); p.Err() != nil {
			break
		}
	}
	return p.Flush()
}

func movedBy(m comparison.Move) *moved { return &moved{finite(m.New - m.Old), finite(100 * m.Share())} }

package lodctr

import (
	"fmt"
	"io"
	"strings"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/findings"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
)

// write writes a plan in the format of -o.
func write(w io.Writer, o *Options, plan *registration.Plan) error {
	p := table.NewPrinter(w, table.Options{Width: o.IO.Width(), Cut: o.IO.StdoutTTY(), Color: o.IO.Color()})
	if o.Output == "json" {
		p.JSON(document(plan))
		return p.Flush()
	}
	writePlan(p, o, plan)
	findings.Write(p, plan.Findings)
	p.Line(findings.Total(plan.Findings))
	return p.Flush()
}

// document is a plan as -o json has it.
func document(plan *registration.Plan) any {
	type entry struct {
		Symbol       *string `json:"symbol"`
		Offset       uint32  `json:"offset"`
		Language     string  `json:"language"`
		CounterIndex uint32  `json:"counter_index"`
		Name         *string `json:"name"`
		HelpIndex    uint32  `json:"help_index"`
		Help         *string `json:"help"`
	}
	entries := []entry{}
	for _, e := range plan.Entries {
		entries = append(entries, entry{given(e.Symbol, e.Symbol != ""), e.Offset, e.Language, e.CounterIndex, given(e.Name, e.HasName), e.HelpIndex, given(e.Help, e.HasHelp)})
	}
	return struct {
		DriverName   string   `json:"driver_name"`
		FirstCounter uint32   `json:"first_counter"`
		LastCounter  uint32   `json:"last_counter"`
		FirstHelp    uint32   `json:"first_help"`
		LastHelp     uint32   `json:"last_help"`
		ObjectList   []uint32 `json:"object_list"`
		Entries      []entry  `json:"entries"`
		Findings     any      `json:"findings"`
	}{
		plan.DriverName, plan.FirstCounter, plan.LastCounter, plan.FirstHelp, plan.LastHelp,
		append([]uint32{}, plan.ObjectList...), entries, findings.JSON(plan.Findings),
	}
}

// given returns null for a text that is not there.
func given(s string, has bool) *string {
	if !has {
		return nil
	}
	return &s
}

// writePlan writes a plan for people.
func writePlan(p *table.Printer, o *Options, plan *registration.Plan) {
	what := "load"
	if o.File == "" {
		what = "unload"
	}
	if plan.Nothing {
		what = "nothing to " + what
	}
	p.Heading(cell.Clean(plan.DriverName), what)
	fact := func(name, format string, args ...any) {
		p.Line("  " + table.Pad(name, 13) + "  " + fmt.Sprintf(format, args...))
	}
	if plan.FirstCounter > 0 {
		fact("First Counter", "%s   Last Counter  %s", both(plan.FirstCounter), both(plan.LastCounter))
		fact("First Help", "%s   Last Help     %s", both(plan.FirstHelp), both(plan.LastHelp))
		if len(plan.ObjectList) > 0 {
			fact("Object List", "%s", strings.Trim(fmt.Sprint(plan.ObjectList), "[]"))
		}
	}
	if !plan.Nothing && plan.SystemCounter > 0 {
		fact("of Perflib", "Last Counter %d, Last Help %d", plan.SystemCounter, plan.SystemHelp)
	}
	if !plan.Nothing && len(plan.Skipped) > 0 {
		fact("not installed", "%s", cell.Clean(strings.Join(plan.Skipped, ", ")))
	}
	for _, l := range plan.Languages {
		writeEntries(p, l, plan.Entries)
	}
	p.Line("")
}

// writeEntries writes the names and the help of a language.
func writeEntries(p *table.Printer, language string, entries []registration.Entry) {
	tab := &table.Table{Indent: 2, Columns: []table.Column{{Align: table.Right, Min: 5}, {Max: 40}, {}}}
	begun := false
	var row table.Row
	p.Table(tab, func(yield func(*table.Row) bool) {
		for _, e := range entries {
			if e.Language != language {
				continue
			}
			if !begun {
				begun = true
				p.Line("")
				p.Line(p.Style.Bold(cell.Clean(language)))
			}
			if e.HasName && !yield(row.Reset().Uint(uint64(e.CounterIndex)).Texts(cell.Clean(e.Symbol), cell.Clean(e.Name))) {
				return
			}
			if e.HasHelp && !yield(row.Reset().Uint(uint64(e.HelpIndex)).Texts("", cell.Clean(e.Help)).PaintAll(table.Dim)) {
				return
			}
		}
	})
}

// both writes a number as lodctr /Q does, the other way round.
func both(n uint32) string { return fmt.Sprintf("%5d (0x%X)", n, n) }

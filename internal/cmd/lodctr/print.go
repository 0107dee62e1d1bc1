package lodctr

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cmd/findings"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/lodctr"
)

// write writes a plan as -o wants it.
func write(w io.Writer, o *Options, plan *lodctr.Plan) error {
	b := bufio.NewWriter(w)
	if o.Output == "json" {
		_, _ = b.Write(appendJSON(nil, plan))
	} else {
		table(b, o, plan)
	}
	return b.Flush()
}

func appendJSON(dst []byte, plan *lodctr.Plan) []byte {
	number := func(key string, n uint32) {
		dst = strconv.AppendUint(append(dst, key...), uint64(n), 10)
	}
	text := func(key, s string, has bool) {
		if dst = append(dst, key...); has {
			dst = export.AppendJSONString(dst, s)
		} else {
			dst = append(dst, "null"...)
		}
	}
	text(`{"driver_name":`, plan.DriverName, true)
	number(`,"first_counter":`, plan.FirstCounter)
	number(`,"last_counter":`, plan.LastCounter)
	number(`,"first_help":`, plan.FirstHelp)
	number(`,"last_help":`, plan.LastHelp)
	dst = append(dst, `,"object_list":[`...)
	for i, index := range plan.ObjectList {
		number([...]string{"", ","}[min(i, 1)], index)
	}
	dst = append(dst, `],"entries":[`...)
	for i, e := range plan.Entries {
		text([...]string{`{"symbol":`, `,{"symbol":`}[min(i, 1)], e.Symbol, e.Symbol != "")
		number(`,"offset":`, e.Offset)
		text(`,"language":`, e.Language, true)
		number(`,"counter_index":`, e.CounterIndex)
		text(`,"name":`, e.Name, e.HasName)
		number(`,"help_index":`, e.HelpIndex)
		text(`,"help":`, e.Help, e.HasHelp)
		dst = append(dst, '}')
	}
	dst = append(findings.AppendJSON(append(dst, `],"findings":`...), plan.Findings), '}', '\n')
	return dst
}

// table writes a plan for people.
func table(w *bufio.Writer, o *Options, plan *lodctr.Plan) {
	style := cell.Style{On: o.IO.Color()}
	line := func(text string) { _, _ = w.WriteString(strings.TrimRight(text, " ") + "\n") }
	what := "load"
	if o.File == "" {
		what = "unload"
	}
	if plan.Nothing {
		what = "nothing to " + what
	}
	line(style.Bold(cell.Clean(plan.DriverName)) + "  " + what)
	if plan.FirstCounter > 0 {
		line(fmt.Sprintf("  First Counter  %s   Last Counter  %s", both(plan.FirstCounter), both(plan.LastCounter)))
		line(fmt.Sprintf("  First Help     %s   Last Help     %s", both(plan.FirstHelp), both(plan.LastHelp)))
		if len(plan.ObjectList) > 0 {
			line("  Object List    " + strings.Trim(fmt.Sprint(plan.ObjectList), "[]"))
		}
	}
	if !plan.Nothing {
		if plan.SystemCounter > 0 {
			line(fmt.Sprintf("  of Perflib     Last Counter %d, Last Help %d", plan.SystemCounter, plan.SystemHelp))
		}
		if len(plan.Skipped) > 0 {
			line("  not installed  " + cell.Clean(strings.Join(plan.Skipped, ", ")))
		}
	}
	width := 0
	of := map[string][]lodctr.Entry{}
	for _, e := range plan.Entries {
		of[e.Language] = append(of[e.Language], e)
		width = max(width, min(cell.Width(cell.Clean(e.Symbol)), 40))
	}
	for _, l := range plan.Languages {
		for i, e := range of[l] {
			if i == 0 {
				line("")
				line(style.Bold(cell.Clean(l)))
			}
			symbol := cell.Cut(cell.Clean(e.Symbol), 40)
			if width > 0 {
				symbol = string(cell.PadRight([]byte(symbol), cell.Width(symbol), width)) + "  "
			}
			room := max(o.IO.Width()-9-width-2, 20)
			if e.HasName {
				line(fmt.Sprintf("  %5d  %s%s", e.CounterIndex, symbol, cell.Cut(cell.Clean(e.Name), room)))
			}
			if e.HasHelp {
				line(style.Dim(fmt.Sprintf("  %5d  %s%s", e.HelpIndex, strings.Repeat(" ", cell.Width(symbol)), cell.Cut(cell.Clean(e.Help), room))))
			}
		}
	}
	line("")
	if len(plan.Findings) > 0 {
		findings.WriteTable(w, o.IO, plan.Findings)
	}
	line(findings.Total(plan.Findings))
}

// both writes a number as lodctr /Q does, the other way round.
func both(n uint32) string { return fmt.Sprintf("%5d (0x%X)", n, n) }

package export

import (
	"fmt"

	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// WriteBackup writes what a backup of counter names holds, but for the names
// themselves.
func (t *Table) WriteBackup(name string, f *perfstrings.File) error {
	t.fileTitle("Backup of counter names", name, f.Anomalies(), f.Encoding())
	p := f.Perflib()
	t.text(fmt.Sprintf("\n  Base Index    %s\n  Last Counter  %s\n  Last Help     %s\n", number(p.BaseIndex), number(p.LastCounter), number(p.LastHelp)))
	if f.NumProviders() > 0 {
		t.providers(f)
	}
	if len(f.Languages()) > 0 {
		t.text("\n  " + t.style.Dim("language  strings") + "\n")
	}
	for _, l := range f.Languages() {
		t.text(fmt.Sprintf("  %-8s  %7d\n", cell.Clean(l.ID), l.Count))
	}
	return t.err()
}

func (t *Table) providers(f *perfstrings.File) {
	width := len("provider")
	for v := range f.Providers() {
		width = max(width, min(cell.Width(cell.Clean(v.Name)), 60))
	}
	head := string(cell.PadRight([]byte("  provider"), len("provider"), width))
	t.text("\n" + t.style.Dim(head+"  first counter  last counter  first help   last help  disabled") + "\n")
	for v := range f.Providers() {
		service := cell.Clean(v.Name)
		line := cell.PadRight([]byte("  "+service), cell.Width(service), width)
		line = fmt.Appendf(line, "  %13s  %12s  %10s  %10s", number(v.FirstCounter), number(v.LastCounter), number(v.FirstHelp), number(v.LastHelp))
		if v.Disabled.Given {
			line = fmt.Appendf(line, "  %8d", v.Disabled.Value)
		}
		t.text(string(line) + "\n")
	}
}

// number is a number of a backup as a table has it.
func number(n perfstrings.Number) string {
	if !n.Given {
		return "-"
	}
	return fmt.Sprint(n.Value)
}

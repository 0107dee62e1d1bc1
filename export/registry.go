package export

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/registry"
)

// WriteHive writes what a hive says of counters.
func (t *Table) WriteHive(name string, v *registry.View) error {
	t.fileTitle("Registry", name, v.Anomalies(), "hive")
	t.registry(v)
	return t.err()
}

// WriteReg writes what a .reg file says of counters, then its keys with their
// values.
func (t *Table) WriteReg(name string, r *registry.Reg, v *registry.View) error {
	t.fileTitle("Registry", name, v.Anomalies(), r.Version().String(), r.Encoding())
	t.registry(v)
	widths := []int{0, -5, len("REG_EXPAND_SZ")}
	for e := range r.Entries() {
		if !e.Key {
			widths[0] = max(widths[0], min(cell.Width(cell.Clean(valueName(e.Value.Name))), maxNames))
		}
	}
	for e := range r.Entries() {
		if t.err() != nil {
			break
		}
		switch {
		case e.Key && e.Deleted:
			t.text("\n" + t.style.Bold(cell.Clean(e.Path)) + "  deleted\n")
		case e.Key:
			t.text("\n" + t.style.Bold(cell.Clean(e.Path)) + "\n")
		case e.Deleted:
			t.row(widths, valueName(e.Value.Name), fmt.Sprint(e.Line), "deleted", "")
		default:
			t.row(widths, valueName(e.Value.Name), fmt.Sprint(e.Line), e.Value.Type.String(), dataText(&e.Value))
		}
	}
	return t.err()
}

func valueName(s string) string {
	if s == "" {
		return "(default)"
	}
	return s
}

// mostData is how much of a value a table shows: names of all counters are one.
const mostData = 400

// dataText is the data of a value for people.
func dataText(v *registry.Value) string {
	if s, ok := v.Text(); ok {
		return shorten(s)
	}
	if members, ok := v.List(); ok {
		var b strings.Builder
		for i, s := range members {
			if i > 0 {
				b.WriteString(", ")
			}
			if b.WriteString(s); b.Len() > mostData {
				return shorten(b.String()) + fmt.Sprintf(" (%d strings)", len(members))
			}
		}
		return b.String()
	}
	if n, ok := v.Uint64(); ok {
		return fmt.Sprintf("%d (0x%x)", n, n)
	}
	text := fmt.Sprintf("% x", v.Data[:min(len(v.Data), 32)])
	if len(v.Data) > 32 {
		text += fmt.Sprintf(" … (%d bytes)", len(v.Data))
	}
	return text
}

func shorten(s string) string { return cell.Cut(s, mostData) }

// registry writes the providers of a registry, and its table of names.
func (t *Table) registry(v *registry.View) {
	if v.Computer != "" {
		t.fact("computer", v.Computer)
	}
	if v.ControlSet != "" {
		t.fact("control set", v.ControlSet)
	}
	if p := v.Perflib; p != nil {
		for _, name := range []string{registry.BaseIndex, registry.LastCounter, registry.LastHelp} {
			t.fact(name, valueText(p.Value(name)))
		}
		var ids []string
		for i := range p.Languages {
			ids = append(ids, p.Languages[i].ID)
		}
		t.fact("languages", strings.Join(ids, ", "))
	}
	if len(v.Providers) == 0 {
		return
	}
	width := len("provider")
	for i := range v.Providers {
		width = max(width, min(cell.Width(cell.Clean(v.Providers[i].Service)), maxNames))
	}
	widths := []int{width, -13, -12, -10, -9, -8}
	t.text("\n")
	t.dimRow(widths, "provider", "first counter", "last counter", "first help", "last help", "disabled", "library")
	for i := range v.Providers {
		p := &v.Providers[i]
		disabled := ""
		if n := p.Disabled(); n != 0 {
			disabled = fmt.Sprint(n)
		}
		t.row(widths, p.Service, valueText(p.Value(registry.FirstCounter)), valueText(p.Value(registry.LastCounter)),
			valueText(p.Value(registry.FirstHelp)), valueText(p.Value(registry.LastHelp)), disabled, p.Text(registry.Library))
	}
}

// valueText is a number of the registry, which a damaged one may have as
// something else.
func valueText(v *registry.Value) string {
	if v == nil {
		return "-"
	}
	if n, ok := v.Uint32(); ok {
		return fmt.Sprint(n)
	}
	return v.Type.String()
}

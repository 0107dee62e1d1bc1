package formats

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

var regFile = Format{
	Name:   detect.Reg,
	Bytes:  hexview.Reg,
	Facts:  factsOf(parseReg, regFacts),
	Check:  checkOf(parseReg, nil),
	Names:  regNames,
	Reader: document.RegReader,
	Document: documentOf(parseReg, func(out io.Writer, in *detect.Input, r regView, o document.Options) error {
		return document.WriteReg(out, in.Name, r.reg, r.View, o)
	}),
	Table:        sheetOf(parseReg, regSheet),
	Contents:     contentsOf(parseReg, regContents),
	Database:     true,
	Registration: true,
	hint:         registers,
}

var hive = Format{
	Name:  detect.Hive,
	Bytes: hexview.Hive,
	Facts: factsOf(openHive, hiveFacts),
	Check: checkOf(openHive, nil),
	Document: documentOf(openHive, func(out io.Writer, in *detect.Input, h hiveView, o document.Options) error {
		if len(slices.Collect(h.Faults())) == 0 {
			o.Mode = perfdump.Tolerant // nothing is left out
		}
		return document.WriteHive(out, in.Name, h.hive, h.View, o)
	}),
	Table:        sheetOf(openHive, hiveSheet),
	Contents:     contentsOf(openHive, hiveContents),
	Salvage:      true,
	Database:     true,
	Registration: true,
	hint:         registers,
}

// regView is a .reg file and what it says of counters.
type regView struct {
	*registry.View
	reg *registry.Reg
}

func parseReg(in *detect.Input, o capture.Options) (regView, error) {
	r, err := registry.ParseReg(in.Data, o.Options)
	if err != nil {
		return regView{}, err
	}
	v, err := r.View()
	return regView{v, r}, err
}

// hiveView is a hive and what it says of counters.
type hiveView struct {
	*registry.View
	hive *registry.Hive
}

func openHive(in *detect.Input, o capture.Options) (hiveView, error) {
	h, err := registry.OpenHive(atOf(in), in.Size(), o.Options)
	if err != nil {
		return hiveView{}, err
	}
	v, err := h.View()
	return hiveView{v, h}, err
}

func regFacts(s *Summary, r regView) {
	keys, values, deleted := 0, 0, 0
	for e := range r.reg.Entries() {
		switch {
		case e.Deleted:
			deleted++
		case e.Key:
			keys++
		default:
			values++
		}
	}
	s.fact("encoding", "encoding", r.reg.Encoding())
	s.fact("version", "version", r.reg.Version().String())
	s.fact("lines", "lines", r.reg.NumLines())
	s.fact("keys", "keys", keys)
	s.fact("values", "values", values)
	s.fact("deletions", "deletions", deleted)
	viewFacts(s, r.View)
}

func hiveFacts(s *Summary, h hiveView) {
	s.fact("version", "version", h.hive.Version())
	viewFacts(s, h.View)
}

// viewFacts adds what the registry says of counters.
func viewFacts(s *Summary, v *registry.View) {
	services, languages := []string{}, []string{}
	for i := range v.Providers[:min(len(v.Providers), maxFacts)] {
		services = append(services, v.Providers[i].Service)
	}
	var base, counter, help any
	if p := v.Perflib; p != nil {
		for _, l := range p.Languages[:min(len(p.Languages), maxFacts)] {
			languages = append(languages, l.ID)
		}
		base, counter, help = number(p.Key, registry.BaseIndex), number(p.Key, registry.LastCounter), number(p.Key, registry.LastHelp)
	}
	s.fact("computer", "computer", orNil(v.Computer))
	s.fact("control_set", "controlset", orNil(v.ControlSet))
	s.fact("providers", "providers", services)
	s.fact("base_index", "base index", base)
	s.fact("last_counter", "last name", counter)
	s.fact("last_help", "last help", help)
	s.fact("languages", "languages", languages)
	s.about(table.GroupedPlural(len(services), "provider") + ", " + table.GroupedPlural(len(languages), "language"))
}

func number(k *registry.Key, name string) any {
	if n, ok := k.Value(name).Uint32(); ok {
		return n
	}
	return nil
}

func regContents(c *compare.Collector, r regView) {
	c.Last = true
	for e := range r.reg.Entries() {
		key, value := "["+e.Path+"]", ""
		switch {
		case e.Void:
			continue
		case !e.Key:
			key += " " + strconv.Quote(e.Value.Name)
			if value = "deleted"; !e.Deleted {
				value = valueText(&e.Value)
			}
		case e.Deleted:
			value = "deleted"
		}
		c.Add(key, value)
	}
}

// hiveContents has the values that register counters. Their control set does
// not count.
func hiveContents(c *compare.Collector, h hiveView) {
	c.Part = onlyCounters
	values := func(name string, k *registry.Key) {
		for i := 0; k != nil && i < len(k.Values); i++ {
			v := &k.Values[i]
			c.Add("["+name+"] "+strconv.Quote(v.Name), valueText(v))
		}
	}
	for i := range h.Providers {
		p := &h.Providers[i]
		values(p.Service+`\Performance`, p.Performance)
		values(p.Service+`\Linkage`, p.Linkage)
		values(p.Service+`\Names`, p.Names)
	}
	if h.Perflib != nil {
		values("Perflib", h.Perflib.Key)
	}
}

// valueText returns the type and the data of a value. The texts of two values
// differ if they do: what a text does not say whole is in hex. It makes little
// more than that text, since a value may be nearly all of its file.
func valueText(v *registry.Value) string {
	kind := v.Type.String() + " "
	if n, ok := v.Uint64(); ok {
		return kind + strconv.FormatUint(n, 10)
	}
	text, ended := bytes.CutSuffix(v.Data, []byte{0, 0})
	ended = ended && len(text)%2 == 0 && wire.ValidUTF16(v.Data)
	switch {
	case ended && (v.Type == registry.SZ || v.Type == registry.ExpandSZ) && wire.IndexNUL16(v.Data) == len(text):
		return kind + strconv.Quote(wire.UTF16(text))
	case ended && v.Type == registry.MultiSZ && (len(text) == 0 || bytes.HasSuffix(text, []byte{0, 0})):
		members := []byte(kind + "[")
		for len(text) > 0 {
			n := wire.IndexNUL16(text)
			members = append(strconv.AppendQuote(members, wire.UTF16(text[:n])), ' ')
			text = text[n+2:]
		}
		return string(bytes.TrimSuffix(members, []byte{' '})) + "]"
	default:
		return kind + hex.EncodeToString(v.Data)
	}
}

func hiveSheet(s *sheet, h hiveView) {
	s.title("Registry", h.Anomalies(), "hive")
	s.view(h.View)
}

// regSheet writes what a .reg file says of counters, then its keys with their
// values.
func regSheet(s *sheet, r regView) {
	s.title("Registry", r.Anomalies(), r.reg.Version().String(), r.reg.Encoding())
	s.view(r.View)
	values := &table.Table{Indent: 2, Columns: []table.Column{
		{Max: maxNames}, {Align: table.Right, Min: 5}, {Min: len("REG_EXPAND_SZ")}, {Min: s.Width},
	}}
	var row table.Row
	for e := range r.reg.Entries() {
		if !e.Key {
			values.Measure(row.Reset().Text(cell.Clean(valueName(e.Value.Name))))
		}
	}
	for e := range r.reg.Entries() {
		if s.Err() != nil {
			return
		}
		row.Reset().Text(cell.Clean(valueName(e.Value.Name))).Text(strconv.Itoa(e.Line))
		switch {
		case e.Key && e.Deleted:
			s.Line("\n" + s.Style.Bold(cell.Clean(e.Path)) + "  deleted")
		case e.Key:
			s.Line("\n" + s.Style.Bold(cell.Clean(e.Path)))
		case e.Deleted:
			s.Row(values, row.Text("deleted"))
		default:
			s.Row(values, row.Text(e.Value.Type.String()).Text(cell.Clean(dataText(&e.Value))))
		}
	}
}

// view writes the providers of a registry, and its table of names.
func (s *sheet) view(v *registry.View) {
	s.known("computer", v.Computer)
	s.known("control set", v.ControlSet)
	if p := v.Perflib; p != nil {
		for _, name := range []string{registry.BaseIndex, registry.LastCounter, registry.LastHelp} {
			s.fact(name, numberOf(p.Value(name)))
		}
		var ids []string
		for i := range p.Languages {
			ids = append(ids, p.Languages[i].ID)
		}
		s.fact("languages", strings.Join(ids, ", "))
	}
	if len(v.Providers) == 0 {
		return
	}
	s.providers(func(yield func([]string) bool) {
		for i := range v.Providers {
			p := &v.Providers[i]
			disabled := ""
			if n := p.Disabled(); n != 0 {
				disabled = fmt.Sprint(n)
			}
			if !yield([]string{
				p.Service, numberOf(p.Value(registry.FirstCounter)), numberOf(p.Value(registry.LastCounter)),
				numberOf(p.Value(registry.FirstHelp)), numberOf(p.Value(registry.LastHelp)), disabled, p.Text(registry.Library),
			}) {
				return
			}
		}
	}, rest("library"))
}

// numberOf is a number of the registry, which a damaged one may have as
// something else.
func numberOf(v *registry.Value) string {
	if v == nil {
		return "-"
	}
	if n, ok := v.Uint32(); ok {
		return fmt.Sprint(n)
	}
	return v.Type.String()
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
		return cell.Cut(s, mostData)
	}
	if members, ok := v.List(); ok {
		var b strings.Builder
		for i, s := range members {
			if i > 0 {
				b.WriteString(", ")
			}
			if b.WriteString(s); b.Len() > mostData {
				return cell.Cut(b.String(), mostData) + fmt.Sprintf(" (%d strings)", len(members))
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

package info

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// facts tells of a file that registers counters. What is not known is left
// out.
func (p *printer) facts(facts []capture.Fact, fact func(name, value string)) {
	for _, f := range facts {
		if text := factText(f.Value); text != "" {
			fact(factName(f.Key), text)
		}
	}
}

// factName is a key as people are told it, short enough for its column.
func factName(key string) string {
	switch key {
	case "driver_name":
		return "driver"
	case "symbol_file":
		return "symbols"
	case "largest_offset":
		return "largest"
	case "last_counter":
		return "last name"
	case "schema_version":
		return "schema"
	case "counter_sets":
		return "sets"
	case "control_set":
		return "controlset"
	default:
		return strings.ReplaceAll(key, "_", " ")
	}
}

func factText(v any) string {
	switch v := v.(type) {
	case string:
		return cell.Clean(v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case int:
		return grouped(int64(v))
	case uint32:
		return grouped(int64(v))
	case []string:
		return namesText(v)
	default:
		return ""
	}
}

func namesText(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	var shown []string
	for _, name := range names[:min(len(names), maxLanguages)] {
		shown = append(shown, cell.Clean(name))
	}
	text := grouped(int64(len(names))) + ": " + strings.Join(shown, ", ")
	if n := len(names) - maxLanguages; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// briefly is what a line of a table says of a file.
func briefly(s *capture.Summary) string {
	of := map[string]any{}
	for _, f := range s.Facts {
		of[f.Key] = f.Value
	}
	list := func(key, what string) string {
		names, _ := of[key].([]string)
		return count(len(names), what)
	}
	switch s.Format {
	case detect.INIFile:
		driver, _ := of["driver_name"].(string)
		return fmt.Sprintf("(%s, %s)", orUnknown(cell.Clean(driver)), list("languages", "language"))
	case detect.SymbolH:
		defines, _ := of["defines"].(int)
		return "(" + count(defines, "define") + ")"
	case detect.Manifest:
		return fmt.Sprintf("(%s, %s)", list("providers", "provider"), list("counter_sets", "counter set"))
	default:
		return fmt.Sprintf("(%s, %s)", list("providers", "provider"), list("languages", "language"))
	}
}

// marshalFacts returns the document of a file that registers counters, whose keys
// are those of its facts.
func marshalFacts(d *document, facts []capture.Fact) (string, error) {
	var b []byte
	put := func(key string, v any) error {
		value, err := marshal(v)
		if err != nil {
			return err
		}
		b = fmt.Appendf(b, ",%q:%s", key, value)
		return nil
	}
	all := []capture.Fact{{Key: "file", Value: d.File}, {Key: "format", Value: d.Format}, {Key: "size", Value: d.Size}, {Key: "packed", Value: d.Packed}}
	all = append(append(all, facts...), capture.Fact{Key: "anomalies", Value: d.Anomalies})
	for _, f := range all {
		if err := put(f.Key, f.Value); err != nil {
			return "", err
		}
	}
	b[0] = '{'
	return string(append(b, '}')), nil
}

func marshal(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

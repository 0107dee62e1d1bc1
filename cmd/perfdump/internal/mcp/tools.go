package mcp

import (
	_ "embed" // the tools
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// description is what tools/list says of the tools.
//
//go:embed tools.json
var description []byte

// tool is what a client can call.
type tool struct {
	Name        string
	InputSchema struct {
		Properties map[string]param
		Required   []string
	}
	OutputSchema json.RawMessage // nil for an answer that is text

	verb string // the command line, to which the arguments are added
	cut  cutter // nil where each line of the output is an item
}

// param is an argument: a string, an array of strings, an integer or a boolean.
type param struct {
	Description, Type string
	Enum              []string
	Minimum, Maximum  int
}

func tools() (all []*tool) {
	if err := json.Unmarshal(description, &all); err != nil {
		panic(err) // not of the input
	}
	for _, t := range all {
		switch t.Name {
		case "files":
			t.verb = "info -o json"
		case "overview": // perfdump FILE has no verb
		case "findings":
			t.verb, t.cut = "analyze -o jsonl", findings
		case "series":
			t.verb = "cook --summary -o jsonl"
		case "timeline":
			t.verb, t.cut = "cook -o jsonl", timeline
		case "compare":
			t.verb, t.cut = "compare -o jsonl", notable
		case "explain", "explain_value":
			t.verb = "explain -o json"
		case "doctor":
			t.verb, t.cut = "doctor -o json", findings
		case "check":
			t.verb = "check -o json"
		default:
			t.verb = t.Name
		}
	}
	return all
}

// flags are those that arguments are given to verbs by.
var flags = map[string]string{
	"counters": "--counter", "exclude": "--exclude", "top": "--top", "sort": "--sort", "range": "--range", "element": "--path",
	"from": "--from", "to": "--to", "from_b": "--from-b", "to_b": "--to-b",
}

// line returns the command line of a call. What begins with a dash is no flag there,
// and each path is in one of the folders.
func (t *tool) line(given map[string]any, fs folders) ([]string, error) {
	line := strings.Fields(t.verb)
	values := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p, ok := t.InputSchema.Properties[name]
		if !ok {
			return nil, fmt.Errorf("%s has no argument %q; it takes %s", t.Name, name, strings.Join(slices.Sorted(maps.Keys(t.InputSchema.Properties)), ", "))
		}
		if values[name], ok = p.values(given[name]); !ok {
			return nil, fmt.Errorf("%s is not as tools/list has it: %s", name, p.Description)
		}
		if flag := flags[name]; flag != "" {
			for _, v := range values[name] {
				line = append(line, flag+"="+v)
			}
		}
	}
	for _, name := range t.InputSchema.Required {
		if values[name] == nil {
			return nil, fmt.Errorf("%s needs %s: %s", t.Name, name, t.InputSchema.Properties[name].Description)
		}
	}
	if c := values["counter"]; c != nil && !strings.HasPrefix(c[0], `\`) {
		return nil, fmt.Errorf(`%q is no path of a counter, which begins with \`, c[0])
	}
	if t.Name == "files" && values["paths"] == nil {
		values["paths"] = fs.names()
	}
	line = append(line, "--")
	for _, name := range []string{"paths", "older", "newer", "path"} {
		for _, path := range values[name] {
			found, err := fs.find(path)
			if err != nil {
				return nil, err
			}
			line = append(line, found)
		}
	}
	return slices.Concat(line, values["word"], values["counter"], values["time"]), nil
}

// values returns an argument as words of a command line, and whether it is as its
// schema says.
func (p *param) values(v any) ([]string, bool) {
	switch v := v.(type) {
	case string:
		return []string{v}, v != "" && p.Type == "string" && (p.Enum == nil || slices.Contains(p.Enum, v))
	case float64:
		n := int(v)
		return []string{strconv.Itoa(n)}, p.Type == "integer" && v == float64(n) && n >= p.Minimum && n <= p.Maximum
	case bool:
		return nil, p.Type == "boolean"
	case []any:
		var all []string
		for _, of := range v {
			text, ok := of.(string)
			if !ok || text == "" {
				return nil, false
			}
			all = append(all, text)
		}
		return all, p.Type == "array" && len(all) > 0
	}
	return nil, false
}

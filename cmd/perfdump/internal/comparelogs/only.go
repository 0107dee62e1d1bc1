package comparelogs

import (
	"strings"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/comparison"
)

// group is a machine, an object, an instance or a counter that is only on one side.
type group struct {
	Name     string
	Counters int
}

// maxGroups is how many are listed for people.
const maxGroups = 15

// groups returns what is only on the newer side, or only on the older.
func (c *compared) groups(newer bool) []group {
	there := map[string]bool{} // what the other side has
	for _, x := range c.changes {
		if x.Both() || (x.Newer != nil) != newer {
			for _, part := range parts(x) {
				there[part] = true
			}
		}
	}
	var all []group
	at := map[string]int{}
	for _, x := range c.changes {
		if x.Both() || (x.Newer != nil) != newer {
			continue
		}
		all = count(all, at, parts(x), there)
	}
	return all
}

// parts returns what a counter is part of, from the largest to itself.
func parts(x *comparison.Change) []string {
	l := x.Line()
	host := ""
	if strings.HasPrefix(x.Path, `\\`) {
		host = `\\` + l.Series.Host
	}
	return []string{host, host + `\` + l.Object, strings.TrimSuffix(x.Path, `\`+l.Counter), x.Path}
}

// count counts a counter in the largest part of it that is not there.
func count(all []group, at map[string]int, parts []string, there map[string]bool) []group {
	name := parts[len(parts)-1]
	for _, part := range parts {
		if part != "" && !there[part] {
			name = part
			break
		}
	}
	n, ok := at[name]
	if !ok {
		n, at[name] = len(all), len(all)
		all = append(all, group{Name: name})
	}
	all[n].Counters++
	return all
}

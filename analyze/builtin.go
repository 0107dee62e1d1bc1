package analyze

import (
	"embed"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/perfdump/perfdump"
)

//go:embed rules/*.ini
var files embed.FS

// BuiltIn returns the built-in rules. Their text is in the files of the folder
// rules.
func BuiltIn() *Rules {
	return &Rules{all: slices.Clone(builtIn().all)}
}

var builtIn = sync.OnceValue(func() *Rules {
	all := &Rules{}
	for _, area := range Areas() {
		b, err := files.ReadFile(path.Join("rules", area+".ini"))
		if err != nil {
			continue // an area without rules
		}
		rules, err := Parse(b, perfdump.Options{})
		if err != nil {
			panic(err) // TestBuiltIn reads them
		}
		all.Add(rules)
	}
	return all
})

// String returns the rules as a file for [Parse].
func (r *Rules) String() string {
	var texts []string
	for _, rule := range r.all {
		texts = append(texts, rule.text)
	}
	return strings.Join(texts, "\n")
}

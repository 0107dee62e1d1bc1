package cmdutil

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// namedForms are the outputs that belong to file extensions.
var namedForms = map[string][]string{
	".csv":     {"csv", "pdh-csv"},
	".tsv":     {"pdh-tsv"},
	".json":    {"json", "jsonl"},
	".jsonl":   {"jsonl"},
	".ndjson":  {"jsonl"},
	".parquet": {"parquet"},
	".sql":     {"sql"},
	".om":      {"openmetrics"},
	".prom":    {"openmetrics"},
	".lp":      {"influx"},
	".dat":     {"dat"},
	".reg":     {"reg"},
	".ini":     {"perfstrings"},
}

// namedVerbs are the verbs that belong to other extensions.
var namedVerbs = map[string]string{".svg": "plot", ".html": "report", ".htm": "report"}

// Promised refuses to write a table, the default of -o, into a file whose
// extension belongs to another output.
func Promised(cmd *cobra.Command, write string) error {
	output := cmd.Flags().Lookup("output")
	if output.Changed {
		return nil
	}
	ext := strings.ToLower(filepath.Ext(write))
	e := &UsageError{Text: cmd.Name() + " without -o writes a table for reading, and " + write + " is the name of another format"}
	if verb, ok := namedVerbs[ext]; ok {
		e.Hint = "perfdump " + verb + " writes that"
		return e
	}
	has := strings.Split(output.Value.Type(), "|")
	forms := slices.DeleteFunc(slices.Clone(namedForms[ext]), func(form string) bool { return !slices.Contains(has, form) })
	if len(forms) == 0 {
		return nil
	}
	e.Hint = "add -o " + strings.Join(forms, " or -o ") + ", or -o table"
	return e
}

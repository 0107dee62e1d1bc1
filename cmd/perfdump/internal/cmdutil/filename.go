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
	".html":    {"html"},
	".htm":     {"html"},
}

// namedVerbs are the verbs that belong to extensions, for verbs without that form.
var namedVerbs = map[string]string{".svg": "plot", ".html": "report", ".htm": "report"}

// Promised refuses to write an output into a file whose extension belongs to
// another, except a table that -o asks for.
func Promised(cmd *cobra.Command, write string) error {
	output := cmd.Flags().Lookup("output")
	value := output.Value.String()
	ext := strings.ToLower(filepath.Ext(write))
	verb := namedVerbs[ext]
	has := strings.Split(output.Value.Type(), "|")
	forms := slices.DeleteFunc(slices.Clone(namedForms[ext]), func(form string) bool { return !slices.Contains(has, form) })
	if verb == "" && len(forms) == 0 || slices.Contains(forms, value) || output.Changed && value == output.DefValue {
		return nil
	}
	e := &UsageError{Text: cmd.Name() + " without -o writes a table for reading, but " + write + " is the name of another format"}
	e.Hint = "add -o " + strings.Join(forms, " or -o ") + ", or -o table"
	if output.Changed {
		e.Text = cmd.Name() + " -o " + value + " writes " + value + ", but " + write + " is the name of another format"
		e.Hint = "use -o " + strings.Join(forms, " or -o ") + ", or another name"
	}
	if verb != "" && len(forms) == 0 {
		e.Hint = "perfdump " + verb + " writes that"
	}
	return e
}

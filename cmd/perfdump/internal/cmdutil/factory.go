package cmdutil

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
)

// Factory holds what all verbs need to run.
type Factory struct {
	IO         *iostreams.IOStreams
	ErrorsJSON bool // --errors json
	Progress   *Progress
	Target     string // the file that is written, "" for standard output
	Budget     *Budget
	Version    string // of perfdump, for files that say what wrote them

	// Open opens inputs; nil for os.Open.
	Open func(name string) (*os.File, error)
}

// Note writes a note for people to standard error. With --errors json, which is
// for programs, it writes nothing.
func (f *Factory) Note(format string, args ...any) {
	if !f.ErrorsJSON {
		_, _ = fmt.Fprintf(f.IO.ErrOut, "perfdump: note: "+format+"\n", args...)
	}
}

// maxChoiceWidth is how long the words of a flag may be in front of its description.
const maxChoiceWidth = 30

// Choice registers a flag that takes one of several words.
func Choice(cmd *cobra.Command, p *string, name, short, value, usage string, words ...string) {
	*p = value
	if len(strings.Join(words, "|")) > maxChoiceWidth {
		usage += "; `" + strings.ToUpper(name) + "` is " + strings.Join(words, ", ")
	}
	cmd.Flags().VarP(&choice{p: p, words: words}, name, short, usage)
	completes(cmd, name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

type choice struct {
	p     *string
	words []string
}

func (c *choice) String() string { return *c.p }
func (c *choice) Type() string   { return strings.Join(c.words, "|") }

func (c *choice) Set(s string) error {
	if slices.Contains(c.words, s) {
		*c.p = s
		return nil
	}
	if near, ok := Nearest(s, c.words); ok {
		return fmt.Errorf("did you mean %s? It takes %s", near, strings.Join(c.words, ", "))
	}
	return fmt.Errorf("it takes %s", strings.Join(c.words, ", "))
}

// AtLeastOneFile checks the arguments of verbs that read files.
func AtLeastOneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return &UsageError{
			Text: cmd.Name() + " needs a file",
			Hint: fmt.Sprintf("name files or directories, or - for standard input: perfdump %s capture.bin", cmd.Name()),
		}
	}
	return StdinOnce(cmd, args)
}

// StdinOnce refuses standard input for several files: the second would be found
// empty.
func StdinOnce(cmd *cobra.Command, args []string) error {
	titles, _ := cmd.Flags().GetStringArray("titles") // empty without such a flag
	n := 0
	for _, name := range slices.Concat(args, titles) {
		if name == "-" {
			n++
		}
	}
	if n > 1 {
		return &UsageError{Text: fmt.Sprintf("%s: standard input is named %d times, and can be read only once", cmd.Name(), n), Hint: "name files for the others"}
	}
	return nil
}

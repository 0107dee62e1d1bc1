package cmdutil

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/pdhpath"
)

// completed is a value of a flag, and what completes it.
type completed struct {
	pflag.Value
	complete cobra.CompletionFunc
}

// completes says what completes a flag of cmd.
func completes(cmd *cobra.Command, name string, f cobra.CompletionFunc) {
	flag := cmd.Flags().Lookup(name)
	flag.Value = &completed{flag.Value, f}
	if flag.DefValue == "[]" {
		flag.DefValue = "" // which is said of lists that pflag knows
	}
}

// RegisterCompletions registers what completes the flags of a command and its verbs. cobra
// keeps it, and with it all commands, for as long as the program runs: it is only done for
// a line that is to be completed.
func RegisterCompletions(cmd *cobra.Command) {
	register := func(flag *pflag.Flag) {
		if c, ok := flag.Value.(*completed); ok {
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, c.complete)
		}
	}
	cmd.Flags().VisitAll(register)
	cmd.PersistentFlags().VisitAll(register)
	for _, verb := range cmd.Commands() {
		RegisterCompletions(verb)
	}
}

// complete says what completes the flags of cmd: names of formats, switches
// of the computation, and counters of the files on the line.
func (i *Inputs) complete(cmd *cobra.Command) {
	fixed := func(words func() []string) cobra.CompletionFunc {
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return words(), cobra.ShellCompDirectiveNoFileComp
		}
	}
	for name, f := range map[string]cobra.CompletionFunc{"format": fixed(detect.Names), "cook": fixed(switchWords), "counter": i.counters, "exclude": i.counters} {
		if cmd.Flags().Lookup(name) != nil {
			completes(cmd, name, f)
		}
	}
}

func switchWords() []string {
	var words []string
	for _, s := range countertypes.Switches() {
		for _, v := range s.Values {
			words = append(words, s.Key+"="+v)
		}
	}
	return words
}

// counters completes a path by the counters of the first snapshot of files, for all
// instances, or for each once the path has an instance.
func (i *Inputs) counters(cmd *cobra.Command, files []string, word string) ([]string, cobra.ShellCompDirective) {
	f := &Factory{IO: &iostreams.IOStreams{ErrOut: io.Discard}, ErrorsJSON: true}
	o, err := i.Capture(f)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	if o.Names == nil {
		o.Names = capture.NewNames()
	}
	_, instance, one := strings.Cut(word, "(")
	one = one && !strings.HasPrefix(instance, "*")
	var paths []string
	i.first(cmd.Context(), f, files, o, func(_ *capture.Recording, cells []capture.Cell) bool {
		for i := range cells {
			s := cells[i].Series
			p := pdhpath.Path{Object: s.Object, HasInstance: s.HasInstance, Instance: "*", Counter: s.Counter}
			if one {
				p.Parent, p.Instance, p.Index = s.Parent, s.ShownInstance(), s.InstanceIndex
			}
			if path := cell.Clean(p.String()); len(path) >= len(word) && strings.EqualFold(path[:len(word)], word) {
				paths = append(paths, path)
			}
		}
		return false
	})
	slices.Sort(paths)
	return slices.Compact(paths), cobra.ShellCompDirectiveNoFileComp
}

package cmdutil

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The headings that flags stand under in help, where they are not the verb's own.
const (
	groupChoice = "Which times and counters"
	groupValues = "How values are computed"
	groupInputs = "How inputs are read"
)

const groupKey = "group"

// group puts the flags that register adds under a heading.
func group(cmd *cobra.Command, heading string, register func()) {
	flags := cmd.Flags()
	flags.SortFlags = false // in the order in which they come
	n, was, of := 0, 0, map[string][]string{groupKey: {heading}}
	flags.VisitAll(func(*pflag.Flag) { was++ })
	register()
	flags.VisitAll(func(f *pflag.Flag) {
		if n++; n > was {
			f.Annotations = of
		}
	})
	flags.SortFlags = true
}

// FlagGroup is flags under a heading of help.
type FlagGroup struct {
	Heading string
	*pflag.FlagSet
}

// FlagGroups returns the flags of cmd by their headings.
func FlagGroups(cmd *cobra.Command) []FlagGroup {
	var groups []FlagGroup
	for _, heading := range []string{"Flags", groupChoice, groupValues, groupInputs} {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			of := "Flags"
			if named := f.Annotations[groupKey]; len(named) > 0 {
				of = named[0]
			}
			if of == heading {
				set.AddFlag(f)
			}
		})
		if set.HasAvailableFlags() {
			groups = append(groups, FlagGroup{heading, set})
		}
	}
	return groups
}

package root

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// help is the verb help. Unlike cobra's it fails on a word that it does not
// know.
func help(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB or TOPIC]",
		Short: "Tell about a verb or a topic",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err == nil && len(rest) == 0 {
				cmd.InitDefaultHelpFlag()
				return cmd.Help()
			}
			e := cmdutil.Usagef("no help on %q", strings.Join(args, " "))
			var words []string
			for _, c := range root.Commands() {
				words = append(words, c.Name())
			}
			e.Hint = "there is help on: " + strings.Join(words, ", ")
			if near, ok := cmdutil.Nearest(args[0], words); ok {
				e.Hint = "did you mean " + near + "?"
			}
			return e
		},
	}
}

// exitCodes is a help topic.
func exitCodes() *cobra.Command {
	return &cobra.Command{
		Use:   "exit-codes",
		Short: "What the exit codes mean",
		Long: `Exit codes of perfdump:

  0    all is fine
  1    findings: check met anomalies
  2    some input could not be read, or is malformed; the others were done.
       It goes before 1.
  3    the command line is wrong, or asks for a verb that the format of a file
       does not have
  130  interrupted by Ctrl-C

A reader that closes the pipe, as head does, is no error.`,
	}
}

// usageTemplate is what stands below the text of a help.
const usageTemplate = `Usage:
  {{if .HasParent}}{{.UseLine}}{{else}}perfdump VERB FILE... [flags]{{end}}
{{- if .HasAvailableSubCommands}}

Verbs:
{{- range .Commands}}{{if or .IsAvailableCommand (eq .Name "help")}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}
{{- if .HasHelpSubCommands}}

Help topics:
{{- range .Commands}}{{if .IsAdditionalHelpTopicCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}
{{- if .HasExample}}

Examples:
{{.Example}}{{end}}
{{- if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
{{- if .HasAvailableInheritedFlags}}

Flags of all verbs:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
{{- if .HasAvailableSubCommands}}

"perfdump help VERB" tells more about a verb.{{end}}
`

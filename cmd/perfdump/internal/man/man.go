// Package man is the verb that writes the manual pages.
package man

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/version"
)

// Options holds the flags of man.
type Options struct {
	*cmdutil.Factory

	Dir string
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "man [VERB or TOPIC]",
		Short: "Write the manual pages, all or one",
		Long: `Man writes manual pages as man reads them. They are made from the same texts as
the help, so that both say the same.

Without -w it writes one page to standard output: that of perfdump itself, or of
the verb or the help topic named. With -w it writes all of them to a directory,
in the folders man1 and man7, and prints their names.`,
		Example: `  # Read the page of a verb: perfdump man dump | man -l -
  perfdump man dump

  # Install all pages for the user
  perfdump man -w "${TMPDIR:-/tmp}/man"`,
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range pages(cmd.Root()) {
				if c.HasParent() {
					names = append(names, c.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), o, cmd.Root(), args) },
	}
	cmd.Flags().StringVarP(&o.Dir, "write", "w", "", "write all pages to `DIR`/man1 and man7")
	return cmd
}

func run(ctx context.Context, o *Options, root *cobra.Command, words []string) error {
	if o.Dir != "" && len(words) > 0 {
		return &cmdutil.UsageError{Text: "man: -w writes all pages", Hint: "leave out " + words[0] + ", or -w for that page alone"}
	}
	if o.Dir != "" {
		return o.all(ctx, root)
	}
	cmd, err := find(root, words)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(cmdutil.Output(ctx, o.IO.Out), page(cmd, version.Text())); err != nil {
		return err
	}
	if o.IO.StdoutTTY() {
		o.Note("this is for man to read: %s | man -l -", strings.TrimSpace("perfdump man "+strings.Join(words, " ")))
	}
	return nil
}

// find returns the command of a requested page.
func find(cmd *cobra.Command, words []string) (*cobra.Command, error) {
	for _, word := range words {
		below := slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool { return !hasPage(c) })
		if i := slices.IndexFunc(below, func(c *cobra.Command) bool { return c.Name() == word }); i >= 0 {
			cmd = below[i]
			continue
		}
		var names []string
		for _, c := range below {
			names = append(names, c.Name())
		}
		e := cmdutil.Usagef("man: there is no page on %q", strings.Join(words, " "))
		e.Hint = "there are pages on " + strings.Join(names, ", ")
		if near, ok := cmdutil.Nearest(word, names); ok {
			e.Hint = "did you mean " + near + "?"
		} else if len(names) == 0 {
			e.Hint = cmd.CommandPath() + " has no verbs"
		}
		return nil, e
	}
	return cmd, nil
}

// all writes the pages of all commands to the directory.
func (o *Options) all(ctx context.Context, root *cobra.Command) error {
	out := cmdutil.Output(ctx, o.IO.Out)
	for _, cmd := range pages(root) {
		if err := ctx.Err(); err != nil {
			return err
		}
		dir := filepath.Join(o.Dir, "man"+section(cmd))
		if err := os.MkdirAll(dir, 0o777); err != nil { //nolint:gosec // the umask says who may read it
			return fmt.Errorf("%w: %w", cmdutil.ErrOutput, err)
		}
		name := filepath.Join(dir, pageName(cmd)+"."+section(cmd))
		if err := cmdutil.WriteFile(name, func(w io.Writer) error { _, err := io.WriteString(w, page(cmd, version.Text())); return err }); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, name); err != nil {
			return err
		}
	}
	return nil
}

// pages returns cmd and all commands below it that have a page.
func pages(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		if hasPage(c) {
			all = append(all, pages(c)...)
		}
	}
	return all
}

func hasPage(cmd *cobra.Command) bool {
	return cmd.Name() != "help" && (cmd.IsAvailableCommand() || cmd.IsAdditionalHelpTopicCommand())
}

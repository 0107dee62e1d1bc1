// Package version is the verb that says which build of perfdump this is.
package version

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// Options are those of version: it has none of its own.
type Options struct{ *cmdutil.Factory }

// NewCmd returns the command. runF is run in the place of the verb, for tests.
func NewCmd(f *cmdutil.Factory, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Factory: f}
	return &cobra.Command{
		Use:     "version",
		Short:   "Say which build this is",
		Example: "  perfdump version",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return run(cmd.Context(), o)
		},
	}
}

func run(ctx context.Context, o *Options) error {
	_, err := fmt.Fprintf(cmdutil.Output(ctx, o.IO.Out), "perfdump %s %s/%s %s\n", Text(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	return err
}

// Text returns the version, with the revision where it was built from a
// checkout.
func Text() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	text := info.Main.Version
	if text == "" {
		text = "(devel)"
	}
	var revision, dirty string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = ", modified"
		}
	}
	if revision != "" && text == "(devel)" {
		text += " (" + revision + dirty + ")"
	}
	return text
}

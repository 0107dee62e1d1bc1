// Package version is the verb that says which build of perfdump this is.
package version

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
)

// The linker sets these in releases (.goreleaser.yaml). Elsewhere they are
// empty, and what go noted in the binary counts.
var release, commit, date string

// Options holds the flags of version: it has none of its own.
type Options struct{ *cmdutil.Factory }

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	return &cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
		Long: `Version says which build of perfdump this is: its version, the commit and the
date of its source where they are known, the Go that built it, and the system.`,
		Example: "  perfdump version",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), o)
		},
	}
}

func run(ctx context.Context, o *Options) error {
	_, err := fmt.Fprintln(cmdutil.Output(ctx, o.IO.Out), Line())
	return err
}

// Text returns the version alone.
func Text() string { return this().version }

// Line returns all that is known of this build.
func Line() string {
	b := this()
	source := ""
	if b.commit != "" {
		source = " (" + strings.TrimSpace("commit "+b.commit+" "+b.date) + ")"
	}
	return fmt.Sprintf("perfdump %s%s %s %s/%s", b.version, source, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// build is where a binary comes from. Only the version is never empty.
type build struct{ version, commit, date string }

func this() build {
	if release != "" {
		return build{release, short(commit), date}
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return build{version: "(unknown)"}
	}
	return of(info)
}

// of returns what go noted of a build: the commit where it was built in a
// checkout, the version alone where it was installed by its module's path.
func of(info *debug.BuildInfo) build {
	b := build{version: info.Main.Version}
	if b.version == "" {
		b.version = "(devel)"
	}
	modified := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = short(s.Value)
		case "vcs.time":
			b.date = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if modified && b.commit != "" {
		b.commit += ", modified,"
	}
	return b
}

// short cuts a commit to as much of it as one types.
func short(commit string) string { return commit[:min(len(commit), 12)] }

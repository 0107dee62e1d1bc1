// Package mcp is the verb that serves folders to an assistant, by the Model Context
// Protocol on standard input and output. docs/mcp.md says how to add it to one.
//
// A tool is a command line of another verb and how its output is cut into items; the
// table of them is in tools.go. A call runs in the process, on the same command tree,
// and opens no file outside the folders (TestConfined). No input ends the server or
// makes it take memory without bound, and each request has one answer (FuzzMCP).
package mcp

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
)

// Runner runs a command line, which opens its inputs by open, and returns its exit code.
type Runner func(ctx context.Context, io *iostreams.IOStreams, open func(string) (*os.File, error), args []string) int

// Options holds what mcp needs: it has no flags of its own.
type Options struct {
	*cmdutil.Factory

	Folders []string
	Run     Runner
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory, run Runner) *cobra.Command {
	o := &Options{Factory: f, Run: run}
	return &cobra.Command{
		Use:   "mcp DIR...",
		Short: "Let an assistant ask about the files in folders",
		Long: `Mcp is a server of the Model Context Protocol on standard input and output. An
assistant starts it and asks: which files there are, what was wrong with a
machine, which counters were high, how they went over time, what differs between
two recordings, what a code or a value means, what a byte is. docs/mcp.md says
how to add it to the common assistants.

It reads only files in the folders that are named, whatever the assistant asks:
no path and no link leads out of them. It changes no file and opens no network
connection. What it answers goes to the assistant, and with that to whoever runs
its model.

An answer has up to 8,000 characters, or max_chars, and says how to get more.
The server ends with its input.`,
		Example: `  # The tools, as the protocol describes them; an assistant starts the same
  echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | perfdump mcp testdata/story`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Folders = args
			return serve(cmd.Context(), o)
		},
	}
}

func serve(ctx context.Context, o *Options) error {
	if len(o.Folders) == 0 {
		return &cmdutil.UsageError{Text: "mcp needs a folder", Hint: "name those that the assistant may read: perfdump mcp /logs"}
	}
	fs, err := newFolders(o.Folders)
	if err != nil {
		return cmdutil.Usagef("mcp: %v", err)
	}
	if o.IO.StdoutTTY() {
		o.Note("waiting for a client of the Model Context Protocol on standard input; docs/mcp.md says how to add this to an assistant")
	}
	return newServer(ctx, o, fs).serve(o.IO.In)
}

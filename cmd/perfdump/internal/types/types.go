// Package types is the verb that explains counter types.
package types

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
)

// Options holds the flags of types.
type Options struct {
	*cmdutil.Factory

	Output string
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "types [NAME or HEX]...",
		Short: "Explain the counter types: bits, formula, base",
		Long: `Types lists the counter types that have a name, or explains one: its bits
field by field, the formula of its value, the base it needs, how many samples,
and how a value of it is shown. The type of a counter says what its raw number
means; dump shows it next to each counter.

NAME is a name in any case, with or without PERF_ at its start. HEX is a number
that begins with 0x; eight digits need no 0x where they are a type with a name.
Decimal numbers also work. A number without a name is explained too.

The exit code is 3 if a name is unknown.

Keys of -o json, an object a line for each type:
  name              null if it has none
  hex, number
  aliases           other names in use for it
  doc, formula, base, suffix
                    base is what it needs as one, "" for nothing
  samples           how many its value needs; 0 if it has no value
  supported         false where it is not computed
  hidden            true where lists leave it out: bases, labels
  fields            [{"bits", "mask", "value", "name", "meaning"}]`,
		Example: `  # All types
  perfdump types

  # What the type of a counter says
  perfdump types 0x21510500
  perfdump types average_timer`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), o, args) },
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", "table", "json")
	return cmd
}

func run(ctx context.Context, o *Options, args []string) error {
	p := &printer{table.NewPrinter(cmdutil.Output(ctx, o.IO.Out), table.Options{Width: o.IO.Width(), Color: o.IO.Color()})}
	var wanted []countertypes.Type
	for _, arg := range args {
		t, err := parse(arg)
		if err != nil {
			return err
		}
		wanted = append(wanted, t)
	}
	if o.Output == "json" {
		if len(wanted) == 0 {
			for info := range countertypes.All() {
				wanted = append(wanted, info.Type)
			}
		}
		for _, t := range wanted {
			p.JSON(describe(t))
		}
		return p.Flush()
	}
	if len(wanted) == 0 {
		p.all()
	}
	for i, t := range wanted {
		if i > 0 {
			p.Line("")
		}
		p.list(t)
	}
	return p.Flush()
}

// parse reads a type. Eight digits without 0x are hex if they have a name only
// as such.
func parse(arg string) (countertypes.Type, error) {
	t, err := countertypes.Parse(arg)
	if n, hexErr := strconv.ParseUint(arg, 16, 32); hexErr == nil && len(arg) == 8 {
		_, named := countertypes.Lookup(t)
		_, hexNamed := countertypes.Lookup(countertypes.Type(n))
		if err != nil || !named && hexNamed {
			return countertypes.Type(n), nil
		}
	}
	if err == nil {
		return t, nil
	}
	e := cmdutil.Usagef("types: no counter type is called %q", cell.Cut(cell.Clean(arg), 60))
	e.Hint = "perfdump types lists them; write a number with 0x before it"
	all := names()
	for _, name := range all {
		all = append(all, strings.TrimPrefix(name, prefix))
	}
	if parts := containing(arg); len(parts) > 0 {
		e.Hint = "did you mean " + strings.Join(parts, ", ") + "?"
	} else if near, ok := cmdutil.Nearest(arg, all); ok {
		e.Hint = "did you mean " + near + "?"
	}
	return 0, e
}

// containing returns the names that contain s, unless there are too many.
func containing(s string) []string {
	var found []string
	for _, name := range names() {
		if strings.Contains(name, strings.ToUpper(s)) {
			found = append(found, name)
		}
	}
	if len(s) < 3 || len(found) > 8 {
		return nil
	}
	return found
}

func names() []string {
	var names []string
	for info := range countertypes.All() {
		names = append(names, info.Name)
	}
	return names
}

const prefix = "PERF_"

func hex(n uint32) string { return fmt.Sprintf("0x%08X", n) }

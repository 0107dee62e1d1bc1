// Package types is the verb that explains counter types.
package types

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// Options are the flags of types.
type Options struct {
	*cmdutil.Factory

	Types  []string
	Output string
}

// NewCmd returns the command. runF is run in the place of the verb, for tests.
func NewCmd(f *cmdutil.Factory, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "types [NAME or HEX]...",
		Short: "Explain the counter types: bits, formula, base",
		Long: `Types lists the counter types that have a name, or takes one apart: its bits
field by field, the formula of its value, the base it needs, how many samples,
and how a value of it is shown. The type of a counter says what its raw number
means; dump shows it beside each counter.

NAME is a name in any case, with or without PERF_ in front. HEX is a number with
0x in front; eight digits do without it where they are a type that has a name.
Decimal numbers do as well. A number without a name is taken apart, too.

It exits with 3 where a name is unknown.

Keys of -o json, an object a line for each type:
  name              null where it has none
  hex, number
  aliases           other names in use for it
  doc, formula, base, suffix
                    base is what it needs as one, "" for nothing
  samples           how many its value needs; 0 where it has none
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
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Types = args
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", "table", "json")
	return cmd
}

func run(ctx context.Context, o *Options) error {
	p := &printer{w: cmdutil.Output(ctx, o.IO.Out), width: o.IO.Width(), style: cell.Style{On: o.IO.Color()}}
	var wanted []countertypes.Type
	for _, arg := range o.Types {
		t, err := parse(arg)
		if err != nil {
			return err
		}
		wanted = append(wanted, t)
	}
	switch {
	case o.Output == "json":
		if len(wanted) == 0 {
			for info := range countertypes.All() {
				wanted = append(wanted, info.Type)
			}
		}
		for _, t := range wanted {
			p.json(t)
		}
	case len(wanted) == 0:
		p.table()
	default:
		for i, t := range wanted {
			if i > 0 {
				p.line("")
			}
			p.list(t)
		}
	}
	return p.err
}

// parse reads a type. Eight digits without 0x are hex where only so they have
// a name.
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
	e.Hint = "perfdump types lists them; a number goes with 0x in front"
	if parts := containing(arg); len(parts) > 0 {
		e.Hint = "did you mean " + strings.Join(parts, ", ") + "?"
	} else if near, ok := cmdutil.Nearest(arg, append(names(), short()...)); ok {
		e.Hint = "did you mean " + near + "?"
	}
	return 0, e
}

// containing returns the names that s is a part of, unless it is one of most.
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

func short() []string {
	all := names()
	for i, name := range all {
		all[i] = strings.TrimPrefix(name, prefix)
	}
	return all
}

func hex(n uint32) string { return fmt.Sprintf("0x%08X", n) }

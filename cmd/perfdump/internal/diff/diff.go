// Package diff is the verb that compares two captures, two tables of names, or
// two files that register counters.
package diff

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/compare"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
)

// Options holds the flags of diff.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	Older, Newer string
	Output       string
	Counters     []string
	Query        string
	All          bool
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "diff OLDER NEWER",
		Short:      "Show what was added, removed and changed between two files",
		SuggestFor: []string{"compare"},
		Long: `Diff compares two captures, of one machine or of two. It shows the headers and
the objects, counters and instances that were added (+), removed (-) or changed
(~), with the older value, the newer value, and the difference. Two tables of
names are compared entry by entry, two tables of IPC control blocks of the CLR
chunk by chunk: which runtime was added or removed, and which counters changed.
Of two process dumps only these tables are compared. Files that register
counters (inifile, symbolh, reg, hive, manifest, perfstrings) are compared by
their keys, defines, values or counters. Comments and order do not count. Of a
hive only what registers counters is compared.

Objects are matched by title index, counters by title index and type, instances
by UniqueID if they have one, else by name and process ID: a svchost with
itself, whatever its #n. Instances that are still unmatched are compared with
those of the same name, in order. The line then says that it is another process,
and its values have no difference.

Only content is compared, not the order of things or the padding between them.
If files differ only in such bytes, diff says how many. Files of several blocks
are compared block by block.

With -c or --query only what they select is compared. The times of the captures,
which always differ, do not count then.

The exit code is 0 if nothing differs, 1 if something does, 2 if a file cannot
be read, 3 for files that cannot be compared.

One of the files may be - for standard input; both may be packed by gzip or
zstd.

Outputs (-o):
  table   for reading; each object is cut to fit a screen, with the number of
          lines left out (--all shows them)
  json    one document with everything
  jsonl   a line of JSON for each difference

Keys of -o json, for captures:
  format, older, newer   the files: file, size
  blocks                 for each pair of blocks:
    block, change        position; both, or gone or new if one file has no
                         such block
    older, newer         host, time; null if there is no such block
    interval             seconds from the older to the newer one
    header               fields: field, older, newer, delta
    objects              change, index, name; for changed ones also
      fields             as in header
      counters           definitions: change, index, name, base_of, type, fields
      instances          change, name, parent, instance_index, unique_id,
                         replaced (now another process or thread), fields,
                         values
        values           counter, counter_index, base_of, type, older, newer,
                         delta; older_multi, newer_multi if a count follows the
                         value
  bytes                  null, or how files with the same content differ: count,
                         first (offset), path, fields (whether any is in one)
  summary                how many of what differ
  partial                true if not all could be read
  same                   true or false
For tables of names: header, and entries: change, index, older, newer. For files
of text the same, with key instead of index. For IPC control blocks: header, and
chunks: change, index, older and newer (state, arch, runtime_id, pid), fields,
values (section, field, category, counter, older, newer, delta). For process
dumps also layout, of the table. In jsonl each line has: what (header, block,
object, object-field, counter, instance, value, bytes, entry, chunk,
chunk-field), block, change, object (a name), instance (a name), and the keys of
the thing as above. A number's delta is exact. Numbers that are no integers,
texts and bytes have none.`,
		Example: `  # What has happened between two dumps, by names
  perfdump diff testdata/captures/small.bin testdata/captures/small-next.bin || true

  # What one process has done in the meantime
  perfdump diff testdata/captures/small.bin testdata/captures/small-next.bin -c '\Process(System)\*' || true

  # The values that fell
  perfdump diff -o jsonl testdata/captures/small.bin testdata/captures/small-next.bin | grep '"delta":-'

  # A file and the same, packed, from standard input
  gzip -c testdata/captures/small.bin | perfdump diff testdata/captures/small.bin -`,
		Args: twoFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Older, o.Newer = args[0], args[1]
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", "table", "json", "jsonl")
	cmd.Flags().StringArrayVarP(&o.Counters, "counter", "c", nil, "only the counters of `PATH`, by their names in the input or in English; may be repeated")
	cmd.Flags().StringVar(&o.Query, "query", "", "only what the registry would answer to `QUERY`: Global, MetadataGlobal, or title indexes such as '2 238'")
	cmd.Flags().BoolVar(&o.All, "all", false, "show all differences in the table")
	o.AddFlags(cmd)
	return cmd
}

const twoNames = "name the older file, then the newer one: perfdump diff before.bin after.bin"

func twoFiles(_ *cobra.Command, args []string) error {
	switch {
	case len(args) < 2:
		return &cmdutil.UsageError{Text: "diff needs two files", Hint: twoNames}
	case len(args) > 2:
		return &cmdutil.UsageError{Text: fmt.Sprintf("diff compares two files, not %d", len(args)), Hint: twoNames}
	case args[0] == "-" && args[1] == "-":
		return &cmdutil.UsageError{Text: "both files are standard input, which can be read only once", Hint: "name a file for one of them"}
	}
	for _, arg := range args {
		if info, err := os.Stat(arg); err == nil && info.IsDir() {
			return &cmdutil.UsageError{Text: arg + " is a directory; diff compares two files", Hint: twoNames}
		}
	}
	return nil
}

// selective reports whether only some counters are requested.
func (o *Options) selective() bool { return len(o.Counters) > 0 || o.Query != "" }

func run(ctx context.Context, o *Options) error {
	if slices.Contains(o.Titles, "-") && (o.Older == "-" || o.Newer == "-") {
		return &cmdutil.UsageError{Text: "both a file and --titles are standard input, which can be read only once", Hint: "name a file for one of them"}
	}
	co, err := o.Capture(o.Factory)
	if err != nil {
		return err
	}
	selection := cmdutil.Selection{Counters: o.Counters, Query: o.Query}
	if err := selection.Apply(&co); err != nil {
		return err
	}
	d := &differ{ctx: ctx, o: o, co: co}
	defer d.close()
	if err := d.open(); err != nil {
		return err
	}
	return d.run()
}

// differ is one run of the verb.
type differ struct {
	ctx          context.Context //nolint:containedctx // a run has one
	o            *Options
	co           capture.Options
	older, newer *detect.Input
	format       *formats.Format // of both
	p            compare.Printer
	t            compare.Total
	begun        bool // something is written
	failed       bool
	shown        bool // something is selected
	empty        cmdutil.Choices
}

func (d *differ) close() {
	for _, in := range []*detect.Input{d.older, d.newer} {
		if in != nil {
			_ = in.Close()
		}
	}
}

// open opens both files. It reports both if both are bad.
func (d *differ) open() error {
	o, err := d.o.Detect(d.o.Factory)
	if err != nil {
		return err
	}
	for _, side := range []struct {
		name string
		in   **detect.Input
	}{{d.o.Older, &d.older}, {d.o.Newer, &d.newer}} {
		*side.in, err = detect.Open(side.name, o)
		if d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		if err == nil && (*side.in).Size() == 0 {
			err = cmdutil.Empty() // a file of a named format is not sniffed
		}
		if err == nil {
			d.o.Budget.Read((*side.in).Size())
		}
		if err != nil {
			d.o.Report(side.name, err)
			d.failed = true
			if d.o.FailFast {
				break
			}
		}
	}
	if d.failed {
		return cmdutil.ErrInput
	}
	return d.comparable()
}

// comparable checks that the two can be compared.
func (d *differ) comparable() error {
	a, b := d.older.Format, d.newer.Format
	if a != b {
		e := &cmdutil.UsageError{
			Text: fmt.Sprintf("%s is %s, %s is %s: only files of the same format can be compared", name(d.older), a, name(d.newer), b),
			Hint: "`perfdump info` says what each holds; --format reads both as the format that you name",
		}
		if formats.Of(a).Names != nil && formats.Of(b).Captures || formats.Of(b).Names != nil && formats.Of(a).Captures {
			e.Hint = "to show a capture with the names of a table, name the table with --titles"
		}
		return e
	}
	f := formats.Of(a)
	switch {
	case f.Contents == nil && !f.Captures:
		err := &formats.NoVerbError{Verb: "diff", Format: a}
		d.o.Report(d.older.Name, &perfdump.FormatError{Code: perfdump.CodeUnknownFormat, Off: -1, Err: err})
		return cmdutil.ErrNoVerb
	case d.o.Query != "" && f.Look != nil:
		return &cmdutil.UsageError{Text: "--query is for answers of the registry, and these are IPC control blocks", Hint: `-c chooses counters: -c '\.NET CLR Memory\*'`}
	case d.o.selective() && f.Look == nil && !f.Captures:
		return &cmdutil.UsageError{Text: "-c and --query are for captures, and these are files of the format " + string(a), Hint: "leave them out"}
	}
	d.format = f
	return nil
}

func name(in *detect.Input) string { return cmdutil.FileName(in.Name) }

func (d *differ) run() error {
	out := cmdutil.Output(d.ctx, d.o.IO.Out)
	switch d.o.Output {
	case "json":
		d.p = compare.NewJSON(out)
	case "jsonl":
		d.p = compare.NewLines(out)
	default:
		d.p = compare.NewTable(out, compare.TableOptions{
			Options: table.Options{Width: d.o.IO.Width(), Cut: d.o.IO.StdoutTTY(), Color: d.o.IO.Color()},
			Older:   name(d.older), Newer: name(d.newer), All: d.o.All,
		})
	}
	d.t.Partial = d.o.selective()
	compared := d.contents
	if d.format.Captures {
		compared = d.captures
	}
	err := compared()
	if err != nil && !errors.Is(err, cmdutil.ErrInput) {
		return err
	}
	if d.begun {
		if d.end(); d.t.Nothing && !d.failed {
			return d.o.NothingMatches(d.o.Counters, d.o.Query, d.empty.Advice(d.o.Counters))
		}
		d.p.End()
	}
	if err := d.p.Flush(); err != nil {
		return err
	}
	d.advise()
	switch {
	case d.failed:
		return cmdutil.ErrInput
	case d.t.Any():
		return cmdutil.ErrFindings
	default:
		return nil
	}
}

// advise notes what to try next, and what to consider.
func (d *differ) advise() {
	if d.t.Machines[0] != d.t.Machines[1] && d.t.Any() {
		d.o.Note("two machines, %s and %s: from index 1848 on the same title index may mean different things on them", quoteHost(d.t.Machines[0]), quoteHost(d.t.Machines[1]))
	}
	if d.t.Backwards && d.t.Any() && d.t.Machines[0] == d.t.Machines[1] {
		d.o.Note("the second file is the older one; to see what happened: perfdump diff %s %s", cmdutil.Quoted([]string{d.o.Newer}), cmdutil.Quoted([]string{d.o.Older}))
	}
	if d.shown && d.format.Captures {
		d.o.AdviseUnused(d.ctx, d.o.Factory, []string{d.o.Older}, d.co, d.co.Filter)
	}
	if d.o.Output == "table" {
		d.o.NoteUnnamed(d.co.Names, len(d.t.Numbers))
	}
}

func quoteHost(host string) string {
	if host == "" {
		return "one without a name"
	}
	return cmdutil.Quoted([]string{strings.TrimSpace(host)})
}

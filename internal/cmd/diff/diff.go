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
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/perfdata"
)

// Options are the flags of diff.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	Older, Newer string
	Output       string
	Counters     []string
	Query        string
	All          bool
}

// NewCmd returns the command. runF is run in the place of the verb, for tests.
func NewCmd(f *cmdutil.Factory, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:        "diff OLDER NEWER",
		Short:      "Show what came, went and changed between two files",
		SuggestFor: []string{"compare"},
		Long: `Diff compares two captures of one machine, or of two: what the headers tell, and
the objects, counters, instances that came (+), went (-) or changed (~), with
the older value, the newer one, and by how much it has changed. Two tables of
names are compared entry by entry, two tables of IPC control blocks of the CLR
chunk by chunk: which runtime came or went, and which counters changed. Of two
process dumps these tables are compared, and nothing else. Files that register
counters (inifile, symbolh, reg, hive, manifest, perfstrings) are compared by
what they say: keys, defines, values, counters; comments and the order do not
count, and of a hive only what registers counters.

Objects are matched by title index, counters by title index and type, instances
by UniqueID if they have one, else by name: the second svchost with the second.
Where that is another process by now, by its ID Process, the line says so.

What is compared is content: neither the order of things nor the padding between
them. Files that are alike but for such bytes are told with the number of those.
Files of several blocks are compared block by block.

With -c or --query only what they select is compared; clocks, which always run
on, do not count then.

It exits with 0 where nothing differs, 1 where something does, 2 where a file
cannot be read, 3 for files that cannot be compared.

One of the files may be - for standard input; both may be packed by gzip or
zstd.

Outputs (-o):
  table   for reading; of each object as much as fits a screen, the rest counted
          (--all shows it)
  json    one document with everything
  jsonl   a line of JSON for each difference

Keys of -o json, for captures:
  format, older, newer   the files: file, size
  blocks                 for each pair of blocks:
    block, change        position; both, or gone or new where one file has no
                         such block
    older, newer         host, time; null where there is no such block
    interval             seconds from the older to the newer one
    header               fields: field, older, newer, delta
    objects              change, index, name; for changed ones also
      fields             as in header
      counters           definitions: change, index, name, base_of, type, fields
      instances          change, name, parent, instance_index, unique_id,
                         replaced (another process or thread by now), fields,
                         values
        values           counter, counter_index, base_of, type, older, newer,
                         delta; older_multi, newer_multi where a count stands
                         behind the value
  bytes                  null, or how files of the same content differ: count,
                         first (offset), path, fields (whether any is in one)
  summary                how many of what differ
  partial                true where not all could be read
  same                   true or false
For tables of names: header, and entries: change, index, older, newer; for files
of text the same with key in the place of index. For IPC
control blocks: header, and chunks: change, index, older and newer (state, arch,
runtime_id, pid), fields, values (section, field, category, counter, older,
newer, delta); for process dumps also layout, of the table. In jsonl
each line has: what (header, block, object, object-field, counter, instance,
value, bytes, entry, chunk, chunk-field), block, change, object (a name),
instance (a name), and the keys of the thing as above.
A number's delta is exact. Numbers that are no integers, texts and bytes have
none.`,
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
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", "table", "json", "jsonl")
	cmd.Flags().StringArrayVarP(&o.Counters, "counter", "c", nil, "only the counters of `PATH`; may be repeated")
	cmd.Flags().StringVar(&o.Query, "query", "", "only what the registry would answer to `QUERY`: Global, MetadataGlobal, or title indexes such as '2 238'")
	cmd.Flags().BoolVar(&o.All, "all", false, "everything that differs in the table")
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
		return &cmdutil.UsageError{Text: "both files are standard input, which can be read once", Hint: "name a file for one of them"}
	}
	for _, arg := range args {
		if info, err := os.Stat(arg); err == nil && info.IsDir() {
			return &cmdutil.UsageError{Text: arg + " is a directory; diff compares two files", Hint: twoNames}
		}
	}
	return nil
}

// selective reports whether only some counters are asked for.
func (o *Options) selective() bool { return len(o.Counters) > 0 || o.Query != "" }

func run(ctx context.Context, o *Options) error {
	if slices.Contains(o.Titles, "-") && (o.Older == "-" || o.Newer == "-") {
		return &cmdutil.UsageError{Text: "both a file and --titles are standard input, which can be read once", Hint: "name a file for one of them"}
	}
	co, err := o.Capture(o.Factory)
	if err != nil {
		return err
	}
	co.Filter, err = capture.NewFilter(o.Counters...)
	if err != nil {
		return &cmdutil.UsageError{
			Text: fmt.Sprintf("--counter: %v", err),
			Hint: `a path looks like \Processor(*)\% Processor Time, or \System\*; quote it for the shell`,
		}
	}
	if co.Query, err = perfdata.ParseQuery(o.Query); err != nil {
		return &cmdutil.UsageError{Text: "--query: " + cmdutil.AsFormatError(err).Message()}
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
	p            printer
	t            total
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

// open opens both files, and tells of both where both are bad.
func (d *differ) open() error {
	o, err := d.o.Detect(d.o.Factory)
	if err != nil {
		return err
	}
	for _, side := range []struct {
		name string
		in   **detect.Input
	}{{d.o.Older, &d.older}, {d.o.Newer, &d.newer}} {
		*side.in, err = detect.OpenAny(side.name, o)
		if d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		if err == nil && (*side.in).Size() == 0 {
			err = cmdutil.Empty() // a format that was named lets it through
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

// comparable checks that the two can be held against each other.
func (d *differ) comparable() error {
	a, b := d.older.Format, d.newer.Format
	if a != b {
		e := &cmdutil.UsageError{
			Text: fmt.Sprintf("%s is %s, %s is %s: only two files of one format can be compared", name(d.older), a, name(d.newer), b),
			Hint: "`perfdump info` says what each holds; --format takes both for what you know they are",
		}
		if a == detect.Titles || b == detect.Titles {
			e.Hint = "to show a capture with the names of a table, give the table by --titles"
		}
		return e
	}
	switch a {
	case detect.PerfData:
		return nil
	case detect.IPCBlock, detect.Minidump:
		if d.o.Query != "" {
			return &cmdutil.UsageError{Text: "--query is for answers of the registry; these are IPC control blocks", Hint: `-c chooses counters: -c '\.NET CLR Memory\*'`}
		}
		return nil
	case detect.Titles:
		if d.o.selective() {
			return &cmdutil.UsageError{Text: "-c and --query are for captures; these are tables of names", Hint: "compare them without"}
		}
		return nil
	case detect.INIFile, detect.SymbolH, detect.Reg, detect.PerfStrings, detect.Hive, detect.Manifest:
		if d.o.selective() {
			return &cmdutil.UsageError{Text: "-c and --query are for captures; these are files of the format " + string(a), Hint: "compare them without"}
		}
		return nil
	default:
		err := &cmdutil.NoVerbError{Verb: "diff", Format: a}
		d.o.Report(d.older.Name, &perfdump.FormatError{Code: perfdump.CodeUnknownFormat, Off: -1, Err: err})
		return cmdutil.ErrNoVerb
	}
}

func name(in *detect.Input) string { return cmdutil.FileName(in.Name) }

func (d *differ) run() error {
	out := cmdutil.Output(d.ctx, d.o.IO.Out)
	switch d.o.Output {
	case "json":
		d.p = newJSON(out)
	case "jsonl":
		d.p = newLines(out, d.o.selective())
	default:
		d.p = newTable(out, d.o)
	}
	var err error
	switch d.older.Format {
	case detect.Titles:
		err = d.titles()
	case detect.INIFile, detect.SymbolH, detect.Reg, detect.PerfStrings, detect.Hive, detect.Manifest:
		err = d.texts()
	case detect.IPCBlock:
		err = d.blocks()
	case detect.Minidump:
		err = d.dumps()
	default:
		err = d.captures()
	}
	if err != nil && !errors.Is(err, cmdutil.ErrInput) {
		return err
	}
	if d.begun {
		d.end()
		d.p.end(&d.t)
	}
	if err := d.p.flush(); err != nil {
		return err
	}
	d.advise()
	switch {
	case d.failed:
		return cmdutil.ErrInput
	case d.t.any():
		return cmdutil.ErrFindings
	default:
		return nil
	}
}

// begin begins the output, once both files could be read.
func (d *differ) begin() {
	if !d.begun {
		d.begun = true
		d.p.begin(d.older, d.newer)
	}
}

func (d *differ) captures() error {
	for s, err := range capture.Diff(d.older, d.newer, d.co) {
		if err != nil {
			return d.unreadable(err)
		}
		if d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		d.begin()
		d.p.block(s)
		d.t.block(s, d.o.selective())
		for o := range s.Objects() {
			d.t.object(o)
			d.p.object(o)
			if err := d.p.err(); err != nil {
				return err
			}
		}
		d.p.endBlock()
		if err := d.faults(s); err != nil {
			return err
		}
		d.look(s)
	}
	return nil
}

// unreadable tells of the errors of one file or of both, after what was
// found before them.
func (d *differ) unreadable(err error) error {
	if err := d.p.flush(); err != nil {
		return err
	}
	d.failed = true
	errs := []error{err}
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		errs = joined.Unwrap()
	}
	for _, err := range errs {
		in := d.older
		var of *capture.DiffError
		if errors.As(err, &of) && of.Newer {
			in = d.newer
		}
		d.o.Report(in.Name, err)
	}
	fe := cmdutil.AsFormatError(err)
	switch {
	case d.o.Mode == "strict" && errors.Is(fe, perfdump.ErrAnomaly):
		d.o.Note("it is readable: --mode tolerant reads it and `perfdump check` lists all that is odd")
	case d.o.Mode == "tolerant" && fe.Off >= 0 && (errors.Is(fe, perfdump.ErrLength) || errors.Is(fe, perfdump.ErrCount)):
		d.o.Note("--mode salvage compares what can still be read, `perfdump check` lists all that is wrong")
	}
	return cmdutil.ErrInput
}

// faults tells what salvage mode passed over.
func (d *differ) faults(s *capture.SnapshotDiff) error {
	for _, side := range []struct {
		in *detect.Input
		s  *capture.Snapshot
	}{{d.older, s.Older}, {d.newer, s.Newer}} {
		if side.s == nil || len(side.s.Faults()) == 0 {
			continue
		}
		if err := d.p.flush(); err != nil {
			return err
		}
		d.failed = true
		for _, fault := range side.s.Faults() {
			d.o.Report(side.in.Name, fault)
		}
	}
	return nil
}

// look remembers what there is, as long as nothing is selected.
func (d *differ) look(s *capture.SnapshotDiff) {
	if d.shown || !d.o.selective() {
		return
	}
	for _, side := range []*capture.Snapshot{s.Older, s.Newer} {
		if side == nil {
			continue
		}
		for range side.Objects() {
			d.shown = true
			return
		}
		d.empty.Look(side, d.o.Counters)
	}
}

func (d *differ) titles() error {
	older, errOlder := capture.ParseTitles(d.older.Data, d.co)
	newer, errNewer := capture.ParseTitles(d.newer.Data, d.co)
	if err := capture.DiffErrors(errOlder, errNewer); err != nil {
		return d.unreadable(err)
	}
	d.begin()
	header := capture.DiffTitlesHeader(older, newer)
	d.t.Header += len(header)
	d.t.Older, d.t.Newer = older.Len(), newer.Len()
	d.p.tables(older, newer, header)
	for e := range capture.DiffTitles(older, newer) {
		d.t.entry(e)
		d.p.entry(e)
		if err := d.p.err(); err != nil {
			return err
		}
	}
	return nil
}

// texts compares files of text by what they say.
func (d *differ) texts() error {
	all, err := capture.DiffText(d.older, d.newer, d.co)
	if err != nil {
		return d.unreadable(err)
	}
	d.begin()
	d.p.tables(nil, nil, nil)
	for i := range all {
		d.t.change(all[i].Change)
		d.p.said(&all[i])
		if err := d.p.err(); err != nil {
			return err
		}
	}
	return nil
}

// end finds out whether files of the same content are the same.
func (d *differ) end() {
	d.t.partial = d.o.selective()
	d.t.nothing = d.t.partial && !d.shown
	d.t.failed = d.failed
	if d.t.any() || d.t.partial || d.failed || inPart(d.older.Format) {
		return
	}
	if diff, ok := capture.DiffBytes(d.older, d.newer, d.co); ok {
		d.t.bytes = &diff
	}
}

// inPart reports whether only a part of a format's bytes is compared, so that
// files of the same content may well differ elsewhere.
func inPart(f detect.Format) bool {
	return f == detect.Minidump || f == detect.Hive || f == detect.Manifest
}

// advise says what to try, and what to bear in mind.
func (d *differ) advise() {
	if d.t.machines[0] != d.t.machines[1] && d.t.any() {
		d.o.Note("two machines, %s and %s: from index 1848 on the same title index may stand for other things on each", quoteHost(d.t.machines[0]), quoteHost(d.t.machines[1]))
	}
	if d.t.backwards && d.t.any() && d.t.machines[0] == d.t.machines[1] {
		d.o.Note("the second file is the older one; to see what happened: perfdump diff %s %s", cmdutil.Quoted([]string{d.o.Newer}), cmdutil.Quoted([]string{d.o.Older}))
	}
	if d.t.nothing && !d.failed {
		if advice := d.empty.Advice(); advice != "" {
			asked := d.o.Counters
			if d.o.Query != "" {
				asked = append([]string{"the query " + d.o.Query}, asked...)
			}
			d.o.Note("nothing matches %s; %s", cmdutil.Quoted(asked), advice)
		}
	}
	if d.shown && d.older.Format == detect.PerfData {
		d.o.AdviseUnused(d.ctx, d.o.Factory, []string{d.o.Older}, d.co, d.co.Filter)
	}
	n := len(d.t.numbers)
	switch {
	case n == 0 || d.o.Output != "table":
	case d.co.Names.BuiltIn():
		d.o.Note("%s no name in the built-in table: shown as numbers; --titles FILE gives the names", cmdutil.Has(n, "index", "indexes"))
	default:
		d.o.Note("%s no name in the titles given: shown as numbers", cmdutil.Has(n, "index", "indexes"))
	}
}

func quoteHost(host string) string {
	if host == "" {
		return "one without a name"
	}
	return cmdutil.Quoted([]string{strings.TrimSpace(host)})
}

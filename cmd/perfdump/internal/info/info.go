// Package info is the verb that shows what each file is.
package info

import (
	"cmp"
	"context"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/table"
)

// Options holds the flags of info.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	Zone   cmdutil.Zone
	Files  []string
	Output string
}

// NewCmd returns the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "info FILE...",
		Short: "Show what each file is and what it contains",
		Long: `Info shows for each file its format, size, machine and time, the numbers of its
objects, instances and counters, and the number of anomalies of each kind. One
file is shown as a list, several as a table with a line each. For a binary log
the anomalies are those of the log itself; perfdump check also decodes its
objects.

Times are local times of the recorder, with the offset from UTC; --tz chooses
another time zone. Those of -o json are always in UTC.

A transaction log of the registry and the outputs of perfdump (csv, jsonl,
parquet, html) are recognised but not read.

FILE may be a directory, or - for standard input; gzip and zstd are unpacked.

Keys of -o json, one object a line for each file:
  file, format, size    size in bytes, unpacked
  packed                how it was packed, null if it was not
  anomalies             number by code: {"gap": 2}
  errors                [{"code", "offset", "path", "message"}]
In addition, for blocks of counters (perfdata, perflib2):
  blocks                snapshots in the file
  host, start, end      null where unknown
  version, revision     of the format; 0 for perflib2, which has none
  perf_freq             ticks of the performance counter per second
  objects, instances, counters, values
                        sums over all blocks; counters are definitions
  object_names          of the first block; for perflib2 positions of the sets
For a table of names (titles):
  kind, language, encoding, entries, first_index, last_index, base_index
                        language and base_index are null where unknown
For IPC control blocks (ipcblock):
  layout, chunks, untouched, remarks
                        chunks are [{"index", "state", "arch", "runtime_id",
                        "pid", "version", "build_year", "build_number"}]
                        without those that no runtime ever used; untouched is
                        the number of these; remarks are numbers by code
For a process dump (minidump) or raw memory (memory):
  arch, pid, time, runtimes, tables
                        tables are those found, the most trustworthy first:
                        va, offset, score, reasons [{"points", "text"}],
                        repeats (its runtimes are in a better one), layout,
                        chunks, remarks
For ASP.NET's counters (aspnet:2.0, aspnet:4.x):
  vector                version, counters, zeros
For a backup of names (perfstrings):
  encoding, lines, base_index, last_counter, last_help, providers, strings
                        strings are numbers by language
For files that register counters:
  encoding, lines, driver_name, symbol_file, trusted, languages, objects, names,
  helps                 of inifile; helps are explanations
  encoding, lines, defines, largest_offset
                        of symbolh
  encoding, version, lines, keys, values, deletions, computer, control_set,
  providers, base_index, last_counter, last_help, languages
                        of reg; a hive has no encoding, lines, keys, values and
                        deletions. providers and languages are lists of names;
                        null means that the file does not say
  encoding, schema_version, providers, counter_sets, counters
                        of manifest; providers and counter_sets are names
For a log over time (blg, pdh-csv, pdh-tsv, checkmk):
  machines, start, end, utc_offset, utc_offset_minutes, utc_offset_from, zone
                        utc_offset is that of local time at the start, "+02:00"
                        east of UTC; utc_offset_minutes is UTC minus local time,
                        here -120; utc_offset_from is block, sample, zone (in
                        the header of the log), header (of the columns) or null
  writer, records, items, titles, counter_sets, lost
                        of blg; titles are numbers of names by machine, lost
                        are numbers by what could not be read
  rows, columns         of pdh-csv and pdh-tsv
  sections, objects     of checkmk`,
		Example: `  perfdump info testdata/captures/sys-238-x86_64-1.bin
  perfdump info testdata/captures
  perfdump info testdata/story/srv-sql-01.blg.gz
  perfdump info testdata/minidump/service_x64.dmp
  perfdump info -o json testdata/captures/small.bin`,
		Args: cmdutil.AtLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			return run(cmd.Context(), o)
		},
	}
	cmdutil.Choice(cmd, &o.Output, "output", "o", "table", "what to write", "table", "json")
	o.Zone.AddFlags(cmd)
	o.AddFlags(cmd)
	return cmd
}

func run(ctx context.Context, o *Options) error {
	co, err := o.Capture(o.Factory)
	if err != nil {
		return err
	}
	out := cmdutil.Output(ctx, o.IO.Out)
	p := table.NewPrinter(out, table.Options{Width: o.IO.Width(), Cut: o.IO.StdoutTTY(), Color: o.IO.Color()})
	var all []*formats.Summary
	o.TakeForeign()
	err = o.Each(ctx, o.Factory, o.Files, func(in *detect.Input) error {
		s := formats.Inspect(in, co, formats.View{Zone: o.Zone.Location, Width: p.Width})
		if o.Output == "json" {
			if err := writeJSON(out, s); err != nil {
				return err
			}
		} else {
			all = append(all, s)
		}
		if len(s.Errors) == 0 {
			return nil
		}
		for _, fe := range s.Errors[1:] {
			o.Report(in.Name, fe)
		}
		return s.Errors[0]
	})
	if all = withUnreadable(all, o); len(all) == 1 && all[0].Format != "" {
		list(p, all[0])
	} else if len(all) > 1 {
		several(p, all)
	}
	return cmp.Or(p.Flush(), err)
}

// withUnreadable adds the files that were named and could not be opened, for the
// table.
func withUnreadable(all []*formats.Summary, o *Options) []*formats.Summary {
	if o.Output == "json" || len(o.Files) < 2 || o.FailFast {
		return all
	}
	for _, name := range o.Files {
		at, err := os.Stat(name)
		if err == nil && at.IsDir() || slices.ContainsFunc(all, func(s *formats.Summary) bool { return s.File == name }) {
			continue
		}
		all = append(all, &formats.Summary{File: name, Errors: []*perfdump.FormatError{{Code: perfdump.CodeIO, Off: -1}}})
	}
	return all
}

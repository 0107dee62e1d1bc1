// Package info is the verb that says what each file is.
package info

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// Options are the flags of info.
type Options struct {
	*cmdutil.Factory
	cmdutil.Inputs

	Zone   cmdutil.Zone
	Files  []string
	Output string
}

// NewCmd returns the command. runF is run in the place of the verb, for tests.
func NewCmd(f *cmdutil.Factory, runF func(context.Context, *Options) error) *cobra.Command {
	o := &Options{Factory: f}
	cmd := &cobra.Command{
		Use:   "info FILE...",
		Short: "Say what each file is and what it holds",
		Long: `Info says of each file its format, size, machine and time, how many objects,
instances and counters it holds, and how many anomalies of each kind there are.
One file is told as a list, several as a table with a line each. Of a binary log
the anomalies are those of the log; perfdump check looks into its whole objects.

Times are those of the recorder's clock, with its offset from UTC beside them;
--tz chooses another time zone. Those of -o json are always in UTC.

A transaction log of the registry and what perfdump itself wrote (csv, jsonl,
parquet, html) are named and not read.

FILE may be - for standard input, a directory, and packed by gzip or zstd.

Keys of -o json, one object a line for each file:
  file, format, size    size in bytes, unpacked
  packed                how it was packed, null for not at all
  blocks                snapshots in the file
  host, start, end      null where unknown
  version, revision     of the format; 0 of perflib2, which has none
  perf_freq             ticks of the performance counter a second
  objects, instances, counters, values
                        sums over all blocks; counters are definitions
  object_names          of the first block; of perflib2 the places of the sets
  kind, language, encoding, entries, first_index, last_index, base_index
                        of a table of names, in the place of the keys from
                        blocks on; language and base_index are null where
                        unknown
  layout, chunks, untouched, remarks
                        of IPC control blocks, in the place of the keys from
                        blocks on; chunks are [{"index", "state", "arch",
                        "runtime_id", "pid", "version", "build_year",
                        "build_number"}], without those that no runtime
                        ever used, of which untouched is the number;
                        remarks are numbers by code
  arch, pid, time, runtimes, tables
                        of a process dump or raw memory, in the place of the
                        keys from blocks on; tables are what was found, the most
                        trustworthy first: va, offset, score, reasons
                        [{"points", "text"}], repeats (its runtimes stand in a
                        better one), layout, chunks, remarks
  vector                of ASP.NET's counters: version, counters, zeros
  encoding, lines, base_index, last_counter, last_help, providers, strings
                        of a backup of names, in the place of the keys from
                        blocks on; strings are numbers by language
  encoding, lines, driver_name, symbol_file, trusted, languages, objects, names,
  helps                 of an .ini file; helps are explanations
  encoding, lines, defines, largest_offset
                        of a symbol file
  encoding, version, lines, keys, values, deletions, computer, control_set,
  providers, base_index, last_counter, last_help, languages
                        of a .reg file; a hive has no encoding, lines, keys,
                        values and deletions. providers and languages are lists
                        of names; null is what the file does not tell
  encoding, schema_version, providers, counter_sets, counters
                        of a manifest; providers and counter_sets are names
  machines, start, end, utc_offset, utc_offset_minutes, utc_offset_from, zone
                        of a log over time (blg, pdh-csv, pdh-tsv, checkmk), in
                        the place of the keys from blocks on; utc_offset is that
                        of the recorder's clock at the start, "+02:00" east of
                        UTC; utc_offset_minutes is UTC less local time, -120
                        then; taken from: block, sample, zone (of the log's
                        header), header (of the columns), null
  writer, records, items, titles, lost
                        of blg; titles are numbers of names by machine, lost
                        are numbers by what could not be read
  rows, columns         of pdh-csv and pdh-tsv
  sections, objects     of checkmk
  anomalies             number by code: {"gap": 2}
  errors                [{"code", "offset", "path", "message"}]`,
		Example: `  perfdump info testdata/captures/sys-238-x86_64-1.bin
  perfdump info testdata/captures
  perfdump info testdata/minidump/service_x64.dmp
  perfdump info -o json testdata/captures/small.bin`,
		Args: cmdutil.AtLeastOneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Files = args
			if runF != nil {
				return runF(cmd.Context(), o)
			}
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
	p := &printer{w: out, zone: o.Zone.Location, width: o.IO.Width(), color: o.IO.Color(), tty: o.IO.StdoutTTY()}
	var all []*capture.Summary
	o.TakeForeign()
	err = o.Each(ctx, o.Factory, o.Files, func(in *detect.Input) error {
		s := capture.Inspect(in, co)
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
	if len(all) == 1 {
		p.list(all[0])
	} else if len(all) > 1 {
		p.table(all)
	}
	if p.err != nil {
		return p.err
	}
	return err
}

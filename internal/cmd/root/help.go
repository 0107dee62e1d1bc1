package root

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// help is the verb help. Unlike cobra's it fails on a word that it does not
// know.
func help(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB or TOPIC]",
		Short: "Tell about a verb or a topic",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err == nil && len(rest) == 0 {
				cmd.InitDefaultHelpFlag()
				return cmd.Help()
			}
			e := cmdutil.Usagef("no help on %q", strings.Join(args, " "))
			var words []string
			for _, c := range root.Commands() {
				words = append(words, c.Name())
			}
			e.Hint = "there is help on: " + strings.Join(words, ", ")
			if near, ok := cmdutil.Nearest(args[0], words); ok {
				e.Hint = "did you mean " + near + "?"
			}
			return e
		},
	}
}

// exitCodes is a help topic.
func exitCodes() *cobra.Command {
	return &cobra.Command{
		Use:   "exit-codes",
		Short: "What the exit codes mean",
		Long: `Exit codes of perfdump:

  0    all is fine
  1    findings: check met anomalies, diff met differences, doctor, lodctr or
       unlodctr have warnings or errors; titles or explain did not find what
       was asked for; no counter matches any -c, and nothing was written
  2    some input could not be read, or is malformed; the others were done; or
       doctor found nothing that it reads. It goes before 1.
  3    the command line is wrong, or asks for a verb that the format of a file
       does not have
  130  interrupted by Ctrl-C
  143  ended by SIGTERM

A reader that closes the pipe, as head does, is no error.`,
	}
}

// formats is a help topic.
func formats() *cobra.Command {
	return &cobra.Command{
		Use:   "formats",
		Short: "Which formats there are and what reads them",
		Long: `A format is found by the content of a file, never by its name. What gzip and
zstd have packed is unpacked first. --format NAME says what an input is;
perfdump info says what was found.

Found by content:

  perfdata     blocks of HKEY_PERFORMANCE_DATA, one or more behind each other;
               found by: PERF in UTF-16 at the start;
               verbs: info, dump, cook, plot, report, hexdump, check, diff,
               encode, doctor
  titles       names of counters: the value "Counter 009" or "Help 009",
               perfc009.dat, or a list with an index and a name a line;
               found by: pairs of a number and a text, with NULs between, or
               lines such as 6 : % Processor Time;
               verbs: info, titles, hexdump, check, diff, encode, doctor,
               and --titles of the verbs that read captures
  ipcblock     counters of the .NET Framework in shared memory: the table of
               CLR 4, or a block of an older one;
               found by: a chunk of a table, or the header of a block;
               verbs: info, dump, cook, plot, report, hexdump, check, diff,
               encode
  minidump     memory of a process, searched for tables of ipcblock;
               found by: MDMP at the start;
               verbs: info, dump, cook, plot, report, hexdump, check, diff
  perfstrings  PerfStringBackup.INI, all counter names of a machine;
               found by: values of [Perflib], [PERF_...] or [PerfStrings_009];
               verbs: info, dump, titles, hexdump, check, diff, encode, doctor
  inifile      registration of counters, the .ini that lodctr loads;
               found by: drivername or symbolfile in [info], or keys such as
               NAME_009_HELP in [text] or [objects];
               verbs: info, dump, hexdump, check, diff, encode, doctor
  symbolh      the symbol file of an .ini;
               found by: defines of even numbers, no code;
               verbs: info, dump, hexdump, check, diff, encode, doctor
  reg          text of regedit, for what registers counters in it;
               found by: its first line;
               verbs: info, dump, titles, hexdump, check, diff, encode, doctor
  hive         file of the registry: SYSTEM, SOFTWARE;
               found by: regf at the start;
               verbs: info, dump, hexdump, check, diff, doctor
  manifest     instrumentation manifest, for the counter sets in it;
               found by: its root element, which may stand below an assembly;
               verbs: info, dump, hexdump, check, diff
  blg          binary log of PDH: an event trace that PDH has written;
               found by: its first record, or an event of PDH;
               verbs: info, dump, cook, plot, report, hexdump, check, doctor,
               and titles where it holds names
  pdh-csv      text log of PDH, of displayed values;
               found by: (PDH-CSV at the start, or \\ in header cells;
               verbs: info, cook, plot, report, hexdump, check
  pdh-tsv      the same with TABs;
               verbs: info, cook, plot, report, hexdump, check
  checkmk      output of a Checkmk agent;
               found by: a section <<<winperf_;
               verbs: info, dump, cook, plot, report, hexdump, check

Found and not read: info names them, doctor passes over registry-log.

  registry-log      transaction log of a hive: SYSTEM.LOG1
  perfdump csv      rows that dump or cook wrote
  perfdump jsonl    the same
  perfdump parquet  the same
  perfdump html     page of report

Never found, for any bytes could be one; only named by --format:

  carve        anything, searched for blocks of perfdata and of ipcblock: an
               image of a disk, a core file;
               verbs: info, dump, cook, plot, report, check
  perflib2     a block of version 2 counter sets, which PerfQueryCounterData
               returns; the names and types of its counters are not in it;
               verbs: info, dump, hexdump, check
  memory       raw memory, searched for tables of ipcblock;
               verbs: info, dump, hexdump, check
  aspnet:2.0   a bare vector of 84 counters of ASP.NET 2.0 to 3.5;
               verbs: info, dump, hexdump, check
  aspnet:4.x   the same of ASP.NET 4, 101 counters;
               verbs: info, dump, hexdump, check

A list of a single line, and what a rule above does not fit, is read by name:
perfdump titles --format titles FILE`,
	}
}

// paths is a help topic.
func paths() *cobra.Command {
	return &cobra.Command{
		Use:   "paths",
		Short: "How counters are named, with wildcards",
		Long: `A path names a counter as PDH and the Performance Monitor spell it:

  \\host\object(parent/instance#n)\counter

  \\host    the machine; without it, any machine
  object    what is counted: Processor, Process
  (...)     which one; left out where an object has no instances, as System
  parent/   what the instance belongs to, as the process of a thread
  #n        which of several of the same name: the first has no number, the
            second is #1
  counter   % Processor Time

Upper and lower case are the same, and * stands for any run of characters, also
none. In instances ( and [ are the same, for PDH writes one for the other.

  \Processor(_Total)\% Processor Time  one counter of one instance
  \Process(sql*)\*                     all counters of all processes whose names
                                       begin with sql, also of sqlservr#1
  \Process(svchost)\ID Process         the first svchost only
  \Process(svchost#*)\ID Process       all svchosts but the first
  \Thread(sqlservr/*)\*                all threads of the first sqlservr
  \PhysicalDisk(*)\*                   all disks
  \System\*                            all of an object without instances
  \\web*\Memory\Available Bytes        of machines whose names begin with web
  *                                    everything

Without (...) a path is for objects without instances only; with it, for those
with instances only, but for (*), which is for both. A name that holds / or #
or parentheses is written as it is; each way to read it is tried.

Quote a path for the shell. Where nothing matches one, a note has the names that
there are. Where nothing matches any of them, nothing is written and the exit
code is 1.

  perfdump dump testdata/captures/small.bin -c '\Processor(_Total)\% Processor Time'
  perfdump dump testdata/captures/small.bin -c '\Process(svc*)\ID Process' -o csv
  perfdump dump testdata/captures/small.bin -c '\System\*' -c '\Memory\*Bytes'`,
	}
}

// usageTemplate is what stands below the text of a help.
const usageTemplate = `Usage:
  {{if .HasParent}}{{.UseLine}}{{else}}perfdump VERB FILE... [flags]{{end}}
{{- if .HasAvailableSubCommands}}

Verbs:
{{- range .Commands}}{{if or .IsAvailableCommand (eq .Name "help")}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}
{{- if .HasHelpSubCommands}}

Help topics:
{{- range .Commands}}{{if .IsAdditionalHelpTopicCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}
{{- if .HasExample}}

Examples:
{{.Example}}{{end}}
{{- if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}{{end}}
{{- if .HasAvailableInheritedFlags}}

Flags of all verbs:
{{.InheritedFlags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}{{end}}
{{- if .HasAvailableSubCommands}}

"perfdump help VERB" tells more about a verb.{{end}}
`

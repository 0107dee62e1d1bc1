package root

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/derive"
)

// help is the verb help. Unlike cobra's it fails on unknown words.
func help(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB or TOPIC]",
		Short: "Explain a verb or a topic",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err == nil && len(rest) == 0 {
				cmd.InitDefaultHelpFlag()
				return cmd.Help()
			}
			e := cmdutil.Usagef("no help on %q", strings.Join(args, " "))
			words := names(root, func(*cobra.Command) bool { return true })
			e.Hint = "there is help on: " + strings.Join(words, ", ")
			if near, ok := cmdutil.Nearest(args[0], words); ok {
				e.Hint = "did you mean " + near + "?"
			}
			return e
		},
	}
}

const aboutExitCodes = `Exit codes of perfdump:

  0    success
  1    findings: check found anomalies, diff found differences, doctor, lodctr
       or unlodctr have warnings or errors; titles or explain did not find a
       name; no counter matches any -c, and nothing was written
  2    an input cannot be read or is malformed; the others were read. Or doctor
       found nothing to read. 2 wins over 1.
  3    the command line is wrong, or the verb does not read the format of a
       file
  130  interrupted by Ctrl-C
  143  ended by SIGTERM

A reader that closes the pipe, as head does, is not an error.`

const aboutFormats = `The format of a file is found by its content, never by its name. gzip and zstd
are unpacked first. --format NAME says what an input is; perfdump info says what
was found.

Found by content:

  perfdata     blocks of HKEY_PERFORMANCE_DATA, one or more in a row;
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
  reg          registry export of regedit (.reg), for the counters registered
               in it;
               found by: its first line;
               verbs: info, dump, titles, hexdump, check, diff, encode, doctor
  hive         file of the registry, such as SYSTEM or SOFTWARE;
               found by: regf at the start;
               verbs: info, dump, hexdump, check, diff, doctor
  manifest     instrumentation manifest, for the counter sets in it;
               found by: its root element, which may be below an assembly;
               verbs: info, dump, hexdump, check, diff
  blg          binary log of PDH (Performance Monitor, logman, relog);
               found by: its first record, or an event of PDH;
               verbs: info, dump, cook, plot, report, hexdump, check, doctor,
               and titles if it contains names
  pdh-csv      text log of PDH, with cooked values;
               found by: (PDH-CSV at the start, or \\ in header cells;
               verbs: info, cook, plot, report, hexdump, check
  pdh-tsv      the same, separated by TABs;
               verbs: info, cook, plot, report, hexdump, check
  checkmk      output of a Checkmk agent;
               found by: a section <<<winperf_;
               verbs: info, dump, cook, plot, report, hexdump, check

Found but not read: info names them, and doctor skips registry-log.

  registry-log      transaction log of a hive: SYSTEM.LOG1
  perfdump csv      rows that dump or cook wrote
  perfdump jsonl    the same
  perfdump parquet  the same
  perfdump html     page of report

Never found, since any bytes could be one of these; name them with --format:

  carve        anything, searched for blocks of perfdata and of ipcblock: an
               image of a disk, a core file;
               verbs: info, dump, cook, plot, report, check
  perflib2     a block of version 2 counter sets, which PerfQueryCounterData
               returns; the names and types of its counters are not in it;
               verbs: info, dump, hexdump, check, encode
  memory       raw memory, searched for tables of ipcblock;
               verbs: info, dump, hexdump, check
  aspnet:2.0   a bare vector of 84 counters of ASP.NET 2.0 to 3.5;
               verbs: info, dump, hexdump, check
  aspnet:4.x   the same of ASP.NET 4, 101 counters;
               verbs: info, dump, hexdump, check

A list of a single line, or a file that no rule above finds, needs its format:
perfdump titles --format titles FILE`

const aboutPaths = `A path names a counter as PDH and the Performance Monitor spell it:

  \\host\object(parent/instance#n)\counter

  \\host    the machine; without it, any machine
  object    what is counted: Processor, Process
  (...)     which one; left out if the object has no instances, as System
  parent/   what the instance belongs to, such as the process of a thread
  #n        which of several of the same name: the first has no number, the
            second is #1
  counter   % Processor Time

Case does not matter, and * matches any number of characters, also none. In
instances ( and [ are the same, since PDH writes one for the other.

  \Processor(_Total)\% Processor Time  one counter of one instance
  \Process(sql*)\*                     all counters of all processes whose names
                                       begin with sql, such as sqlservr#1
  \Process(svchost)\ID Process         the first svchost only
  \Process(svchost#*)\ID Process       all svchosts but the first
  \Thread(sqlservr/*)\*                all threads of the first sqlservr
  \PhysicalDisk(*)\*                   all disks
  \System\*                            all of an object without instances
  \\web*\Memory\Available Bytes        of machines whose names begin with web
  *                                    everything

A path without (...) is for objects without instances, and one with it for
objects with instances; (*) is for both. Write names that contain / or # or
parentheses as they are: each way to read them is tried.

Quote a path for the shell. If a path matches nothing, a note lists the names
that exist. If no path matches anything, nothing is written and the exit code is
1.

  perfdump dump testdata/captures/small.bin -c '\Processor(_Total)\% Processor Time'
  perfdump dump testdata/captures/small.bin -c '\Process(svc*)\ID Process' -o csv
  perfdump dump testdata/captures/small.bin -c '\System\*' -c '\Memory\*Bytes'`

func aboutDerive() string {
	var names strings.Builder
	set, _ := derive.NDIS()
	for m := range set.All() {
		names.WriteString("  " + m.Name + "\n")
	}
	return `--derive 'NAME = EXPRESSION' gives cook and plot a metric that is computed from
the counters of one instance. --derive-file FILE has such lines, and comments
that begin with #. perfdump explain COUNTER says what a network counter means.

An expression has names of counters, numbers, + - * / ( ). Put blanks around
operators, since names contain such signs. A name may be in [ ], and must be if
it contains an operator between blanks; ]] is a ] in it. A name is

  Sent Packets/sec             a counter of the same instance, or of the one of
                               that name in the twin object: Per Processor
                               Network Interface Card Activity counts what
                               happened, ... Activity Cycles what it cost
  System\Processes             a counter of another object, of the instance of
                               the same name, or without instances

A metric belongs to the object and instance of its first counter. If a counter
has no value, the metric has none, with the same status; a division by 0 is
zero-denominator. With -c a metric is shown if a path matches the metric itself
or one of its counters.

Ratios of the counters of NDIS are built in: --derive ndis, or the name of one.
perfdump explain ndis writes them as a file to copy and change:

` + names.String() + `
  perfdump cook --derive 'Bytes per transfer = Disk Bytes/sec / Disk Transfers/sec' -c '\PhysicalDisk(*)\Bytes per transfer' --from 10:01 --to 10:04 testdata/story/srv-sql-01.blg.gz`
}

// usage writes what follows the text of a help.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("Usage:")
	if cmd.HasParent() {
		line("  %s", cmd.UseLine())
	} else {
		line("  perfdump VERB FILE... [flags]")
	}
	for _, list := range []struct {
		title string
		is    func(*cobra.Command) bool
	}{
		{"Verbs", func(c *cobra.Command) bool { return c.IsAvailableCommand() || c.Name() == "help" }},
		{"Help topics", (*cobra.Command).IsAdditionalHelpTopicCommand},
	} {
		title := "\n" + list.title + ":\n"
		for _, c := range cmd.Commands() {
			if list.is(c) {
				line(title+"  %-*s %s", c.NamePadding(), c.Name(), c.Short)
				title = ""
			}
		}
	}
	if cmd.HasExample() {
		line("\nExamples:\n%s", cmd.Example)
	}
	groups := cmdutil.FlagGroups(cmd)
	if cmd.HasAvailableInheritedFlags() {
		groups = append(groups, cmdutil.FlagGroup{Heading: "Flags of all verbs", FlagSet: cmd.InheritedFlags()})
	}
	for _, g := range groups {
		line("\n%s:\n%s", g.Heading, strings.TrimRight(g.FlagUsagesWrapped(80), " \n"))
	}
	if cmd.HasAvailableSubCommands() {
		line("\n\"perfdump help VERB\" has more about a verb.")
	}
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

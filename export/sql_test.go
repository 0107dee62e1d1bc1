package export_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/export"
)

// onDatabases runs a test on each database that is here, an empty one: on SQLite
// where it is installed, on PostgreSQL and MariaDB where PERFDUMP_POSTGRES and
// PERFDUMP_MARIADB have the commands that reach a server, as .ci/run databases
// sets them. ask runs statements and returns what they print, columns with |
// between.
func onDatabases(t *testing.T, test func(t *testing.T, dialect string, ask func(t *testing.T, script string) string)) {
	run := func(t *testing.T, script string, command ...string) string {
		t.Helper()
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Stdin = strings.NewReader(script)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return strings.ReplaceAll(string(out), "\t", "|")
	}
	t.Run("sqlite", func(t *testing.T) {
		sqlite, err := exec.LookPath("sqlite3")
		if err != nil {
			t.Skip("sqlite3 is not installed")
		}
		file := filepath.Join(t.TempDir(), "log.db")
		test(t, "sqlite", func(t *testing.T, script string) string {
			t.Helper()
			return run(t, script, sqlite, "-bail", file)
		})
	})
	servers := []struct {
		dialect, variable string
		flags             []string
	}{
		{"postgres", "PERFDUMP_POSTGRES", []string{"-v", "ON_ERROR_STOP=1", "-q", "-A", "-t", "-d"}},
		{"mysql", "PERFDUMP_MARIADB", []string{"-N", "-B", "-r", "-D"}},
	}
	for _, s := range servers {
		t.Run(s.dialect, func(t *testing.T) {
			command := strings.Fields(os.Getenv(s.variable))
			if len(command) == 0 {
				t.Skip(s.variable + " has no command that reaches a server; .ci/run databases starts one")
			}
			create := map[string]string{"postgres": "postgres", "mysql": "mysql"}[s.dialect]
			name := fmt.Sprintf("perfdump_%d", time.Now().UnixNano())
			run(t, "CREATE DATABASE "+name+";", append(append(command, s.flags...), create)...)
			t.Cleanup(func() { run(t, "DROP DATABASE "+name+";", append(append(command, s.flags...), create)...) })
			test(t, s.dialect, func(t *testing.T, script string) string {
				t.Helper()
				return run(t, script, append(append(command, s.flags...), name)...)
			})
		})
	}
}

func sqlOf(t *testing.T, dialect string, frames ...capture.Frame) string {
	t.Helper()
	return cooked(t, "sql", export.Options{Dialect: dialect}, frames)
}

// sqlFrame is a frame in which each of the series has the value n + 0.5.
func sqlFrame(log, host string, east time.Duration, n int, ss ...*capture.Series) capture.Frame {
	f := capture.Frame{
		Time:   time.Date(2020, 3, 18, 19, 5, n, 123_000_000, time.UTC),
		Offset: capture.Offset{East: east, Known: true}, Host: host, Source: log + ".blg", Log: log,
	}
	for _, s := range ss {
		f.Cells = append(f.Cells, capture.Cell{Series: s, Value: float64(n) + 0.5})
	}
	return f
}

// TestSQLTwoLogs loads logs of two machines into one database, one by one and all
// at once, and joins the tables.
func TestSQLTwoLogs(t *testing.T) {
	const hour = time.Hour
	first := series(0, "web01", "Processor", "", "0", 0, "% Processor Time")
	second := series(1, "web01", "Memory", "", "", 0, "Pages/sec")
	second.HasInstance = false
	other := series(2, "web02", "Processor", "", "0", 0, "% Processor Time")
	further := series(3, "web01", "Memory", "", "", 0, "Pages/sec")
	further.HasInstance = true // one without a name
	frames := []capture.Frame{
		sqlFrame("a", "web01", -7*hour, 1, first, second),
		sqlFrame("b", "web02", 2*hour, 2, other),
		sqlFrame("a", "web01", -7*hour, 3, first),
		sqlFrame("c", "web01", -8*hour, 4, further, second), // the same machine in winter
	}
	of := func(log string) (out []capture.Frame) {
		for _, f := range frames {
			if f.Log == log {
				// The series of each run are numbered anew.
				for i := range f.Cells {
					s := *f.Cells[i].Series
					s.ID = (s.ID + 1) % 4
					f.Cells = append([]capture.Cell{}, f.Cells...)
					f.Cells[i].Series = &s
				}
				out = append(out, f)
			}
		}
		return out
	}
	const question = `SELECT g.DisplayString, g.MinutesToUTC, g.NumberOfRecords, d.MachineName, d.ObjectName, d.CounterName, COALESCE(d.InstanceName, '-'), v.RecordIndex, v.CounterDateTime, v.CounterValue
FROM CounterData v JOIN CounterDetails d ON d.CounterID = v.CounterID JOIN DisplayToID g ON g.GUID = v.GUID ORDER BY v.CounterDateTime, d.CounterName, d.InstanceName;
SELECT count(*) FROM CounterDetails;
SELECT GUID FROM DisplayToID ORDER BY DisplayString;
`
	const want = `a.blg|420|2|\\web01|Processor|% Processor Time|0|1|2020-03-18 19:05:01.123|1.5
a.blg|420|2|\\web01|Memory|Pages/sec|-|1|2020-03-18 19:05:01.123|1.5
b.blg|-120|1|\\web02|Processor|% Processor Time|0|1|2020-03-18 19:05:02.123|2.5
a.blg|420|2|\\web01|Processor|% Processor Time|0|2|2020-03-18 19:05:03.123|3.5
`
	var guids string
	onDatabases(t, func(t *testing.T, dialect string, ask func(t *testing.T, script string) string) {
		ask(t, sqlOf(t, dialect, of("a")...))
		ask(t, sqlOf(t, dialect, of("b")...))
		ask(t, sqlOf(t, dialect, of("c")...))
		got := ask(t, question)
		require.True(t, strings.HasPrefix(got, want), got)
		assert.Contains(t, got, `c.blg|480|1|\\web01|Memory|Pages/sec|-|1|2020-03-18 19:05:04.123|4.5`)
		assert.Contains(t, got, `c.blg|480|1|\\web01|Memory|Pages/sec||1|2020-03-18 19:05:04.123|4.5`)
		rest := strings.Split(strings.TrimSpace(got), "\n")[6:]
		require.Len(t, rest, 4, "a count and three GUIDs")
		assert.Equal(t, "4", rest[0], "counters")
		if guids == "" {
			guids = got[strings.LastIndex(got, "\n4\n"):]
		}
		assert.Equal(t, guids, got[strings.LastIndex(got, "\n4\n"):], "the same in all databases")

		// Again, and in one call, changes nothing.
		const all = "SELECT * FROM CounterData ORDER BY 1, 2, 3; SELECT * FROM CounterDetails ORDER BY 1; SELECT * FROM DisplayToID ORDER BY 1;"
		before := ask(t, all)
		for _, log := range []string{"b", "a", "c"} {
			ask(t, sqlOf(t, dialect, of(log)...))
		}
		ask(t, sqlOf(t, dialect, frames...))
		assert.Equal(t, before, ask(t, all))

		ask(t, "DELETE FROM CounterData; DELETE FROM CounterDetails; DELETE FROM DisplayToID;")
		ask(t, sqlOf(t, dialect, frames...))
		assert.Equal(t, got, ask(t, question), "in one call")

		// A log that has grown is the same log.
		ask(t, sqlOf(t, dialect, append(of("b"), sqlFrame("b", "web02", 2*hour, 9, of("b")[0].Cells[0].Series))...))
		assert.Equal(t, "2|2020-03-18 19:05:02.123|2020-03-18 19:05:09.123|2\n", ask(t,
			"SELECT NumberOfRecords, LogStartTime, LogStopTime, (SELECT count(*) FROM CounterData v WHERE v.GUID = g.GUID) FROM DisplayToID g WHERE DisplayString = 'b.blg';"))
	})
}

// TestSQLUnknownMachines keeps logs apart that do not say of which machine or
// time they are: by their first record.
func TestSQLUnknownMachines(t *testing.T) {
	guids := map[string]bool{}
	guid := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)
	for _, host := range []string{"", "web01"} {
		for n := range 2 {
			f := sqlFrame("", host, 0, n, series(0, host, "O", "", "i", 0, "C"))
			if host != "" {
				f.Time = time.Time{}
			} else {
				f.Time = time.Unix(0, 0)
			}
			one := guid.FindString(sqlOf(t, "sqlite", f))
			assert.Equal(t, one, guid.FindString(sqlOf(t, "sqlite", f, f)), "the same log")
			guids[one] = true
		}
	}
	assert.Len(t, guids, 4)
}

// TestSQLNames wants every name to be one of its own, and no name to be a
// statement.
func TestSQLNames(t *testing.T) {
	names := []string{
		`\'; DROP TABLE CounterData; -- `, `\',1,1,1); DROP TABLE CounterData; -- `, `'); DROP TABLE CounterData; -- `, `a\`, "a", "A", "a ", "ä", "",
		"x\nGO\n!!echo", "x\\g\n.exit\n\\q\ndelimiter ;;", "$(x)", "%s%d:x@y?", "\U0001F600", "\xff", "nul\x00",
		strings.Repeat("long", 2000) + "1", strings.Repeat("long", 2000) + "2", strings.Repeat("\U0001F600", 600),
	}
	var ss []*capture.Series
	for i, name := range names {
		ss = append(ss, series(i, "web01", "Process", "", name, 0, "Count"))
	}
	onDatabases(t, func(t *testing.T, dialect string, ask func(t *testing.T, script string) string) {
		for range 2 {
			ask(t, sqlOf(t, dialect, sqlFrame("log", "web01", 0, 1, ss...)))
			assert.Equal(t, fmt.Sprintf("%d|%[1]d|%[1]d\n", len(names)), ask(t,
				"SELECT count(*), count(DISTINCT CounterID), (SELECT count(*) FROM CounterDetails) FROM CounterData;"))
		}
		assert.Equal(t, names[0]+"\n"+names[1]+"\n", ask(t, "SELECT InstanceName FROM CounterDetails WHERE CounterID < 3 ORDER BY CounterID;"))
	})
	// sqlcmd would take these for the end of a batch and for a variable.
	script := sqlOf(t, "sqlserver", sqlFrame("log", "web01", 0, 1, ss...))
	assert.Contains(t, script, "N'x'+NCHAR(10)+N'GO'+NCHAR(10)+N'!!echo'")
	assert.NotContains(t, script, "$(")
}

// TestSQLParts wants transactions of some thousand rows, and lists that SQL Server
// takes.
func TestSQLParts(t *testing.T) {
	var ss []*capture.Series
	for i := range 7001 {
		ss = append(ss, series(i, "web01", "Process", "", fmt.Sprint("i", i), 0, "Count"))
	}
	frames := []capture.Frame{sqlFrame("log", "web01", 0, 1, ss...), sqlFrame("log", "web01", 0, 2, ss...)}
	for _, dialect := range export.SQLDialects() {
		rows, longest, staged, most := 0, 0, 0, 0
		for line := range strings.Lines(sqlOf(t, dialect, frames...)) {
			switch {
			case strings.HasPrefix(line, "("):
				rows++
				staged++
			case strings.HasPrefix(line, "COMMIT"):
				most, staged = max(most, staged), 0
			default:
				longest, rows = max(longest, rows), 0
			}
		}
		assert.Equal(t, 500, longest, dialect)
		assert.Equal(t, 5000, most, dialect)
	}
	onDatabases(t, func(t *testing.T, dialect string, ask func(t *testing.T, script string) string) {
		ask(t, sqlOf(t, dialect, frames...))
		assert.Equal(t, "14002|7001\n", ask(t, "SELECT count(*), count(DISTINCT CounterID) FROM CounterData;"))
	})
}

// TestSQLRepeats wants the second series of the same names to be left out and
// counted, but a base, whose values its counter has.
func TestSQLRepeats(t *testing.T) {
	a, again, base := series(0, "h", "O", "", "i", 0, "C"), series(1, "h", "O", "", "i", 0, "C"), series(2, "h", "O", "", "i", 0, "C")
	base.Type, base.HasType = countertypes.PERF_RAW_BASE, true
	var b strings.Builder
	w, err := export.NewCooked(&b, "sql", export.Options{})
	require.NoError(t, err)
	f := sqlFrame("log", "h", 0, 1, a, again, base)
	writeAll(t, w, []capture.Frame{f})
	assert.Equal(t, []int{1}, omitted(w))

	// Series that follow their processes share a name.
	again.Owner, base.Owner = &capture.Owner{}, &capture.Owner{}
	*again.Owner, *base.Owner = *a.Owner, *a.Owner
	a.PID, again.PID, base.PID = 4, 8, 12
	script := sqlOf(t, "sqlite", sqlFrame("log", "h", 0, 1, a, again, base))
	for _, name := range []string{"'i:4',0", "'i:8',0", "'i:12',0"} {
		assert.Contains(t, script, name)
	}
	assert.Equal(t, 1, strings.Count(b.String(), ",1,'2020-03-18 19:05:01.123',1.5"))
}

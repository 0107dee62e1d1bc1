package capture_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// zonedLog is a binary log of a machine with a counter whose clock is UTC, so the
// log knows its offset record by record. It has one at each of the times, which
// go by the clocks of their locations.
func zonedLog(t testing.TB, name, host, guid string, times ...time.Time) *capture.Input {
	t.Helper()
	w := blgwriter.New(blgwriter.Options{LoggerName: guid})
	for i, at := range times {
		_, east := at.Zone()
		local := ticks(at.Add(time.Duration(east) * time.Second))
		if i == 0 {
			of := item("O", "", "Busy", countertypes.PERF_100NSEC_TIMER)
			of.Path.Machine, of.TimeBase = host, 1e7
			w.Items(local-10, of)
		}
		// The counter takes a tenth of the time, then a part more each interval.
		w.Sample(local, blgwriter.Series{Kind: blg.Single, Local: local, Values: []blgwriter.Value{{Multi: 1, First: uint64(i * (i + 1) / 2 * 6e7), Second: uint64(ticks(at))}}})
	}
	return written(t, name, w)
}

// minutes are n times, a minute apart.
func minutes(start time.Time, n int) (all []time.Time) {
	for i := range n {
		all = append(all, start.Add(time.Duration(i)*time.Minute))
	}
	return all
}

func place(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	require.NoError(t, err)
	return zone
}

// wall is a moment without a zone: a time of day, or a date and a time.
func wall(t testing.TB, s string) capture.Moment {
	t.Helper()
	for _, layout := range []string{"15:04", "2006-01-02 15:04"} {
		if at, err := time.Parse(layout, s); err == nil {
			return capture.Moment{At: at, Set: true, Wall: true}
		}
	}
	require.Fail(t, s)
	return capture.Moment{}
}

// seen are the first and the last moment of each source, in UTC, and how many
// there are.
func seen(t testing.TB, c capture.CookOptions, inputs ...*capture.Input) map[string]string {
	t.Helper()
	first, last, n := map[string]time.Time{}, map[string]time.Time{}, map[string]int{}
	for f := range frames(t, c, inputs...) {
		if n[f.Source]++; n[f.Source] == 1 {
			first[f.Source] = f.Time
		}
		last[f.Source] = f.Time
	}
	all := map[string]string{}
	for source := range n {
		all[source] = fmt.Sprintf("%s to %s, %d", first[source].UTC().Format("02 15:04"), last[source].UTC().Format("02 15:04"), n[source])
	}
	return all
}

// TestMomentsWithoutAZone asks for moments in the recorder's time zone and by others;
// the days and hours are worked out by hand.
func TestMomentsWithoutAZone(t *testing.T) {
	berlin, newYork := place(t, "Europe/Berlin"), place(t, "America/New_York")
	fixed := time.FixedZone("", 5*3600+30*60)
	// Both machines are recorded from 20:00 UTC on, for six hours: that is
	// 22:00 to 04:00 in Berlin, 16:00 to 22:00 in New York.
	evening := func() []*capture.Input {
		start := time.Date(2020, 6, 15, 20, 0, 0, 0, time.UTC)
		return []*capture.Input{
			zonedLog(t, "b", "BERLIN", "", minutes(start.In(berlin), 361)...),
			zonedLog(t, "n", "NEWYORK", "", minutes(start.In(newYork), 361)...),
		}
	}
	for _, test := range []struct {
		from, to string
		zone     *time.Location
		want     map[string]string
	}{
		{"23:50", "00:10", nil, map[string]string{"b": "15 21:50 to 15 22:10, 21"}},
		{"17:00", "17:30", nil, map[string]string{"n": "15 21:00 to 15 21:30, 31"}},
		{"22:00", "22:00", nil, map[string]string{"b": "15 20:00 to 15 20:00, 1", "n": "16 02:00 to 16 02:00, 1"}},
		{"", "22:30", nil, map[string]string{"b": "15 20:00 to 15 20:30, 31", "n": "15 20:00 to 16 02:00, 361"}},
		{"2020-06-16 00:00", "", nil, map[string]string{"b": "15 22:00 to 16 02:00, 241"}},
		{"23:50", "00:10", time.UTC, map[string]string{"b": "15 23:50 to 16 00:10, 21", "n": "15 23:50 to 16 00:10, 21"}},
		{"23:50", "00:10", berlin, map[string]string{"b": "15 21:50 to 15 22:10, 21", "n": "15 21:50 to 15 22:10, 21"}},
		{"02:00", "2020-06-16 02:30", fixed, map[string]string{"b": "15 20:30 to 15 21:00, 31", "n": "15 20:30 to 15 21:00, 31"}},
	} {
		c := capture.CookOptions{Zone: test.zone}
		if test.from != "" {
			c.From = wall(t, test.from)
		}
		if test.to != "" {
			c.To = wall(t, test.to)
		}
		require.Equal(t, test.want, seen(t, c, evening()...), "%s to %s, %v", test.from, test.to, test.zone)
	}
}

// TestDayOfAMachine checks that a time of day is that of the first file of a
// machine, not of each of its files.
func TestDayOfAMachine(t *testing.T) {
	day := time.Date(2020, 6, 15, 8, 0, 0, 0, time.UTC)
	inputs := func() []*capture.Input {
		return []*capture.Input{
			zonedLog(t, "tuesday", "M", "11111111-0000-0000-0000-000000000000", minutes(day.AddDate(0, 0, 1), 200)...),
			zonedLog(t, "monday", "M", "22222222-0000-0000-0000-000000000000", minutes(day, 200)...),
		}
	}
	c := capture.CookOptions{From: wall(t, "09:00"), To: wall(t, "09:10")}
	require.Equal(t, map[string]string{"monday": "15 09:00 to 15 09:10, 11"}, seen(t, c, inputs()...))
	c.To = wall(t, "2020-06-16 08:05")
	require.Equal(t, map[string]string{"monday": "15 09:00 to 15 11:19, 140", "tuesday": "16 08:00 to 16 08:05, 6"}, seen(t, c, inputs()...))
}

// TestClockThatIsSetBack asks by a clock that shows an hour twice, and by one that
// jumps over one: the first time it shows what is asked for counts.
func TestClockThatIsSetBack(t *testing.T) {
	// On 2013-11-03 at 02:00 PDT, which is 09:00 UTC, it becomes 01:00 PST.
	pacific := place(t, "America/Los_Angeles")
	back := func() *capture.Input {
		return zonedLog(t, "l", "L", "", minutes(time.Date(2013, 11, 3, 7, 0, 0, 0, time.UTC).In(pacific), 241)...)
	}
	for _, zone := range []*time.Location{nil, pacific} {
		for _, test := range []struct{ from, to, want string }{
			{"01:30", "03:00", "03 08:30 to 03 11:00, 151"},
			{"00:30", "01:30", "03 07:30 to 03 08:30, 61"},
			{"02:30", "03:00", "03 10:30 to 03 11:00, 31"},
		} {
			c := capture.CookOptions{From: wall(t, test.from), To: wall(t, test.to), Zone: zone}
			require.Equal(t, map[string]string{"l": test.want}, seen(t, c, back()), "%s, %v", test.from, zone)
		}
	}
	// On 2013-10-27 at 03:00 CEST, which is 01:00 UTC, it becomes 02:00 CET.
	berlin := place(t, "Europe/Berlin")
	for start, want := range map[int]string{0: "27 00:30 to 27 00:40, 11", 75: "27 01:30 to 27 01:40, 11"} {
		for _, zone := range []*time.Location{nil, berlin} {
			in := zonedLog(t, "l", "L", "", minutes(time.Date(2013, 10, 27, 0, start, 0, 0, time.UTC).In(berlin), 120)...)
			c := capture.CookOptions{From: wall(t, "02:30"), To: wall(t, "02:40"), Zone: zone}
			require.Equal(t, map[string]string{"l": want}, seen(t, c, in), "%d, %v", start, zone)
		}
	}
	// On 2013-03-10 at 02:00 PST, which is 10:00 UTC, it becomes 03:00 PDT.
	forth := zonedLog(t, "l", "L", "", minutes(time.Date(2013, 3, 10, 9, 0, 0, 0, time.UTC).In(pacific), 181)...)
	c := capture.CookOptions{From: wall(t, "01:50"), To: wall(t, "03:10")}
	require.Equal(t, map[string]string{"l": "10 09:50 to 10 10:10, 21"}, seen(t, c, forth))

	// What no clock of the zone shows is said as it is read.
	c = capture.CookOptions{From: wall(t, "2013-03-10 02:30"), Zone: pacific}
	require.Equal(t, []string{"--from 02:30 is 2013-03-10 03:30:00 -07:00, in America/Los_Angeles"}, record(t, capture.Options{}, c, blockAt("x", "X", time.Date(2013, 3, 10, 9, 0, 0, 0, time.UTC))).Readings("02:30", ""))
}

// TestReadings holds what is said of how moments are read.
func TestReadings(t *testing.T) {
	berlin := place(t, "Europe/Berlin")
	start := time.Date(2020, 6, 15, 20, 0, 0, 0, time.UTC)
	log := func(name, host string, zone *time.Location) *capture.Input {
		return zonedLog(t, name, host, "", minutes(start.In(zone), 3)...)
	}
	unknown := func() *capture.Input {
		return text("-", "\"(PDH-CSV 4.0)\",\"\\\\U\\O\\C\"\n\"06/15/2020 20:00:00.000\",\"1\"\n")
	}
	of := func(c capture.CookOptions, inputs ...*capture.Input) []string {
		return record(t, capture.Options{}, c, inputs...).Readings("23:50", "00:10")
	}
	c := capture.CookOptions{From: wall(t, "23:50"), To: wall(t, "00:10")}
	require.Equal(t, []string{"--from 23:50 is 2020-06-15 23:50:00 +02:00, --to 00:10 is 2020-06-16 00:10:00 +02:00, in the recorder's time zone"}, of(c, log("b", "B", berlin)))
	require.Equal(t, []string{
		"B, C: --from 23:50 is 2020-06-15 23:50:00 +02:00, --to 00:10 is 2020-06-16 00:10:00 +02:00, in the recorder's time zone",
		"U: --from 23:50 is 2020-06-15 23:50:00, --to 00:10 is 2020-06-16 00:10:00, in the recorder's time zone, which is not known",
		"I: --from 23:50 is 2020-06-16 23:50:00 +05:30, --to 00:10 is 2020-06-17 00:10:00 +05:30, in the recorder's time zone",
	}, of(c, log("b", "B", berlin), log("c", "C", berlin), unknown(), log("i", "I", time.FixedZone("", 5*3600+1800))))
	require.Equal(t, []string{"--from 23:50 is 2020-06-15 23:50:00 UTC, --to 00:10 is 2020-06-16 00:10:00 UTC, in UTC; --tz gives another time zone"},
		of(c, blockAt("x", "X", start)))

	c.Zone = berlin
	require.Equal(t, []string{"--from 23:50 is 2020-06-15 23:50:00 +02:00, --to 00:10 is 2020-06-16 00:10:00 +02:00, in Europe/Berlin"}, of(c, blockAt("x", "X", start)))
	c.From = capture.Moment{At: start, Set: true}
	require.Equal(t, []string{"--to 00:10 is 2020-06-16 00:10:00 +02:00, in Europe/Berlin"}, of(c, blockAt("x", "X", start)))
	c.To = capture.Moment{After: time.Hour, Set: true}
	require.Empty(t, of(c, blockAt("x", "X", start)))
	require.Equal(t, []string{"the time zone of U is not known: its times are in that of the recorder, whatever --tz says"}, of(c, unknown()))

	var many []*capture.Input
	for i := range 7 {
		many = append(many, log(fmt.Sprint(i), fmt.Sprint("M", i), time.FixedZone("", i*3600)))
	}
	all := of(capture.CookOptions{From: wall(t, "23:50")}, many...)
	require.Len(t, all, 5)
	require.Equal(t, "3 more machines have other start times or time zones; --from and --to are applied to each machine separately", all[4])
}

// TestFromIsAPartOfTheWhole checks that what is cooked from a moment on is what is
// cooked of the whole: the first rate is that of the sample before.
func TestFromIsAPartOfTheWhole(t *testing.T) {
	start := time.Date(2020, 6, 15, 20, 0, 0, 0, time.UTC)
	b := perftest.Busy(1, perftest.Small)
	log := func(name string) *capture.Input {
		return zonedLog(t, name, name, "", minutes(start, 10)...)
	}
	dump := func(at time.Time) *capture.Input {
		b, err := os.ReadFile("../testdata/minidump/service_x64.dmp")
		require.NoError(t, err)
		binary.LittleEndian.PutUint32(b[20:], uint32(at.Unix()))
		in := bytesOf(at.String(), b)
		in.Format = "minidump"
		return in
	}
	for name, inputs := range map[string]func() []*capture.Input{
		"log":  func() []*capture.Input { return []*capture.Input{log("l")} },
		"logs": func() []*capture.Input { return []*capture.Input{log("l"), log("m")} },
		"blocks": func() (all []*capture.Input) {
			for i := range 6 {
				all = append(all, bytesOf(fmt.Sprint("block", i), later(b, time.Duration(i)*time.Minute)))
			}
			return all
		},
		"objects": func() []*capture.Input { return []*capture.Input{smallLog(t)} },
		"agent": func() []*capture.Input {
			all := ""
			for i := range 6 {
				all += fmt.Sprintf("<<<winperf_x>>>\n%d.00 10 1000\n2 %d counter\n", start.Unix()+int64(60*i), 500*i*i)
			}
			return []*capture.Input{text("-", all)}
		},
		"dumps": func() []*capture.Input {
			return []*capture.Input{dump(start), dump(start.Add(time.Second)), dump(start.Add(2 * time.Second)), dump(start.Add(4 * time.Second))}
		},
	} {
		cooked := func(from time.Duration) (all []string, times []time.Time) {
			for f := range frames(t, capture.CookOptions{From: capture.Moment{After: from, Set: from > 0}}, inputs()...) {
				for i := range f.Cells {
					all = append(all, fmt.Sprint(f.Time, filepath.Base(f.Source), f.Cells[i].Series.Path(), said(&f.Cells[i])))
					times = append(times, f.Time)
				}
			}
			return all, times
		}
		whole, times := cooked(0)
		from := slices.IndexFunc(times, func(at time.Time) bool { return !at.Before(times[0].Add(2 * time.Second)) })
		part, _ := cooked(2 * time.Second)
		require.Positive(t, from, name)
		require.Equal(t, whole[from:], part, name)
		require.NotContains(t, strings.Join(part, "\n"), countertypes.StatusNeedsSecondSample.String(), name)
	}
}

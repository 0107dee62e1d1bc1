package capture_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

const (
	oneGUID   = "11111111-0000-0000-0000-000000000000"
	otherGUID = "22222222-0000-0000-0000-000000000000"
)

// cookedAt are the values of a recording as "source 20:01 value", and its remarks.
func cookedAt(t testing.TB, inputs ...*capture.Input) (all, remarks []string) {
	t.Helper()
	var c capture.CookOptions
	r := reported(&c)
	for f := range frames(t, c, inputs...) {
		for i := range f.Cells {
			all = append(all, fmt.Sprint(f.Source, f.Time.UTC().Format(" 15:04 "), said(&f.Cells[i])))
		}
	}
	return all, *r
}

// TestCopiesOfALog reads two copies of a log that grew between them: what both have
// counts once, and each value is that of the copy that knows more.
func TestCopiesOfALog(t *testing.T) {
	start := time.Date(2020, 6, 15, 20, 0, 0, 0, time.UTC)
	times := minutes(start, 6)
	early := func() *capture.Input { return zonedLog(t, "z-early", "M", oneGUID, times[:4]...) }
	late := func() *capture.Input { return zonedLog(t, "late", "M", oneGUID, times...) }

	whole, told := cookedAt(t, late())
	require.Equal(t, []string{
		"late 20:00 needs-second-sample", "late 20:01 10", "late 20:02 20", "late 20:03 30", "late 20:04 40", "late 20:05 50",
	}, whole)
	require.Empty(t, told)
	for _, inputs := range [][]*capture.Input{{late(), early()}, {late(), late()}} {
		got, told := cookedAt(t, inputs...)
		require.Equal(t, whole, got)
		require.Len(t, told, 1)
	}
	_, told = cookedAt(t, late(), early())
	require.Equal(t, []string{"twice: z-early: given twice: 4 snapshots, here and in late; counted once"}, told)
	_, told = cookedAt(t, late(), late(), early())
	require.Equal(t, []string{"twice: late: given twice: 10 snapshots of this and 1 other file; counted once"}, told)

	// One that begins later knows no rate at its first snapshot, whatever its name.
	cut := zonedLog(t, "a-cut", "M", oneGUID, times[2:]...)
	got, _ := cookedAt(t, cut, late())
	require.Equal(t, whole, got)

	// Text logs say no more of who recorded them than machine and time zone.
	log := func(name, value string) *capture.Input {
		return text(name, "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\M\\O\\C\"\n\"06/15/2020 20:00:00.000\",\""+value+"\"\n")
	}
	got, told = cookedAt(t, log("a", "1"), log("b", "2"))
	require.Equal(t, []string{"a 20:00 1"}, got)
	require.Equal(t, []string{"twice: b: given twice: 1 snapshot, here and in a; counted once, though 1 value differs: cook the files one by one to see both"}, told)
	_, told = cookedAt(t, log("a", "1"), log("b", " "))
	require.Equal(t, []string{"twice: b: given twice: 1 snapshot, here and in a; counted once"}, told)

	// Another counter of the recording is no copy.
	raw := rawLog(t, "other", "M", start, time.Minute, 2)
	none := zonedLog(t, "late", "M", "", times[:2]...)
	got, told = cookedAt(t, none, raw)
	require.Equal(t, []string{"late 20:00 needs-second-sample", "other 20:00 0", "late 20:01 10", "other 20:01 1"}, got)
	require.Empty(t, told)
}

// TestRecordingsOfAMachine has two logs of one machine at the same time: each is
// cooked by itself.
func TestRecordingsOfAMachine(t *testing.T) {
	start := time.Date(2020, 6, 15, 20, 0, 0, 0, time.UTC)
	times := minutes(start, 6)
	got, told := cookedAt(t,
		zonedLog(t, "a", "M", oneGUID, times[0], times[2], times[4]), zonedLog(t, "b", "m", otherGUID, times[1], times[3], times[4], times[5]))
	require.Equal(t, []string{
		"a 20:00 needs-second-sample", "b 20:01 needs-second-sample", "a 20:02 5", "b 20:03 5",
		"a 20:04 10", "b 20:04 20", "b 20:05 30",
	}, got)
	require.Equal(t, []string{"overlap: a: another recording of M, b, covers the same time; they are kept separate: no value is computed across the two, and the column source (--with) says which one a row is from"}, told)

	// One behind the other, and two machines, are told nothing of.
	_, told = cookedAt(t, zonedLog(t, "a", "M", oneGUID, times[:3]...), zonedLog(t, "b", "M", otherGUID, times[3:]...))
	require.Empty(t, told)
	_, told = cookedAt(t, zonedLog(t, "a", "M", oneGUID, times...), zonedLog(t, "b", "N", oneGUID, times...))
	require.Empty(t, told)
	// The same identifier in another time zone is another recording.
	_, told = cookedAt(t, textLog("a", "M", start, time.Second, 3), zonedLog(t, "b", "M", oneGUID, start, start.Add(time.Second), start.Add(2*time.Second)))
	require.Len(t, told, 1)
	require.Contains(t, told[0], "overlap: ")
}

// TestBlocksThatAreThereTwice gives blocks twice: those of the same bytes count
// once, whatever their files, and are no sample for rates.
func TestBlocksThatAreThereTwice(t *testing.T) {
	b := perftest.Busy(1, perftest.Small)
	block := func(name string, after time.Duration) *capture.Input { return bytesOf(name, later(b, after)) }
	values := func(all []string) (without []string) {
		for _, s := range all {
			_, value, _ := strings.Cut(s, " ")
			without = append(without, value)
		}
		return without
	}
	whole, _ := cookedAt(t, block("a", 0), block("b", time.Minute), block("c", 2*time.Minute))
	got, remarks := cookedAt(t, block("a", 0), block("c", 2*time.Minute), block("b", time.Minute), block("copy", time.Minute), block("a", 0))
	require.Equal(t, whole, got)
	require.Equal(t, []string{"twice: a: given twice: 2 snapshots of this and 1 other file; counted once"}, remarks)

	// Every second one is counted of those that count.
	sources := ""
	for f := range frames(t, capture.CookOptions{Every: 2}, block("a", 0), block("a", 0), block("b", time.Minute), block("c", 2*time.Minute)) {
		sources += f.Source
	}
	require.Equal(t, "ac", sources)

	// Blocks of one moment with other bytes are two answers of the registry.
	other := later(b, time.Minute)
	other[len(other)-1] ^= 1
	got, _ = cookedAt(t, block("b", time.Minute), bytesOf("c", other))
	require.Len(t, got, 2*len(whole)/3)

	// Sections of agents of the same bytes and time count once, those that only one
	// file has are there.
	section := func(object string, second, value int) string {
		return fmt.Sprintf("<<<winperf_%s>>>\n%d.00 10 1000\n2 %d counter\n", object, 1592251200+second, value)
	}
	x, y, z := section("2", 0, 100), section("2", 10, 300), section("2", 20, 700)
	whole, _ = cookedAt(t, text("f0", x+y+z))
	got, remarks = cookedAt(t, text("f0", x+y), text("f1", x+y+z))
	require.Equal(t, values(whole), values(got))
	require.Equal(t, []string{"twice: f1: given twice: 2 snapshots, here and in f0; counted once"}, remarks)
	got, remarks = cookedAt(t, text("f0", x+section("4", 0, 1)), text("f1", x))
	require.Len(t, got, 2)
	require.Len(t, remarks, 1)
	got, remarks = cookedAt(t, text("f0", x), text("f1", section("2", 0, 101)))
	require.Len(t, got, 2)
	require.Empty(t, remarks)
}

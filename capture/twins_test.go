package capture_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
)

const (
	oneGUID   = "11111111-0000-0000-0000-000000000000"
	otherGUID = "22222222-0000-0000-0000-000000000000"
)

// cookedAt are the values of a recording as "source 20:01 value", and what is told
// of it.
func cookedAt(t testing.TB, c capture.CookOptions, inputs ...*detect.Input) (all, told []string) {
	t.Helper()
	c.Remark = func(m capture.Remark) { told = append(told, fmt.Sprint(m.Code, ": ", m.Source, ": ", m.Text)) }
	r := record(t, capture.Options{}, c, inputs...)
	_, err := r.Columns()
	require.NoError(t, err)
	for f, err := range r.Frames() {
		require.NoError(t, err)
		for _, cell := range f.Cells {
			value := cell.Status.String()
			if cell.Status == countertypes.StatusOK {
				value = fmt.Sprint(cell.Value)
			}
			all = append(all, fmt.Sprint(f.Source, f.Time.UTC().Format(" 15:04 "), value))
		}
	}
	return all, told
}

// TestCopiesOfALog reads two copies of a log that grew between them: what both have
// counts once, and each value is that of the copy that knows more.
func TestCopiesOfALog(t *testing.T) {
	start := time.Date(2020, 6, 15, 20, 0, 0, 0, time.UTC)
	times := minutes(start, 6)
	early := func() *detect.Input { return zonedLog(t, "z-early", "M", oneGUID, times[:4]...) }
	late := func() *detect.Input { return zonedLog(t, "late", "M", oneGUID, times...) }

	whole, told := cookedAt(t, capture.CookOptions{}, late())
	require.Equal(t, []string{
		"late 20:00 needs-second-sample", "late 20:01 10", "late 20:02 20", "late 20:03 30", "late 20:04 40", "late 20:05 50",
	}, whole)
	require.Empty(t, told)
	for _, inputs := range [][]*detect.Input{{late(), early()}, {late(), late()}} {
		got, told := cookedAt(t, capture.CookOptions{}, inputs...)
		require.Equal(t, whole, got)
		require.Len(t, told, 1)
	}
	_, told = cookedAt(t, capture.CookOptions{}, late(), early())
	require.Equal(t, []string{"twice: z-early: given twice: 4 snapshots, here and in late; counted once"}, told)
	_, told = cookedAt(t, capture.CookOptions{}, late(), late(), early())
	require.Equal(t, []string{"twice: late: given twice: 10 snapshots of this and 1 other file; counted once"}, told)

	// One that begins later knows no rate at its first snapshot, whatever its name.
	cut := zonedLog(t, "a-cut", "M", oneGUID, times[2:]...)
	got, _ := cookedAt(t, capture.CookOptions{}, cut, late())
	require.Equal(t, whole, got)

	// Text logs say no more of who recorded them than machine and time zone.
	text := func(name, value string) *detect.Input {
		in := opened(t, "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\M\\O\\C\"\n\"06/15/2020 20:00:00.000\",\""+value+"\"\n")
		in.Name = name
		return in
	}
	got, told = cookedAt(t, capture.CookOptions{}, text("a", "1"), text("b", "2"))
	require.Equal(t, []string{"a 20:00 1"}, got)
	require.Equal(t, []string{"twice: b: given twice: 1 snapshot, here and in a; counted once, though 1 value differs: cook the files one by one to see both"}, told)
	_, told = cookedAt(t, capture.CookOptions{}, text("a", "1"), text("b", " "))
	require.Equal(t, []string{"twice: b: given twice: 1 snapshot, here and in a; counted once"}, told)

	// Another counter of the recording is no copy.
	raw := rawLog(t, "other", "M", start, time.Minute, 2)
	none := zonedLog(t, "late", "M", "", times[:2]...)
	got, told = cookedAt(t, capture.CookOptions{}, none, raw)
	require.Equal(t, []string{"late 20:00 needs-second-sample", "other 20:00 0", "late 20:01 10", "other 20:01 1"}, got)
	require.Empty(t, told)
}

// TestRecordingsOfAMachine has two logs of one machine at the same time: each is
// cooked by itself.
func TestRecordingsOfAMachine(t *testing.T) {
	start := time.Date(2020, 6, 15, 20, 0, 0, 0, time.UTC)
	times := minutes(start, 6)
	got, told := cookedAt(t, capture.CookOptions{},
		zonedLog(t, "a", "M", oneGUID, times[0], times[2], times[4]), zonedLog(t, "b", "m", otherGUID, times[1], times[3], times[4], times[5]))
	require.Equal(t, []string{
		"a 20:00 needs-second-sample", "b 20:01 needs-second-sample", "a 20:02 5", "b 20:03 5",
		"a 20:04 10", "b 20:04 20", "b 20:05 30",
	}, got)
	require.Equal(t, []string{"overlap: a: another recording of M, b, is of the same time; they are kept apart: no value is computed across the two, and the column source (--with) tells which one a row is of"}, told)

	// One behind the other, and two machines, are told nothing of.
	_, told = cookedAt(t, capture.CookOptions{}, zonedLog(t, "a", "M", oneGUID, times[:3]...), zonedLog(t, "b", "M", otherGUID, times[3:]...))
	require.Empty(t, told)
	_, told = cookedAt(t, capture.CookOptions{}, zonedLog(t, "a", "M", oneGUID, times...), zonedLog(t, "b", "N", oneGUID, times...))
	require.Empty(t, told)
	// The same identifier in another time zone is another recording.
	_, told = cookedAt(t, capture.CookOptions{}, textLog(t, "a", "M", start, time.Second, 3), zonedLog(t, "b", "M", oneGUID, start, start.Add(time.Second), start.Add(2*time.Second)))
	require.Len(t, told, 1)
	require.Contains(t, told[0], "overlap: ")
}

// TestBlocksThatAreThereTwice gives blocks twice: those of the same bytes count
// once, whatever their files, and are no sample for rates.
func TestBlocksThatAreThereTwice(t *testing.T) {
	b := perftest.Busy(1, perftest.Small)
	block := func(name string, after time.Duration) *detect.Input { return bytesOf(name, later(b, after)) }
	whole := lines(t, record(t, capture.Options{}, capture.CookOptions{}, block("a", 0), block("b", time.Minute), block("c", 2*time.Minute)))
	var told []capture.Remark
	c := capture.CookOptions{Remark: func(m capture.Remark) { told = append(told, m) }}
	got := lines(t, record(t, capture.Options{}, c, block("a", 0), block("c", 2*time.Minute), block("b", time.Minute), block("copy", time.Minute), block("a", 0)))
	require.Equal(t, whole, got)
	require.Equal(t, []capture.Remark{{Code: capture.RemarkTwice, Source: "a", Text: "given twice: 2 snapshots of this and 1 other file; counted once"}}, told)

	// Every second one is counted of those that count.
	every := func(inputs ...*detect.Input) (sources string) {
		for f, err := range record(t, capture.Options{}, capture.CookOptions{Every: 2}, inputs...).Frames() {
			require.NoError(t, err)
			sources += f.Source
		}
		return sources
	}
	require.Equal(t, "ac", every(block("a", 0), block("a", 0), block("b", time.Minute), block("c", 2*time.Minute)))

	// Blocks of one moment with other bytes are two answers of the registry.
	other := later(b, time.Minute)
	other[len(other)-1] ^= 1
	require.Len(t, lines(t, record(t, capture.Options{}, capture.CookOptions{}, block("b", time.Minute), bytesOf("c", other))), 2*len(whole)/3)
}

// TestAgentsThatAreThereTwice gives the output of agents twice: sections of the same
// bytes and time count once, those that only one file has are there.
func TestAgentsThatAreThereTwice(t *testing.T) {
	section := func(object string, second, value int) string {
		return fmt.Sprintf("<<<winperf_%s>>>\n%d.00 10 1000\n2 %d counter\n", object, 1592251200+second, value)
	}
	cooked := func(texts ...string) (values, told []string) {
		var inputs []*detect.Input
		for i, text := range texts {
			in := opened(t, text)
			in.Name = fmt.Sprint("f", i)
			inputs = append(inputs, in)
		}
		c := capture.CookOptions{Remark: func(m capture.Remark) { told = append(told, fmt.Sprint(m.Code, ": ", m.Source, ": ", m.Text)) }}
		for _, l := range lines(t, record(t, capture.Options{}, c, inputs...)) {
			values = append(values, fmt.Sprint(l.time, l.path, l.value, l.status))
		}
		return values, told
	}
	a, b, c := section("2", 0, 100), section("2", 10, 300), section("2", 20, 700)
	whole, told := cooked(a, b, c)
	require.Len(t, whole, 3)
	require.Empty(t, told)
	got, told := cooked(a+b, a+b+c)
	require.Equal(t, whole, got)
	require.Equal(t, []string{"twice: f1: given twice: 2 snapshots, here and in f0; counted once"}, told)
	got, told = cooked(a+section("4", 0, 1), a)
	require.Len(t, got, 2)
	require.Len(t, told, 1)
	got, told = cooked(a, section("2", 0, 101))
	require.Len(t, got, 2)
	require.Empty(t, told)
}

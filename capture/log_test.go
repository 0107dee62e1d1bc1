package capture_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// Logs recorded elsewhere, which are not part of the tree: what is known of them
// is in docs/blg.md.

func values(t testing.TB, r *capture.Recording, path string) (all []float64, statuses []countertypes.Status, times []time.Time) {
	t.Helper()
	for f := range framesOf(t, r) {
		for _, c := range f.Cells {
			if strings.EqualFold(c.Series.Path(), path) {
				all, statuses, times = append(all, c.Value), append(statuses, c.Status), append(times, f.Time)
			}
		}
	}
	return all, statuses, times
}

func openLog(t testing.TB, name string, c capture.CookOptions) *capture.Recording {
	t.Helper()
	return record(t, capture.Options{}, c, open(t, logs+name))
}

func TestLogOfSeries(t *testing.T) {
	r := openLog(t, "Tx_BasicPerfCounters.blg", capture.CookOptions{})
	require.Equal(t, 601, r.Len())
	total, statuses, times := values(t, r, `\\GEORGIS3\Processor(_Total)\% Processor Time`)
	require.Len(t, total, 601)
	require.Equal(t, countertypes.StatusNeedsSecondSample, statuses[0])
	require.Equal(t, []float64{9.378262382554226, 5.865413440457123, 8.204103036507815, 3.128380819509402}, total[1:5])
	low, high, sum := math.Inf(1), math.Inf(-1), 0.0
	for i, v := range total[1:] {
		require.Equal(t, countertypes.StatusOK, statuses[i+1])
		low, high, sum = min(low, v), max(high, v), sum+v
	}
	require.InDeltaSlice(t, []float64{32.816, 11.527, 1.569, 53.908}, []float64{total[600], sum / 600, low, high}, 5e-4)
	require.Equal(t, "2013-02-20T02:50:17.844Z", times[0].Format(time.RFC3339Nano))
	require.Equal(t, "2013-02-20T03:00:17.84Z", times[600].Format(time.RFC3339Nano))

	columns, err := r.Columns()
	require.NoError(t, err)
	require.Len(t, columns, 10)
	cells, ok := 0, 0
	for f := range framesOf(t, r) {
		require.Equal(t, 8*time.Hour, -f.Offset.East)
		require.Equal(t, "GEORGIS3", f.Host)
		for _, c := range f.Cells {
			if cells++; c.Status == countertypes.StatusOK {
				ok++
			}
		}
	}
	require.Equal(t, []int{6010, 6000}, []int{cells, ok})
}

func TestLogOfObjects(t *testing.T) {
	r := openLog(t, "PAL_SampleLog.blg", capture.CookOptions{})
	require.Equal(t, 11, r.Len())
	total, statuses, times := values(t, r, `\\ZACH-PC\Processor(_Total)\% Processor Time`)
	require.Equal(t, []float64{
		0, 82.1481131553226, 86.8978575184901, 48.3065072179137, 56.51046450515571, 60.338585294222845,
		31.041742520749892, 29.869868809810974, 19.713629981673687, 32.552157525960055, 24.635499567617146,
	}, total)
	require.Equal(t, countertypes.StatusNeedsSecondSample, statuses[0])
	require.Equal(t, "2007-08-14T19:40:38.659Z", times[0].Format(time.RFC3339Nano))
	idle, _, _ := values(t, r, `\\ZACH-PC\Process(Idle)\% Processor Time`)
	require.Len(t, idle, 11)
	for i := 1; i < 11; i++ {
		require.InDelta(t, 100, total[i]+idle[i], 0.5, "in each interval the Idle process completes it")
	}
	_, all, _ := values(t, r, `\\ZACH-PC\Process(_Total)\% Processor Time`)
	back := 0
	for _, s := range all[1:] {
		if s != countertypes.StatusOK {
			back++
		}
	}
	require.Equal(t, 1, back, "the sum of all processes goes backwards once")

	columns, err := r.Columns()
	require.NoError(t, err)
	process := 0
	for _, s := range columns {
		if s.Object == "Process" {
			process++
		}
	}
	require.Equal(t, []int{1832, 1596}, []int{len(columns), process})
	for f := range framesOf(t, r) {
		seen := cooked(t, f)
		require.Equal(t, value{83587072, 0}, seen[`\\ZACH-PC\Memory\Available Bytes`])
		require.Equal(t, value{571310080, 0}, seen[`\\ZACH-PC\Memory\Committed Bytes`])
		break
	}
}

// The second rundll32 ends within a minute, and another one starts. logman of the
// first record of the other log, of whole objects, and of the last one are two.
func TestRealChangesOfOwner(t *testing.T) {
	all, statuses, times := values(t, openLog(t, "PAL_SampleLog.blg", capture.CookOptions{}), `\\ZACH-PC\Process(rundll32#1)\% Processor Time`)
	require.Equal(t, []countertypes.Status{countertypes.StatusNeedsSecondSample, countertypes.StatusInstanceChanged, 0, 0}, statuses)
	require.Equal(t, "2007-08-14T19:47:38", times[1].Format("2006-01-02T15:04:05"))
	require.InDelta(t, 100*19687500.0/600000660, all[2], 1e-12) // 53437500 - 33750000 in so many units of 100 ns

	_, statuses, _ = values(t, openLog(t, server2019, capture.CookOptions{Every: 43}), `\\nt0000000\Process(logman)\% Processor Time`)
	require.Equal(t, []countertypes.Status{countertypes.StatusNeedsSecondSample, countertypes.StatusInstanceChanged}, statuses)
}

// Times by the clock of a machine four hours west of UTC, and of one eight hours west.
func TestMomentsOfRealLogs(t *testing.T) {
	of := func(log, from, to, path string) ([]float64, []time.Time) {
		all, _, times := values(t, openLog(t, log, capture.CookOptions{From: wall(t, from), To: wall(t, to)}), path)
		return all, times
	}
	all, times := of("PAL_SampleLog.blg", "15:45", "15:48", `\\ZACH-PC\Processor(_Total)\% Processor Time`)
	require.Equal(t, []float64{60.338585294222845, 31.041742520749892, 29.869868809810974}, all)
	require.WithinDuration(t, time.Date(2007, 8, 14, 19, 45, 38, 599e6, time.UTC), times[0], 10*time.Millisecond)
	const path = `\\GEORGIS3\Processor(_Total)\% Processor Time`
	_, times = of("Tx_BasicPerfCounters.blg", "18:50", "2013-02-19 18:50", path)
	require.Empty(t, times)
	_, times = of("Tx_BasicPerfCounters.blg", "19:00", "2013-02-19 19:01", path)
	require.WithinDuration(t, time.Date(2013, 2, 20, 3, 0, 0, 844e6, time.UTC), times[0], 10*time.Millisecond)
}

// In the log of Windows Server 2019 the set Processor Information stands next to
// the object Processor, read some microseconds apart. Where no tick of the clock
// was between, which the idle times of all processors show, the timers have the
// same values bit for bit; elsewhere they differ by one tick.
func TestSetAgreesWithTheObject(t *testing.T) {
	pairs := map[string]string{"0": "0,0", "1": "0,1", "_Total": "_Total"}
	const object, set = `\\nt0000000\Processor(%)\`, `\\nt0000000\Processor Information(%)\`
	of := func(object, instance, counter string) string {
		return strings.Replace(object, "%", instance, 1) + counter
	}
	same, records, before := 0, 0, false
	for frame := range framesOf(t, openLog(t, server2019, capture.CookOptions{Raw: true})) {
		values, tuples := map[string]value{}, map[string]capture.Tuple{}
		for i, c := range frame.Cells {
			values[c.Series.Path()], tuples[c.Series.Path()] = value{c.Value, c.Status}, frame.Tuple(i)
		}
		now := true
		for old, name := range pairs {
			now = now && tuples[of(object, old, "% Processor Time")] == tuples[of(set, name, "% Processor Time")]
		}
		for old, name := range pairs {
			for _, counter := range []string{"% Processor Time", "% User Time", "% Privileged Time", "% DPC Time", "% Interrupt Time"} {
				want, got := values[of(object, old, counter)], values[of(set, name, counter)]
				if frame.Record <= 2 || now && before {
					assert.Equal(t, want, got, "record %d, %s of %s", frame.Record, counter, name)
				} else {
					assert.InDelta(t, want.value, got.value, 0.53, "record %d, %s of %s", frame.Record, counter, name) // 15.625 ms of 3 s
				}
			}
		}
		if frame.Record == 1 {
			assert.Equal(t, 1.5796185850074473, values[of(set, "0,0", "% Processor Time")].value)
			assert.Equal(t, 1.839989964412192, values[of(set, "_Total", "% Processor Time")].value)
		}
		if records++; now && before {
			same++
		}
		before = now
	}
	assert.Equal(t, 44, records)
	assert.Greater(t, same, 10)
}

// Values of the second record, worked out by hand of the raw numbers of both:
// rates by the performance counter, a precision timer, and averages of which two
// have one base. Netlogon has status 0xE8 in all records, and no instances: no row.
func TestSetValuesByHand(t *testing.T) {
	want := map[string]float64{
		"Interrupts/sec":          float64(204615737-204609233) / (float64(6618216947648-6618187010636) / 1e7),
		"C2 Transitions/sec":      float64(157485065-157479877) / (float64(6618216947648-6618187010636) / 1e7),
		"% Idle Time":             float64(6545367031250-6545337500000) / float64(132617525357785241-132617525327780023) * 100,
		"Average Idle Time":       float64(6457124106156-6457095390701) / float64(160092775-160087587) * 100,
		"% Processor Performance": float64(1006798139437-1006790504206) / float64(1478046807-1477970454),
		"% Processor Utility":     float64(1006798139437-1006790504206) / float64(1321698818-1319827749),
		"% Privileged Utility":    float64(687694829593-687690231787) / float64(1321698818-1319827749),
		"Processor Frequency":     2295,
	}
	for f := range framesOf(t, openLog(t, server2019, capture.CookOptions{})) {
		for _, c := range f.Cells {
			assert.NotEqual(t, "Netlogon", c.Series.Object)
			assert.NotEmpty(t, c.Series.Counter, "a base is not shown")
		}
		if f.Record == 1 {
			got := cooked(t, f)
			for counter, w := range want {
				v := got[`\\nt0000000\Processor Information(0,0)\`+counter]
				assert.Equal(t, countertypes.StatusOK, v.status, counter)
				assert.InEpsilon(t, w, v.value, 1e-15, counter)
			}
		}
	}
}

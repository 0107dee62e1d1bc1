package story_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/story"
	"github.com/perfdump/perfdump/internal/testkit/story/cooked"
)

const dir = "../../../testdata/story"

var recordings = sync.OnceValue(func() []*story.Recording { return []*story.Recording{story.SQL(), story.Quiet()} })

// TestFixture holds that testdata/story is what the generator makes, unpacked:
// packers differ. With -update it writes it.
func TestFixture(t *testing.T) {
	for _, r := range recordings() {
		name := filepath.Join(dir, r.File+".gz")
		if *golden.Update {
			var b bytes.Buffer
			w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
			require.NoError(t, err)
			_, err = w.Write(r.Log)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			require.NoError(t, os.MkdirAll(dir, 0o750))
			require.NoError(t, os.WriteFile(name, b.Bytes(), 0o600))
		}
		f, err := os.Open(name)
		require.NoError(t, err, "run go test with -update")
		defer f.Close()
		st, err := f.Stat()
		require.NoError(t, err)
		assert.Less(t, st.Size(), int64(1_500_000), name)
		z, err := gzip.NewReader(f)
		require.NoError(t, err)
		got, err := io.ReadAll(z)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(r.Log, got), "%s: run go test with -update", name)
	}
	golden.File(t, filepath.Join(dir, "truth.json"), story.Truth(recordings()...))
}

// at is a sample with its values by path, without the machine.
type at struct {
	*capture.Frame

	clock  string // local time of day
	values map[string]float64
}

func (a *at) sum(t testing.TB, paths ...string) float64 {
	var sum float64
	for _, p := range paths {
		v, ok := a.values[p]
		require.True(t, ok, "%s %s", a.clock, p)
		sum += v
	}
	return sum
}

// over adds up a counter over all instances of an object but _Total.
func (a *at) over(object, counter string) (sum float64) {
	for p, v := range a.values {
		if strings.HasPrefix(p, `\`+object+`(`) && strings.HasSuffix(p, `)\`+counter) && !strings.Contains(p, "(_Total)") {
			sum += v
		}
	}
	return sum
}

func each(t *testing.T, r *story.Recording, f func(*at)) {
	rec, err := cooked.Recording(r, capture.Options{}, capture.CookOptions{})
	require.NoError(t, err)
	for frame, err := range rec.Frames() {
		require.NoError(t, err)
		a := at{Frame: frame, clock: frame.Time.Add(time.Hour).Format("15:04:05"), values: map[string]float64{}}
		for i := range frame.Cells {
			if v, ok := frame.Cells[i].Number(); ok {
				a.values[strings.TrimPrefix(frame.Cells[i].Series.Path(), `\\`+r.Machine)] = v
			}
		}
		f(&a)
	}
}

// TestHangsTogether holds what anybody who knows Windows expects of any sample.
func TestHangsTogether(t *testing.T) {
	for _, r := range recordings() {
		cores, ram := 4.0, 16.0*(1<<30)
		if r.Machine == "SRV-QUIET-01" {
			cores, ram = 2, 8<<30
		}
		samples := 0
		each(t, r, func(a *at) {
			samples++
			near := func(want, got, within float64, what string) {
				if math.Abs(want-got) > within || math.IsNaN(got) {
					t.Errorf("%s %s %s: %v, want %v", r.Machine, a.clock, what, got, want)
				}
			}
			used := a.sum(t, `\Process(_Total)\Working Set`, `\Memory\Pool Nonpaged Bytes`, `\Memory\Pool Paged Resident Bytes`,
				`\Memory\System Code Resident Bytes`, `\Memory\System Driver Resident Bytes`, `\Memory\System Cache Resident Bytes`, `\Memory\Modified Page List Bytes`)
			near(ram, used+a.sum(t, `\Memory\Available Bytes`), 1, "used + available")
			near(a.sum(t, `\Memory\Available Bytes`)/(1<<20), a.sum(t, `\Memory\Available MBytes`)+.5, .5, "available MB")
			committed := a.sum(t, `\Memory\Committed Bytes`)
			near(100*committed/a.sum(t, `\Memory\Commit Limit`), a.sum(t, `\Memory\% Committed Bytes In Use`), .01, "committed in use")
			if private := a.sum(t, `\Process(_Total)\Private Bytes`); committed < private {
				t.Errorf("%s: %v committed, %v private", a.clock, committed, private)
			}
			for _, c := range []string{"Working Set", "Private Bytes", "Handle Count", "Thread Count"} {
				near(a.sum(t, `\Process(_Total)\`+c), a.over("Process", c), 0, c)
			}
			near(a.sum(t, `\System\Threads`), a.over("Process", "Thread Count"), 0, "threads")
			for _, c := range []string{"% Free Space", "Free Megabytes"} {
				assert.Greater(t, a.sum(t, `\LogicalDisk(_Total)\`+c), 30.0)
			}
			if samples == 1 {
				return // no rates
			}
			near(100*cores, a.over("Process", "% Processor Time"), cores, "processes")
			near(100*cores, a.sum(t, `\Process(_Total)\% Processor Time`), .001, "Process(_Total)")
			for _, c := range []string{"% Processor Time", "% User Time", "% Privileged Time", "% Idle Time", "% DPC Time"} {
				near(a.sum(t, `\Processor(_Total)\`+c), a.over("Processor", c)/cores, .001, c)
			}
			for _, i := range []string{"0", "1", "_Total"} {
				p := `\Processor(` + i + `)\`
				near(100, a.sum(t, p+"% Processor Time", p+"% Idle Time"), .001, p+"idle and not")
				near(a.sum(t, p+"% Processor Time"), a.sum(t, p+"% User Time", p+"% Privileged Time"), .001, p+"user and privileged")
			}
			near(a.sum(t, `\Process(Idle)\% Processor Time`), 100*cores-cores*a.sum(t, `\Processor(_Total)\% Processor Time`), .001, "Idle")
			for _, d := range [][2]string{{"0 C:", "C:"}, {"1 D:", "D:"}, {"_Total", "_Total"}} {
				p, l := `\PhysicalDisk(`+d[0]+`)\`, `\LogicalDisk(`+d[1]+`)\`
				for _, c := range []string{"Avg. Disk Queue Length", "Disk Reads/sec", "Disk Writes/sec", "Disk Bytes/sec", "% Idle Time", "Current Disk Queue Length"} {
					near(a.sum(t, p+c), a.sum(t, l+c), 0, p+c)
				}
				little := a.values[p+"Disk Reads/sec"]*a.values[p+"Avg. Disk sec/Read"] + a.values[p+"Disk Writes/sec"]*a.values[p+"Avg. Disk sec/Write"]
				near(little, a.sum(t, p+"Avg. Disk Queue Length"), .001*(1+little), p+"queue")
				near(a.sum(t, p+"Disk Transfers/sec"), a.sum(t, p+"Disk Reads/sec", p+"Disk Writes/sec"), .001, p+"transfers")
			}
			if io := a.over("Process", "IO Data Bytes/sec"); io < 0.99*a.sum(t, `\PhysicalDisk(_Total)\Disk Bytes/sec`) && a.over("Process", "ID Process") > 0 && !starts(a) {
				t.Errorf("%s %s: processes transfer %v, disks more", r.Machine, a.clock, io)
			}
			near(a.over("Network Interface", "Bytes Total/sec"), a.over("Network Interface", "Bytes Received/sec")+a.over("Network Interface", "Bytes Sent/sec"), .01, "network")
			if pages, ok := a.values[`\SQLServer:Buffer Manager\Page reads/sec`]; ok && a.clock < "10:00:00" {
				near(pages, a.sum(t, `\PhysicalDisk(1 D:)\Disk Reads/sec`), .001, "pages") // nobody else reads then
			}
		})
		assert.Equal(t, r.Samples, samples)
	}
}

// starts is true in samples in which the rates of a process are not known yet.
func starts(a *at) bool {
	for i := range a.Cells {
		if _, ok := a.Cells[i].Number(); !ok && a.Cells[i].Series.Counter == "IO Data Bytes/sec" {
			return true
		}
	}
	return false
}

// TestTroubles holds that each trouble is where the truth has it, and that what
// is watched is well everywhere else.
func TestTroubles(t *testing.T) {
	type limit struct {
		path     string
		in       string // the kind of trouble that takes it beyond; "" for none
		low, top float64
		to       float64 // at least, or at most if it is below low, in the trouble
	}
	for _, r := range recordings() {
		limits := []limit{
			{path: `\PhysicalDisk(0 C:)\Avg. Disk sec/Write`, top: .002},
			{path: `\Memory\% Committed Bytes In Use`, top: 70},
			{path: `\Memory\Pages/sec`, top: 20},
			{path: `\System\Processor Queue Length`, top: 7},
			{path: `\Processor(_Total)\% Privileged Time`, top: 20},
		}
		if r.Machine == "SRV-SQL-01" {
			limits = append(limits, []limit{
				{path: `\Processor(_Total)\% Processor Time`, low: 5, top: 60},
				{path: `\Processor(3)\% Processor Time`, in: "core-burst", top: 75, to: 99.5},
				{path: `\Process(PdfExport)\% Processor Time`, in: "core-burst", top: 2, to: 95},
				{path: `\PhysicalDisk(1 D:)\Avg. Disk sec/Read`, in: "disk-slow", top: .010, to: .041},
				{path: `\PhysicalDisk(1 D:)\Avg. Disk sec/Write`, in: "disk-slow", top: .010, to: .041},
				{path: `\PhysicalDisk(1 D:)\Avg. Disk Queue Length`, in: "disk-slow", top: 2, to: 10},
				{path: `\PhysicalDisk(1 D:)\% Idle Time`, in: "disk-slow", low: 40, top: 100, to: 6},
				{path: `\Network Interface(Intel[R] Ethernet Server Adapter I350-T2)\Bytes Total/sec`, in: "network-full", top: 10e6, to: 112.5e6},
				{path: `\Memory\Available MBytes`, low: 3000, top: 16000},
				{path: `\SQLServer:Buffer Manager\Page life expectancy`, low: 20_000, top: 60_000},
				{path: `\SQLServer:Buffer Manager\Buffer cache hit ratio`, low: 99, top: 100},
			}...)
		} else {
			limits = append(limits, limit{path: `\PhysicalDisk(1 D:)\Avg. Disk Queue Length`, top: .1}, limit{path: `\Memory\Available MBytes`, low: 6000, top: 8000})
		}
		seen := map[string]int{}
		each(t, r, func(a *at) {
			for _, l := range limits {
				v, ok := a.values[l.path]
				if !ok {
					continue
				}
				seen[l.path]++
				trouble := false
				for _, tr := range r.Troubles {
					trouble = trouble || tr.Kind == l.in && a.Time.After(tr.Start.Add(time.Second)) && !a.Time.After(tr.End.Add(time.Second))
				}
				switch {
				case !trouble && (v < l.low || v > l.top):
					t.Errorf("%s %s %s: %v", r.Machine, a.clock, l.path, v)
				case trouble && (l.to < l.low && v > l.to || l.to > l.low && v < l.to):
					t.Errorf("%s %s %s: %v in the trouble", r.Machine, a.clock, l.path, v)
				}
			}
		})
		for _, l := range limits {
			assert.Greater(t, seen[l.path], r.Samples/2, l.path)
		}
	}
}

// TestLeak holds that the leak is a straight line.
func TestLeak(t *testing.T) {
	var xs, ys []float64
	each(t, recordings()[0], func(a *at) {
		xs, ys = append(xs, float64(a.Time.Unix()-recordings()[0].Start.Unix())), append(ys, a.sum(t, `\Process(OrderSync)\Handle Count`))
	})
	assert.InDelta(t, 1200, ys[0], 20)
	assert.InDelta(t, 30_000, ys[len(ys)-1], 400)
	for i, x := range xs {
		assert.InDelta(t, 1200+28_800*x/28_800, ys[i], 400)
	}
}

// TestRestart holds that w3wp#1 has another process after 13:05, and
// that four minutes have no sample.
func TestRestart(t *testing.T) {
	owners := map[float64]string{}
	var last time.Time
	var gaps []string
	each(t, recordings()[0], func(a *at) {
		if id := a.sum(t, `\Process(w3wp#1)\ID Process`); owners[id] == "" {
			owners[id] = a.clock
		}
		if a.Time.Sub(last) > 20*time.Second && !last.IsZero() {
			gaps = append(gaps, a.clock+" "+a.Time.Sub(last).Round(time.Second).String())
		}
		last = a.Time
	})
	assert.Equal(t, map[float64]string{5316: "08:00:00", 7844: "13:05:15"}, owners)
	assert.Equal(t, []string{"11:24:00 4m0s"}, gaps)
}

// TestCSV holds that the text log has the same samples.
func TestCSV(t *testing.T) {
	b, err := cooked.CSV(recordings()[0])
	require.NoError(t, err)
	assert.Equal(t, recordings()[0].Samples+1, bytes.Count(b, []byte("\r\n")))
	assert.Contains(t, string(b[:1000]), `"(PDH-CSV 4.0) (`)
}

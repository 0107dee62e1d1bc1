package capture_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/ipcblock"
)

// opened opens text as standard input is opened.
func opened(t testing.TB, text string) *detect.Input {
	t.Helper()
	in, err := detect.OpenAny("-", detect.Options{Stdin: strings.NewReader(text)})
	require.NoError(t, err)
	t.Cleanup(func() { _ = in.Close() })
	return in
}

type line struct {
	time   string
	path   string
	value  float64
	status countertypes.Status
}

func lines(t testing.TB, r *capture.Recording) (all []line) {
	t.Helper()
	for f, err := range r.Frames() {
		require.NoError(t, err)
		for _, c := range f.Cells {
			at := ""
			if !f.Time.IsZero() {
				at = f.Time.Format("15:04:05")
			}
			all = append(all, line{at, c.Series.Path(), c.Value, c.Status})
		}
	}
	require.NoError(t, r.Close())
	return all
}

func TestTextLogs(t *testing.T) {
	const text = `"(PDH-CSV 4.0) (Pacific Standard Time)(480)","\\H\Processor(_Total)\% Processor Time","\\H\Memory\Available Bytes","\\H\memory\available bytes"
"11/26/2016 13:46:30.874"," ","7","8"
"11/26/2016 13:46:31.874","12.5","",""
`
	r := record(t, capture.Options{}, capture.CookOptions{}, opened(t, text))
	columns, err := r.Columns()
	require.NoError(t, err)
	require.Len(t, columns, 2, "a path that comes again is the first one")
	require.False(t, columns[0].HasType)
	require.Equal(t, []line{
		{"21:46:30", `\\H\Processor(_Total)\% Processor Time`, 0, countertypes.StatusInvalidData},
		{"21:46:30", `\\H\Memory\Available Bytes`, 7, countertypes.StatusOK},
		{"21:46:31", `\\H\Processor(_Total)\% Processor Time`, 12.5, countertypes.StatusOK},
		{"21:46:31", `\\H\Memory\Available Bytes`, 0, countertypes.StatusInvalidData},
	}, lines(t, r))
}

const agent = `<<<winperf_phydisk>>>
1352457622.31 234 1000
2 instances: 0_C: _Total
-36 3 4 rawcount
-22 1000 2000 counter
-34 500 900 type(20570500)
-34 1000 2000 type(40030500)
-20 1 1 mystery
<<<winperf_if>>>
1352457622.50 510 1000
no instances
<<<winperf_phydisk>>>
1352457632.31 234 1000
2 instances: 0_C: _Total
-36 5 6 rawcount
-22 1500 1000 counter
-34 750 900 type(20570500)
-34 2000 2000 type(40030500)
-20 1 1 mystery
`

func TestAgentSections(t *testing.T) {
	r := record(t, capture.Options{}, capture.CookOptions{}, opened(t, agent))
	got := lines(t, r)
	second := got[len(got)/2:]
	const c, total = `\PhysicalDisk(0_C:)\`, `\PhysicalDisk(_Total)\`
	byPath := map[string]line{}
	for _, l := range second {
		byPath[l.path] = l
	}
	require.Len(t, byPath, 8, "bases are no values")
	require.Equal(t, 6.0, byPath[total+"Current Disk Queue Length"].value)
	require.Equal(t, 50.0, byPath[c+"Disk Transfers/sec"].value, "500 in 10 s of 1000 ticks each")
	require.Equal(t, countertypes.StatusNegativeDelta, byPath[total+"Disk Transfers/sec"].status)
	require.Equal(t, 25.0, byPath[c+"% Disk Time"].value, "250 of 1000")
	require.Equal(t, countertypes.StatusZeroDenominator, byPath[total+"% Disk Time"].status)
	mystery := 0
	for _, l := range byPath {
		if l.status == countertypes.StatusUnsupported {
			mystery++
		}
	}
	require.Equal(t, 2, mystery, "what is not known is not cooked")
}

// Names of an agent's instances are shown up to 4,096 bytes, and numbered where
// they are the same then.
func TestAgentLongNames(t *testing.T) {
	long := strings.Repeat("n", 5000)
	r := record(t, capture.Options{}, capture.CookOptions{},
		opened(t, "<<<winperf_phydisk>>>\n1352457622.31 234 1000\n2 instances: "+long+"a "+long+"b\n-36 3 4 rawcount\n"))
	shown := `\PhysicalDisk(` + long[:4096]
	var paths []string
	for _, l := range lines(t, r) {
		paths = append(paths, l.path)
	}
	require.Equal(t, []string{shown + `)\Current Disk Queue Length`, shown + `#1)\Current Disk Queue Length`}, paths)
}

// TestCountersOfOtherInputs has an object with other counters at the same
// places, as after an update of Windows: each value goes to its own counter.
func TestCountersOfOtherInputs(t *testing.T) {
	older := "<<<winperf_phydisk>>>\n1352457622.31 234 1000\n1 instances: C:\n-36 3 rawcount\n-22 1000 counter\n"
	newer := "<<<winperf_phydisk>>>\n1352457722.31 234 1000\n1 instances: C:\n-22 2000 counter\n-36 5 rawcount\n-20 7 rawcount\n"
	r := record(t, capture.Options{}, capture.CookOptions{}, opened(t, older), opened(t, newer))
	columns, err := r.Columns()
	require.NoError(t, err)
	require.Len(t, columns, 3)
	got := lines(t, r)
	require.Len(t, got, 5)
	require.Equal(t, line{"10:42:02", `\PhysicalDisk(C:)\Current Disk Queue Length`, 5, countertypes.StatusOK}, got[3])
	require.Equal(t, line{"10:42:02", `\PhysicalDisk(C:)\Disk Reads/sec`, 7, countertypes.StatusOK}, got[4])

	// The same with blocks: two logs of a machine, with other title indexes.
	block := func(seconds int, counters ...perftest.Counter) []byte {
		b := perftest.Block{Name: "H", Objects: []perftest.Object{{
			Title: 4, Counters: counters, Instances: []perftest.Instance{{Name: "i", Values: []uint64{uint64(10 * seconds), uint64(10*seconds + 1)}}},
		}}}
		return later(b.Bytes(), time.Duration(seconds)*time.Second)
	}
	one := block(1, perftest.Counter{Title: 24, Type: 0x00010000}, perftest.Counter{Title: 28, Type: 0x00010000})
	two := block(2, perftest.Counter{Title: 28, Type: 0x00010000}, perftest.Counter{Title: 24, Type: 0x00010000})
	got = lines(t, record(t, capture.Options{}, capture.CookOptions{}, bytesOf("a", one), bytesOf("b", two)))
	byPath := map[string][]float64{}
	for _, l := range got {
		byPath[l.path] = append(byPath[l.path], l.value)
	}
	require.Equal(t, map[string][]float64{`\\H\Memory(i)\Available Bytes`: {10, 21}, `\\H\Memory(i)\Page Faults/sec`: {11, 20}}, byPath)
}

// TestTablesOfTwoMoments holds the frames of two IPC tables against what the
// package itself cooks.
func TestTablesOfTwoMoments(t *testing.T) {
	old, err := os.ReadFile("../testdata/ipcblock/sxs_x64.bin")
	require.NoError(t, err)
	table, err := ipcblock.Parse(old, ipcblock.Options{})
	require.NoError(t, err)
	const interval = 10 * time.Second
	block := func(name string, b []byte) *detect.Input {
		return &detect.Input{Name: name, Format: detect.IPCBlock, Data: b}
	}
	r := record(t, capture.Options{}, capture.CookOptions{Interval: interval}, block("a", old), block("b", bytes.Clone(old)))
	got := lines(t, r)
	n := 0
	for c := range table.Live() {
		for _, older := range []*ipcblock.Chunk{nil, c} {
			for k := range c.Cook(older, interval, nil) {
				require.Equal(t, line{"", `\` + k.Category + "(" + capture.BlockInstance(c, 0) + `)\` + k.Name, k.Value, k.Status}, got[n])
				n++
			}
		}
	}
	require.Len(t, got, n)
}

func TestDamagedTextTellsAndGoesOn(t *testing.T) {
	r := capture.NewRecording(capture.Options{Mode: perfdump.Strict}, capture.CookOptions{})
	require.NoError(t, r.Add(opened(t, "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\H\\System\\Processes\"\r\n\"11/26/2016 13:46:30.874\",\"7\"\r\n\"11/26/2016 13:46:31.874\",\"x\"\r\n")))
	require.NoError(t, r.Add(bytesOf("later", perftest.Busy(1, perftest.Small))))
	var sources []string
	failed := 0
	for f, err := range r.Frames() {
		if err != nil {
			failed++
			require.Equal(t, "-", f.Source)
			continue
		}
		sources = append(sources, f.Source)
	}
	require.Equal(t, 1, failed)
	require.Equal(t, []string{"-", "later"}, sources)
}

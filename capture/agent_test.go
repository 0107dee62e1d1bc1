package capture_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

// The outputs of an agent, ten seconds apart. Worked out by hand:
//
//	counter            (8000 - 5000) / 10 s                        = 300
//	100nsec_timer      25,000,000 of 100,000,000 units of 100 ns   = 25 %
//	100nsec_timer_inv  100 - 60,000,000 of 100,000,000             = 40 %
//	average_timer      20,000,000 ticks / 10 MHz / 4 operations    = 0.5
//	raw_fraction       1 of 8                                      = 12.5 %
var agentOutputs = [2]string{
	"<<<winperf_x>>>\n1000000000.00 2 10000000\n144 5000 counter\n146 7000000 100nsec_timer\n148 1000000 100nsec_timer_inv\n150 1000 average_timer\n150 6 average_base\n152 3 raw_fraction\n152 4 raw_base\n154 9 rawcount\n",
	"<<<winperf_x>>>\n1000000010.00 2 10000000\n144 8000 Counter\n146 32000000 type(542180608)\n148 61000000 type(21510500)\n150 20001000 average_timer\n150 10 average_base\n152 1 raw_fraction\n152 8 raw_base\n154 11 rawcount\n",
}

// TestAgentSnapshots: two outputs of one host are two snapshots, in one file or in
// two, whose names need not be in the order of time, with a host or without.
func TestAgentSnapshots(t *testing.T) {
	want := []string{
		"144 " + unpaired, "146 " + unpaired, "148 " + unpaired, "150 " + unpaired, "152 75", "154 9",
		"144 300", "146 25", "148 40", "150 0.5", "152 12.5", "154 11",
	}
	const agent = "<<<check_mk>>>\nVersion: 2.3.0p1\nHostname: WEB01\n"
	const other = "<<<<DB7>>>>\n<<<winperf_x>>>\n1000000005.00 2 10000000\n144 1 counter\n<<<<>>>>\n"
	for name, c := range map[string]struct {
		host  string
		files []string
	}{
		"one file":             {"", []string{agentOutputs[0] + agentOutputs[1]}},
		"one file, host":       {"WEB01", []string{agent + agentOutputs[0] + agent + agentOutputs[1]}},
		"one file, piggyback":  {"VM", []string{"<<<<VM>>>>\n" + agentOutputs[0] + "<<<<>>>>\n<<<<VM>>>>\n" + agentOutputs[1]}},
		"two files":            {"", []string{agentOutputs[0], agentOutputs[1]}},
		"two files, backwards": {"", []string{agentOutputs[1], agentOutputs[0]}},
		"two files, host":      {"WEB01", []string{agent + agentOutputs[1], agent + agentOutputs[0]}},
		"two files, piggyback": {"VM", []string{agent + other + "<<<<VM>>>>\n" + agentOutputs[1], "<<<<VM>>>>\n" + agentOutputs[0]}},
		"beside another":       {"WEB01", []string{agent + agentOutputs[0] + other, agent + agentOutputs[1], other}},
	} {
		var inputs []*capture.Input
		for i, s := range c.files {
			inputs = append(inputs, text(fmt.Sprint(i), s))
		}
		var got, sources []string
		for f := range frames(t, capture.CookOptions{}, inputs...) {
			if f.Host != c.host {
				continue
			}
			sources = append(sources, f.Source)
			for i := range f.Cells {
				got = append(got, fmt.Sprint(f.Cells[i].Series.CounterIndex-2, " ", said(&f.Cells[i])))
			}
		}
		require.Equal(t, want, got, name)
		require.Len(t, sources, 2)
		require.Len(t, slices.Compact(sources), min(2, len(c.files)))
	}
}

func TestAgentSections(t *testing.T) {
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
	var last map[string]value
	for f := range frames(t, capture.CookOptions{}, text("-", agent)) {
		last = cooked(t, f)
	}
	const c, total = `\PhysicalDisk(0_C:)\`, `\PhysicalDisk(_Total)\`
	require.Equal(t, map[string]value{ // bases are no values
		c + "Current Disk Queue Length": {5, 0}, total + "Current Disk Queue Length": {6, 0},
		c + "Disk Transfers/sec":     {50, 0}, // 500 in 10 s of 1000 ticks each
		total + "Disk Transfers/sec": {0, countertypes.StatusNegativeDelta},
		c + "% Disk Time":            {25, 0}, // 250 of 1000
		total + "% Disk Time":        {0, countertypes.StatusZeroDenominator},
		c + "Disk Reads/sec":         {0, countertypes.StatusUnsupported}, total + "Disk Reads/sec": {0, countertypes.StatusUnsupported},
	}, last)

	// Names are shown up to 4,096 bytes, and numbered where they are the same then.
	long := strings.Repeat("n", 5000)
	var paths []string
	for f := range frames(t, capture.CookOptions{}, text("-", "<<<winperf_phydisk>>>\n1352457622.31 234 1000\n2 instances: "+long+"a "+long+"b\n-36 3 4 rawcount\n")) {
		for _, cell := range f.Cells {
			paths = append(paths, cell.Series.Path())
		}
	}
	shown := `\PhysicalDisk(` + long[:4096]
	require.Equal(t, []string{shown + `)\Current Disk Queue Length`, shown + `#1)\Current Disk Queue Length`}, paths)
}

// moment is what an agent sends of two objects, a second after the other.
func moment(host string, second, value int) (sections [2]string) {
	for k := range sections {
		sections[k] = fmt.Sprintf("<<<<%s>>>>\n<<<winperf_x%d>>>\n%d.00 %d 1000\n2 %d counter\n<<<other>>>\n1\n", host, k, 1592222400+second, 100+10*k, value+k)
	}
	return sections
}

// cookedOf are the frames of a file and their cells.
func cookedOf(t *testing.T, in *capture.Input, c capture.CookOptions) (all, cells []string) {
	t.Helper()
	for f := range frames(t, c, in) {
		all = append(all, fmt.Sprint(f.Host, " ", f.Time.Sub(noon), " ", len(f.Cells)))
		for i := range f.Cells {
			cells = append(cells, fmt.Sprint(f.Time.Sub(noon), " ", f.Cells[i].Series.Path(), " ", said(&f.Cells[i])))
		}
	}
	return all, cells
}

// TestHostsOfAgents expects the hosts in one file to be cooked as each is by itself,
// in the order of time: one host after the other, turn by turn, or section by
// section; in UTF-16, too.
func TestHostsOfAgents(t *testing.T) {
	var a, b, turns, sections string
	for i := range 3 {
		of, other := moment("a", 60*i, 1000*i*i), moment("b", 60*i+10, 7000*i)
		a += of[0] + of[1]
		b += other[0] + other[1]
		turns += of[0] + of[1] + other[0] + other[1]
		sections += of[0] + other[0] + of[1] + other[1]
	}
	_, want := cookedOf(t, text("-", a), capture.CookOptions{})
	_, alone := cookedOf(t, text("-", b), capture.CookOptions{})
	want = append(want, alone...)
	slices.Sort(want)
	require.Len(t, want, 12)

	wide := []byte("\xfe\xff")
	for _, u := range utf16.Encode([]rune(a + b)) {
		wide = binary.BigEndian.AppendUint16(wide, u)
	}
	order := []string{"a 0s 2", "b 10s 2", "a 1m0s 2", "b 1m10s 2", "a 2m0s 2", "b 2m10s 2"}
	for _, s := range []string{a + b, turns, sections, b + a, string(wide), strings.TrimSuffix(a+b, "\n<<<other>>>\n1\n")} {
		got, cells := cookedOf(t, text("-", s), capture.CookOptions{})
		require.Equal(t, order, got)
		slices.Sort(cells)
		require.Equal(t, want, cells)
		got, _ = cookedOf(t, text("-", s), capture.CookOptions{Every: 2})
		require.Equal(t, []string{"a 0s 2", "b 10s 2", "a 2m0s 2", "b 2m10s 2"}, got)
		got, _ = cookedOf(t, text("-", s), capture.CookOptions{From: after(65 * time.Second)})
		require.Equal(t, order[3:], got)
	}

	// The moments of a host are in the order of its file, where a clock went back.
	back := ""
	for _, second := range []int{0, 20, 10, 30} {
		back += moment("a", second, second)[0]
	}
	got, _ := cookedOf(t, text("-", back), capture.CookOptions{})
	require.Equal(t, []string{"a 0s 1", "a 20s 1", "a 10s 1", "a 30s 1"}, got)
	got, _ = cookedOf(t, text("-", back+moment("b", 15, 0)[0]), capture.CookOptions{})
	require.Equal(t, []string{"a 0s 1", "b 15s 1", "a 20s 1", "a 10s 1", "a 30s 1"}, got)
}

func TestTextLogs(t *testing.T) {
	const log = `"(PDH-CSV 4.0) (Pacific Standard Time)(480)","\\H\Processor(_Total)\% Processor Time","\\H\Memory\Available Bytes","\\H\memory\available bytes"
"11/26/2016 13:46:30.874"," ","7","8"
"11/26/2016 13:46:31.874","12.5","",""
`
	columns, err := record(t, capture.Options{}, capture.CookOptions{}, text("-", log)).Columns()
	require.NoError(t, err)
	require.Len(t, columns, 2, "a path that comes again is the first one")
	require.False(t, columns[0].HasType)
	var got []string
	for f := range frames(t, capture.CookOptions{}, text("-", log)) {
		for i := range f.Cells {
			got = append(got, fmt.Sprint(f.Time.Format("15:04:05 "), f.Cells[i].Series.Path(), " ", said(&f.Cells[i])))
		}
	}
	require.Equal(t, []string{
		`21:46:30 \\H\Processor(_Total)\% Processor Time invalid-data`, `21:46:30 \\H\Memory\Available Bytes 7`,
		`21:46:31 \\H\Processor(_Total)\% Processor Time 12.5`, `21:46:31 \\H\Memory\Available Bytes invalid-data`,
	}, got)
}

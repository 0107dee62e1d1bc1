package speedtable

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// markdown writes the table and what the ways are.
func markdown(all []measured) string {
	var b strings.Builder
	b.WriteString("| task | by | bytes | speed | median | best | times the first | allocs/op | peak memory |\n|---|---|---|---|---|---|---|---|---|\n")
	for i := range all {
		m := &all[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", m.task.name, m.name(), bytesText(float64(m.bytes)),
			bytesText(float64(m.bytes)/m.took.Median.Seconds())+"/s", timeText(m.took.Median), timeText(m.took.Best),
			digits(m.ratio), thousands(m.allocs), peakText(m.peak))
	}
	return b.String() + "\n" + list(all)
}

// list says what the tasks and the ways are.
func list(all []measured) string {
	var b strings.Builder
	var of *task
	for i := range all {
		m := &all[i]
		if m.task != of {
			of = m.task
			fmt.Fprintf(&b, "* **%s**: %s.\n", of.name, of.of)
		}
		fmt.Fprintf(&b, "  * %s: %s.\n", m.name(), m.way.is)
	}
	return b.String()
}

// name is that of the way, in bold where it is ours.
func (m *measured) name() string {
	if name, ok := strings.CutPrefix(m.way.name, "*"); ok {
		return "**" + name + "**"
	}
	return m.way.name
}

// machine says where the table was made.
func machine() string {
	name := runtime.GOARCH
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			if key, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	}
	text := fmt.Sprintf("%d of %s, %s, %s/%s", runtime.NumCPU(), name, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		text += ", load " + strings.Fields(string(load))[0] + " (1 is this run)"
	}
	return text + ".\n"
}

// digits are three, or all before the point.
func digits(v float64) string {
	if v <= 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return "0"
	}
	return strconv.FormatFloat(v, 'f', max(0, 2-int(math.Floor(math.Log10(v)))), 64)
}

func bytesText(v float64) string {
	switch {
	case v >= 1e9:
		return digits(v/1e9) + " GB"
	case v >= 1e6:
		return digits(v/1e6) + " MB"
	}
	return digits(v/1e3) + " KB"
}

func timeText(d time.Duration) string {
	if d >= time.Millisecond {
		return digits(float64(d)/1e6) + " ms"
	}
	return digits(float64(d)/1e3) + " us"
}

func peakText(n int64) string {
	if n < 0 {
		return "-"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
}

func thousands(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func TestMarkdown(t *testing.T) {
	a := task{name: "read", of: "some bytes"}
	m := measured{task: &a, way: way{name: "*fast", is: "all of it"}, bytes: 6_020_000, ratio: 1, allocs: 1234567, peak: 1_250_000}
	m.took.Median, m.took.Best = 2*time.Millisecond, 150*time.Microsecond
	n := m
	n.way, n.ratio, n.allocs, n.peak = way{name: "slow", is: "half of it"}, 46.55, 0, -1
	require.Equal(t, `| task | by | bytes | speed | median | best | times the first | allocs/op | peak memory |
|---|---|---|---|---|---|---|---|---|
| read | **fast** | 6.02 MB | 3.01 GB/s | 2.00 ms | 150 us | 1.00 | 1,234,567 | 1.2 MB |
| read | slow | 6.02 MB | 3.01 GB/s | 2.00 ms | 150 us | 46.5 | 0 | - |

* **read**: some bytes.
  * **fast**: all of it.
  * slow: half of it.
`, markdown([]measured{m, n}))
}

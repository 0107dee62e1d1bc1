package speedtable

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// peakOfWay names the way whose memory a child is to measure: a task, the
// number of a way and the size, with bars between them.
const peakOfWay = "PERFDUMP_SPEED_PEAK"

// peak runs a way once in a process of its own and returns by how many bytes
// its resident memory grows over what it was with the input made; -1 where the
// system does not say.
func peak(t *testing.T, task *task, way int, s size) int64 {
	t.Helper()
	if runtime.GOOS != "linux" {
		return -1
	}
	self, err := os.Executable()
	require.NoError(t, err)
	c := exec.Command(self)
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d|%t", peakOfWay, task.name, way, s))
	out, err := c.Output()
	if err != nil {
		t.Logf("%s, way %d: memory is not known: %v", task.name, way, err)
		return -1
	}
	n, err := strconv.ParseInt(string(out), 10, 64)
	require.NoError(t, err)
	return n
}

// child is what the process of [peak] does.
func child(what string) error {
	part := strings.Split(what, "|")
	for i := range tasks {
		if tasks[i].name != part[0] {
			continue
		}
		n, err := strconv.Atoi(part[1])
		if err != nil {
			return err
		}
		w := tasks[i].make(part[2] == "true")
		grown, err := growth(func() { w.ways[n].run() })
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(os.Stdout, grown)
		runtime.KeepAlive(w)
		return err
	}
	return fmt.Errorf("no task %q", part[0])
}

// growth is by how many bytes the highest resident memory during f lies above
// that before it. Linux begins to count anew on request.
func growth(f func()) (int64, error) {
	runtime.GC()
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		return 0, err
	}
	before, err := status("VmRSS:")
	if err != nil {
		return 0, err
	}
	f()
	after, err := status("VmHWM:")
	return max(0, after-before) << 10, err
}

// status is a line of the process's status, in KB.
func status(name string) (int64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(text) {
		if words := strings.Fields(string(line)); len(words) > 1 && words[0] == name {
			return strconv.ParseInt(words[1], 10, 64)
		}
	}
	return 0, fmt.Errorf("no %s in the status", name)
}

// TestPeak wants a child to see what is taken, whether it is given back or not.
func TestPeak(t *testing.T) {
	if runtime.GOOS != "linux" || perftest.Race {
		t.Skip("memory is measured on Linux alone, and not under the race detector, which takes its own")
	}
	if _, err := growth(func() {}); err != nil {
		t.Skip(err)
	}
	const taken = 64 << 20
	grown, err := growth(func() {
		b := make([]byte, taken)
		for i := 0; i < len(b); i += 1 << 10 {
			b[i] = 1
		}
		runtime.KeepAlive(b)
	})
	require.NoError(t, err)
	require.InDelta(t, taken, grown, taken/4)
	for i := range tasks {
		require.GreaterOrEqual(t, peak(t, &tasks[i], 0, tiny), int64(0), tasks[i].name)
	}
}

package registry_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

const services = `[HKEY_USERS\ControlSet001\Services\`

// hostileReg makes files of about size bytes.
func hostileReg(size int) map[string][]byte {
	fill := func(head, s string) []byte { return []byte("REGEDIT4\n" + head + strings.Repeat(s, size/len(s))) }
	distinct := func(head, form string) []byte {
		var b strings.Builder
		b.WriteString("REGEDIT4\n" + head)
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, form, i)
		}
		return []byte(b.String())
	}
	const key = services + "A\\Performance]\n"
	half := strings.Repeat("x", size/2)
	return map[string][]byte{
		"blank lines":     fill("", "\n"),
		"rubbish":         fill("", "x\n"),
		"keys":            fill("", "[HKEY_USERS]\n"),
		"deleted keys":    fill(key, "[-HKEY_USERS]\n"),
		"one value":       fill(key, "@=\"\"\n"),
		"other values":    fill("[HKEY_USERS]\n", "@=\"\"\n"),
		"values":          distinct(key, "\"%x\"=\"\"\n"),
		"services":        distinct("", services+"%x\\Performance]\n@=-\n\"a\"=\"\"\n\"b\"=\"\"\n\"c\"=\"\"\n"),
		"many sets":       distinct("", "[HKEY_USERS\\x%x\\ControlSet001]\n"),
		"languages":       distinct("", "[HKEY_USERS\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\%04x]\n"),
		"bytes":           fill(key+"\"a\"=hex:", "0,"),
		"text in hex":     fill(key+"\"a\"=hex(1):", "e9,"),
		"lines of bytes":  fill(key+"\"a\"=hex:\\\n", "0,\\\n"),
		"notes in bytes":  fill(key+"\"a\"=hex:\\\n", ";\n"),
		"open texts":      fill(key, "@=\"x\n"),
		"an open text":    fill(key+"@=\"\n", "x\n"),
		"texts of lines":  fill(key, "@=\"\n\"\n"),
		"escapes":         fill(key+"@=\"", `\x`),
		"long path":       append([]byte("REGEDIT4\n"+services+half+"]\n"), strings.Repeat("@=\"\"\n", size/10)...),
		"long home":       append([]byte("REGEDIT4\n[HKEY_USERS\\"+half+"\\ControlSet001\\Services]\n"), strings.Repeat("@=\"\"\n", size/10)...),
		"long Perflib":    append([]byte("REGEDIT4\n[HKEY_USERS\\"+half+"\\Microsoft\\Windows NT\\CurrentVersion\\Perflib]\n"), strings.Repeat("[-HKEY_USERS]\n", size/28)...),
		"deep path":       []byte("REGEDIT4\n[HKEY_USERS" + strings.Repeat(`\`, size) + "]\n"),
		"deep Perflib":    []byte("REGEDIT4\n[HKEY_USERS" + strings.Repeat(`\Microsoft\Windows NT\CurrentVersion\Perflip`, size/44) + "]\n"),
		"brackets":        fill("", "[]"),
		"invalid UTF-16":  wire.EncodeUTF16([]byte("\xff\xfe"), "REGEDIT4\n"+key+strings.Repeat("@=\"\xff\"\n", size/14)),
		"lines in UTF-16": wire.EncodeUTF16([]byte("\xff\xfe"), "REGEDIT4\n"+key+strings.Repeat("@=\"\"\n", size/10)),
	}
}

// readReg does all that can be done with a file.
func readReg(t *testing.T, b []byte) (kept []any) {
	t.Helper()
	r, err := registry.ParseReg(b, registry.Options{})
	require.NoError(t, err)
	v, err := r.View()
	if err != nil {
		require.ErrorIs(t, err, perfdump.ErrLimit)
	}
	e := r.Edit()
	require.NoError(t, e.Set(`HKEY_USERS\ControlSet001\Services\A\Performance`, registry.NewSZ("", "x")))
	e.Delete("HKEY_USERS", "")
	out, err := e.AppendBinary(nil)
	require.NoError(t, err)
	return []any{r, v, out}
}

// TestRegHostileMemory looks at what is alive at any time, since entries have
// memory of their own, which is given back at once. What is not linear would
// take far more than the time that each is given.
func TestRegHostileMemory(t *testing.T) {
	size, large := 1<<20, 5<<20
	if perftest.Race { // the detector is slow and its memory its own
		size, large = 64<<10, 64<<10
	}
	files := hostileReg(size)
	for name, b := range hostileReg(large) {
		if name == "values" || name == "services" || name == "languages" { // as many as a view holds
			files[name] = b
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	for name, b := range files {
		runtime.GC()
		before := live()
		done := make(chan struct{})
		peak := make(chan uint64)
		go func() {
			most := uint64(0)
			for {
				select {
				case <-done:
					peak <- most
					return
				case <-time.After(time.Millisecond):
					most = max(most, live())
				}
			}
		}()
		start := time.Now()
		all := readReg(t, b)
		took := time.Since(start)
		runtime.GC()
		close(done)
		used := int64(max(<-peak, live()) - before)
		runtime.KeepAlive(all)
		t.Logf("%s: %d KiB of %d in %v", name, used>>10, len(b)>>10, took)
		require.LessOrEqual(t, used, int64(64<<20+4*len(b)), name)
		require.Less(t, took, 15*time.Second, name)
	}
}

// live returns the bytes that the last collection found in use.
func live() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

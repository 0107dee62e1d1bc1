package registry_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
)

const services = `[HKEY_USERS\ControlSet001\Services\`

// hostileReg makes files of about size bytes.
func hostileReg(size int) map[string][]byte {
	fill := func(head, s string) []byte { return []byte("REGEDIT4\n" + head + strings.Repeat(s, size/len(s))) }
	distinct := func(head, form string) []byte {
		b := []byte("REGEDIT4\n" + head)
		for i := 0; len(b) < size; i++ {
			b = fmt.Appendf(b, form, i)
		}
		return b
	}
	const key = services + "A\\Performance]\n"
	half := strings.Repeat("x", size/2)
	return map[string][]byte{
		"blank lines":     fill("", "\n"),
		"keys":            fill("", "[HKEY_USERS]\n"),
		"deleted keys":    fill(key, "[-HKEY_USERS]\n"),
		"one value":       fill(key, "@=\"\"\n"),
		"values":          distinct(key, "\"%x\"=\"\"\n"),
		"services":        distinct("", services+"%x\\Performance]\n@=-\n\"a\"=\"\"\n\"b\"=\"\"\n\"c\"=\"\"\n"),
		"many sets":       distinct("", "[HKEY_USERS\\x%x\\ControlSet001]\n"),
		"languages":       distinct("", "[HKEY_USERS\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\%04x]\n"),
		"text in hex":     fill(key+"\"a\"=hex(1):", "e9,"),
		"lines of bytes":  fill(key+"\"a\"=hex:\\\n", "0,\\\n"),
		"notes in bytes":  fill(key+"\"a\"=hex:\\\n", ";\n"),
		"open texts":      fill(key, "@=\"x\n"),
		"an open text":    fill(key+"@=\"\n", "x\n"),
		"escapes":         fill(key+"@=\"", `\x`),
		"long path":       append([]byte("REGEDIT4\n"+services+half+"]\n"), strings.Repeat("@=\"\"\n", size/10)...),
		"long home":       append([]byte("REGEDIT4\n[HKEY_USERS\\"+half+"\\ControlSet001\\Services]\n"), strings.Repeat("@=\"\"\n", size/10)...),
		"long Perflib":    append([]byte("REGEDIT4\n[HKEY_USERS\\"+half+"\\Microsoft\\Windows NT\\CurrentVersion\\Perflib]\n"), strings.Repeat("[-HKEY_USERS]\n", size/28)...),
		"deep path":       []byte("REGEDIT4\n[HKEY_USERS" + strings.Repeat(`\`, size) + "]\n"),
		"deep Perflib":    []byte("REGEDIT4\n[HKEY_USERS" + strings.Repeat(`\Microsoft\Windows NT\CurrentVersion\Perflip`, size/44) + "]\n"),
		"lines in UTF-16": wire.EncodeUTF16([]byte("\xff\xfe"), "REGEDIT4\n"+key+strings.Repeat("@=\"\"\n", size/10)),
	}
}

// TestRegHostileMemory looks at what a view and an edit of a hostile file keep.
// What is not linear would take far more than the time that each file is given.
func TestRegHostileMemory(t *testing.T) {
	size := 1 << 20
	if perftest.Race { // the detector is slow and its memory its own
		size = 64 << 10
	}
	files := hostileReg(size)
	if !perftest.Race {
		files["services"] = hostileReg(5 << 20)["services"] // as many as a view holds
	}
	for name, b := range files {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := time.Now()
		r, err := registry.ParseReg(b, perfdump.Options{})
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
		took := time.Since(start)
		runtime.GC()
		runtime.ReadMemStats(&after)
		used := int64(after.HeapAlloc) - int64(before.HeapAlloc)
		runtime.KeepAlive([]any{r, v, out})
		t.Logf("%s: %d KiB of %d in %v", name, used>>10, len(b)>>10, took)
		require.LessOrEqual(t, used, int64(16<<20+24*len(b)), name)
		require.Less(t, took, 15*time.Second, name)
	}
}

package document_test

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/internal/perftest"
)

// live returns by how much the live heap grew at most while f ran.
func live(f func()) uint64 {
	now := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	debug.FreeOSMemory()
	before, most := now(), uint64(0)
	done, looked := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(looked)
		for tick := time.NewTicker(time.Millisecond); ; {
			most = max(most, now())
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	f()
	close(done)
	<-looked
	return most - min(most, before)
}

// A document may be one string: it takes less than four times its bytes, however
// many the text has in the file.
func TestOneLongString(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	const n = 4 << 20
	block := func(page int, counter, instance string) string {
		return fmt.Sprintf(`{"format":"perfdata","blocks":[{"offset":0,"wire":{},"objects":[{"index":2,"num_instances":1,"code_page":%d,"wire":{},"counters":[%s],"instances":[%s]}]}]}`, page, counter, instance)
	}
	named := func(page int) string {
		return block(page, `{"index":4,"type":"PERF_COUNTER_RAWCOUNT"}`, `{"name":STRING,"values":[1]}`)
	}
	worth := func(page int, kind string) string {
		return block(page, `{"index":4,"type":"`+kind+`","size":33554432}`, `{"name":"a","values":[STRING]}`)
	}
	lines := `{"format":"%s","encoding":"%s","lines":[{"line":1,"raw":STRING,"eol":"\n"}]}`
	table := `{"format":"titles","encoding":"%s","entries":[{"index":"2","text":STRING}]}`
	for _, c := range []struct{ name, doc string }{
		{"name", named(0)},
		{"name in UTF-32", named(12000)},
		{"name in UTF-8", named(65001)},
		{"name by hand", strings.ReplaceAll(named(0), `"wire":{},`, "")},
		{"value", worth(0, "PERF_COUNTER_TEXT")},
		{"value in UTF-8", worth(65001, "0x00010B00")},
		{"machine", `{"format":"perfdata","blocks":[{"wire":{},"system_name":STRING}]}`},
		{"machine by hand", `{"format":"perfdata","blocks":[{"system_name":STRING}]}`},
		{"text of a table", fmt.Sprintf(table, "utf-16le")},
		{"text of a table in UTF-8", fmt.Sprintf(table, "utf-8")},
		{"line", fmt.Sprintf(lines, "symbolh", "utf-8")},
		{"line in UTF-16", fmt.Sprintf(lines, "reg", "utf-16le-bom")},
		{"path", `{"format":"ipcblock","layout":"sxs","chunks":[{"index":0,"path":STRING}]}`},
		{"path and wire", `{"format":"ipcblock","layout":"sxs","chunks":[{"index":0,"wire":{"path_size":33554432},"path":STRING}]}`},
	} {
		before, after, _ := strings.Cut(c.doc, "STRING")
		for _, unit := range []string{`x`, "\u00e9", `\u0001`, ""} {
			begin, end := `"`, `"`
			if unit == "" {
				begin, unit, end = `{"hex":"`, "00", `"}`
			}
			long := io.LimitReader(&repeated{unit: unit}, n/int64(len(unit))*int64(len(unit)))
			doc := io.MultiReader(strings.NewReader(before+begin), long, strings.NewReader(end+after))
			var err error
			took := live(func() { err = document.EncodeScratch(io.Discard, doc, scratch(t)) })
			assert.LessOrEqual(t, took, uint64(4*n), "%s of %s", c.name, unit)
			var fe *perfdump.FormatError
			switch {
			case strings.HasPrefix(c.name, "path"): // there is no room for it
				assert.True(t, errors.As(err, &fe), "%s of %s: %v", c.name, unit, err)
			case unit == "00" && strings.HasPrefix(c.name, "value"): // all bytes of the value are to be given
				assert.True(t, errors.As(err, &fe) && fe.Code == perfdump.CodeLength, "%s of %s: %v", c.name, unit, err)
			default:
				assert.NoError(t, err, "%s of %s", c.name, unit)
			}
		}
	}
}

// repeated is a text without an end.
type repeated struct {
	unit string
	at   int
}

func (r *repeated) Read(b []byte) (n int, err error) {
	for n < len(b) {
		k := copy(b[n:], r.unit[r.at:])
		n += k
		r.at = (r.at + k) % len(r.unit)
	}
	return n, nil
}

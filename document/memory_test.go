package document_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// peak returns by how much the heap in use grew at most while f ran, which
// calls the function that it is given from time to time.
func peak(t *testing.T, f func(look func())) uint64 {
	t.Helper()
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, most := m.HeapAlloc, uint64(0)
	f(func() {
		runtime.GC()
		runtime.ReadMemStats(&m)
		if m.HeapAlloc > before {
			most = max(most, m.HeapAlloc-before)
		}
	})
	return most
}

// looker looks at each so many bytes that pass.
type looker struct {
	n, every int
	look     func()
}

func (l *looker) pass(n int) {
	if l.n += n; l.n >= l.every {
		l.n = 0
		l.look()
	}
}

func (l *looker) Write(b []byte) (int, error) { l.pass(len(b)); return len(b), nil }

type lookingReader struct {
	looker
	r io.Reader
}

func (l *lookingReader) Read(b []byte) (int, error) {
	n, err := l.r.Read(b)
	l.pass(n)
	return n, err
}

func TestWritingTakesNoMemory(t *testing.T) {
	b := perftest.Busy(1, perftest.Server)
	bs, ok := blocks(b, perfdata.Options{})
	require.True(t, ok)
	total := 0
	got := peak(t, func(look func()) {
		w := &looker{every: 1 << 20, look: func() { total++; look() }}
		require.NoError(t, document.WritePerfData(w, document.PerfData{Data: b, Blocks: slices.Values(bs)}, document.Options{}))
	})
	require.Greater(t, total, 10)
	require.Less(t, got, uint64(1<<20))
}

func TestEncodingTakesTheOutput(t *testing.T) {
	b := perftest.Busy(1, perftest.Server)
	doc := dump(t, b, document.Options{})
	got := peak(t, func(look func()) {
		r := &lookingReader{looker{every: 1 << 20, look: look}, bytes.NewReader(doc)}
		require.NoError(t, document.Encode(&looker{every: 1 << 20, look: look}, r))
	})
	require.Less(t, got, uint64(3*len(b)), "%d bytes of output, %d of document", len(b), len(doc))

	// What stands in a document beside the bytes takes nothing.
	long := strings.Replace(string(doc), `"file":"x.bin"`, `"file":"`+strings.Repeat("long ", 4<<20)+`"`, 1)
	got = peak(t, func(look func()) {
		r := &lookingReader{looker{every: 1 << 20, look: look}, strings.NewReader(long)}
		require.NoError(t, document.Encode(io.Discard, r))
	})
	require.Less(t, got, uint64(3*len(b)))
}

func TestClaimsTakeNoMemory(t *testing.T) {
	block := `{"format":"perfdata","blocks":[{"offset":0,"wire":{},%s}],"gaps":[%s]}`
	object := `"objects":[{"index":1,"code_page":0,"num_instances":%d,"wire":{%s},"counters":[{"index":1,"type":"PERF_COUNTER_TEXT","size":%d,"offset":%d}],"instances":[%s]}]`
	in := `{"name":"a","values":["x"],"wire":{%s}}`
	for name, doc := range map[string]string{
		"total":           fmt.Sprintf(block, fmt.Sprintf(object, 0, `"total_byte_length":4294967295`, 4, 8, ""), ""),
		"definitions":     fmt.Sprintf(block, fmt.Sprintf(object, 0, `"definition_length":2147483647`, 4, 8, ""), ""),
		"header":          fmt.Sprintf(block, `"header_length":4294967295`, ""),
		"name":            fmt.Sprintf(block, `"system_name":{"hex":"00"},"header_length":4294967295`, `{"offset":4294967294,"hex":"00"}`),
		"size":            fmt.Sprintf(block, fmt.Sprintf(object, 1, "", 2147483600, 8, fmt.Sprintf(in, "")), ""),
		"offset":          fmt.Sprintf(block, fmt.Sprintf(object, 1, "", 4, 2147483600, fmt.Sprintf(in, "")), ""),
		"block length":    fmt.Sprintf(block, fmt.Sprintf(object, 1, "", 4, 8, fmt.Sprintf(in, `"block_length":2147483647`)), ""),
		"byte length":     fmt.Sprintf(block, fmt.Sprintf(object, 1, "", 4, 8, fmt.Sprintf(in, `"byte_length":2147483647`)), ""),
		"name length":     fmt.Sprintf(block, fmt.Sprintf(object, 1, "", 4, 8, fmt.Sprintf(in, `"name_length":2147483647`)), ""),
		"name offset":     fmt.Sprintf(block, fmt.Sprintf(object, 1, "", 4, 8, fmt.Sprintf(in, `"name_offset":2147483600`)), ""),
		"gaps":            fmt.Sprintf(block, `"version":1`, `{"offset":60000000000,"hex":"00"}`),
		"canonical text":  `{"format":"perfdata","blocks":[{"objects":[` + strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf(object, 1, "", 2147483000, 8, `{"name":"a","values":[null]}`), `"objects":[`), "]") + `]}]}`,
		"titles":          `{"format":"titles","entries":[{"index":"2","text":"a","offset":60000000000}],"gaps":[]}`,
		"gaps over gaps":  fmt.Sprintf(block, `"version":1`, strings.TrimSuffix(strings.Repeat(`{"offset":100,"zero":60000000000},`, 1000), ",")+`,{"offset":200,"hex":"01"}`),
		"path":            `{"format":"ipcblock","layout":"sxs","chunks":[{"index":0,"path":"a","wire":{"path_offset":64,"path_size":200000000}}]}`,
		"blocks far away": `{"format":"perfdata","blocks":[{"offset":60000000000}],"gaps":[]}`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := document.Encode(io.Discard, strings.NewReader(doc))
		runtime.ReadMemStats(&after)
		require.Error(t, err, name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20), name)
	}
}

// A long run of zeros that a gap accounts for is written, and takes nothing.
func TestZerosTakeNoMemory(t *testing.T) {
	var n int64
	got := peak(t, func(look func()) {
		doc := `{"format":"perfdata","blocks":[{"offset":0,"wire":{}}],"gaps":[{"offset":88,"zero":300000000}]}`
		w := &looker{every: 64 << 20, look: look}
		c := &counting{w: w}
		require.NoError(t, document.Encode(c, strings.NewReader(doc)))
		n = c.n
	})
	require.Equal(t, int64(300000088), n)
	require.Less(t, got, uint64(1<<20))
}

type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return c.w.Write(b)
}

// Time is linear also where gaps lie over each other.
func TestHostileGapsAreLinear(t *testing.T) {
	var doc strings.Builder
	doc.WriteString(`{"format":"perfdata","blocks":[],"gaps":[{"offset":0,"hex":"` + strings.Repeat("00", 200_000) + `"}`)
	for i := range 20_000 {
		fmt.Fprintf(&doc, `,{"offset":%d,"zero":150000},{"offset":%d,"hex":"00"}`, i, 20_000-i)
	}
	doc.WriteString(`]}`)
	require.Len(t, encode(t, []byte(doc.String())), 200_000)
}

func BenchmarkWritePerfData(b *testing.B) {
	data := perftest.Busy(1, perftest.Server)
	bs, _ := blocks(data, perfdata.Options{})
	n := len(dump(b, data, document.Options{}))
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		_ = document.WritePerfData(io.Discard, document.PerfData{Data: data, Blocks: slices.Values(bs)}, document.Options{})
	}
}

func BenchmarkEncode(b *testing.B) {
	data := perftest.Busy(1, perftest.Server)
	doc := dump(b, data, document.Options{})
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if err := document.Encode(io.Discard, bytes.NewReader(doc)); err != nil {
			b.Fatal(err)
		}
	}
}

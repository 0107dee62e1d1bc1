package document_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

func scratch(t testing.TB) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "scratch"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// bigDocuments are documents of a few formats whose files have about n bytes.
// They are written while they are read, so that nothing holds them.
func bigDocuments(t *testing.T, n int) map[string]func() (file []byte, doc func(io.Writer) error) {
	t.Helper()
	return map[string]func() ([]byte, func(io.Writer) error){
		"blocks": func() ([]byte, func(io.Writer) error) {
			var b []byte
			for seed := uint64(1); len(b) < n; seed++ {
				b = append(b, perftest.Busy(seed, perftest.Server)...)
			}
			bs, ok := blocks(b, perfdata.Options{})
			require.True(t, ok)
			return b, func(w io.Writer) error {
				return document.WritePerfData(w, document.PerfData{Data: b, Blocks: slices.Values(bs)}, document.Options{})
			}
		},
		"one object": func() ([]byte, func(io.Writer) error) {
			return nil, func(w io.Writer) error {
				out := bufio.NewWriter(w)
				fmt.Fprintf(out, `{"format":"perfdata","blocks":[{"wire":{},"objects":[{"index":1,"num_instances":%d,"code_page":0,"wire":{},`+
					`"counters":[{"index":2,"type":"PERF_COUNTER_RAWCOUNT"},{"index":4,"type":"PERF_COUNTER_TEXT","size":80}],"instances":[`, n/160)
				for i := range n / 160 {
					if i > 0 {
						out.WriteByte(',')
					}
					fmt.Fprintf(out, `{"name":"instance %d","values":[%d,"text"]}`, i, i)
				}
				out.WriteString("]}]}]}")
				return out.Flush()
			}
		},
		"empty blocks": func() ([]byte, func(io.Writer) error) {
			return nil, func(w io.Writer) error {
				out := bufio.NewWriter(w)
				out.WriteString(`{"format":"perfdata","blocks":[{"wire":{}}`)
				for range n / 88 {
					out.WriteString(",{}")
				}
				out.WriteString("]}")
				return out.Flush()
			}
		},
		"titles": func() ([]byte, func(io.Writer) error) {
			var b []byte
			for i := 0; len(b) < n; i++ {
				for _, c := range strconv.Itoa(2*i+2) + "\x00the counter of that number\x00" {
					b = binary.LittleEndian.AppendUint16(b, uint16(c))
				}
			}
			b = append(b, 0, 0)
			table, err := titles.Parse(b, titles.Options{})
			require.NoError(t, err)
			return b, func(w io.Writer) error {
				return document.WriteTitles(w, document.Titles{Name: "perfc009.dat", Data: b, Table: table}, document.Options{})
			}
		},
		"ipcblock": func() ([]byte, func(io.Writer) error) {
			b := read(t, "../testdata/ipcblock/sxs_x86.bin")
			for i := range n - len(b) {
				b = append(b, byte(i>>10)|1)
			}
			table, err := ipcblock.Parse(b, ipcblock.Options{})
			require.NoError(t, err)
			return b, func(w io.Writer) error {
				return document.WriteIPCBlock(w, document.IPCBlock{Name: "x.bin", Data: b, Table: table}, document.Options{})
			}
		},
	}
}

// same is a writer of which all bytes have to be the same.
type same struct {
	looker
	want    []byte // nil where it is not known
	bad     bool
	written int
}

func (s *same) Write(b []byte) (int, error) {
	if s.want != nil {
		s.bad = s.bad || !bytes.HasPrefix(s.want, b)
		s.want = s.want[min(len(b), len(s.want)):]
	}
	s.written += len(b)
	s.pass(len(b))
	return len(b), nil
}

// However much is written, no more memory is taken.
func TestEncodingAllocatesNoMore(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector takes memory of its own")
	}
	const small, large = 4 << 20, 64 << 20
	measure := func(t *testing.T, n int, f func() ([]byte, func(io.Writer) error)) (most, total uint64) {
		t.Helper()
		b, write := f()
		file := scratch(t)
		var before, after runtime.MemStats
		most = peak(t, func(look func()) {
			r, w := io.Pipe()
			go func() { _ = w.CloseWithError(write(w)) }()
			out := &same{looker: looker{every: 4 << 20, look: look}, want: b}
			runtime.ReadMemStats(&before)
			require.NoError(t, document.EncodeScratch(out, &lookingReader{looker{every: 4 << 20, look: look}, r}, file))
			runtime.ReadMemStats(&after)
			require.False(t, out.bad)
			require.Empty(t, out.want)
			require.Greater(t, out.written, n*8/10)
		})
		return most, after.TotalAlloc - before.TotalAlloc
	}
	larger := bigDocuments(t, large)
	for name, f := range bigDocuments(t, small) {
		t.Run(name, func(t *testing.T) {
			most, total := measure(t, small, f)
			mostLarge, totalLarge := measure(t, large, larger[name])
			t.Logf("%d bytes: most %d, in all %d; %d bytes: most %d, in all %d", small, most, total, large, mostLarge, totalLarge)
			require.Less(t, mostLarge, uint64(1<<20))
			require.Less(t, mostLarge, most+512<<10)
			if name != "titles" { // reading a table makes strings of all
				require.Less(t, totalLarge, uint64(large/4))
			}
		})
	}
}

// What is small lies nowhere but in memory.
func TestSmallDocumentsTakeNoScratch(t *testing.T) {
	require.NoError(t, document.EncodeScratch(io.Discard, strings.NewReader(minimal), nil))
}

var errDisk = errors.New("the disk is full")

// full fails from some byte on.
type full struct {
	document.Scratch
	size int64
	read bool // it is reading that fails
}

func (f *full) WriteAt(b []byte, off int64) (int, error) {
	if !f.read && off+int64(len(b)) > f.size {
		return 0, errDisk
	}
	return f.Scratch.WriteAt(b, off)
}

func (f *full) ReadAt(b []byte, off int64) (int, error) {
	if f.read && off+int64(len(b)) > f.size {
		return 0, errDisk
	}
	return f.Scratch.ReadAt(b, off)
}

// Errors of the scratch are told as they are, before anything is written; what
// it does not give back is not made up.
func TestFailingScratch(t *testing.T) {
	doc := dump(t, perftest.Busy(1, perftest.Small), document.Options{})
	whole := scratch(t)
	require.NoError(t, document.EncodeScratch(io.Discard, bytes.NewReader(doc), whole))
	info, err := whole.Stat()
	require.NoError(t, err)
	require.Positive(t, info.Size())
	for size := int64(0); size < info.Size(); size += 8 << 10 {
		for _, read := range []bool{false, true} {
			var out bytes.Buffer
			err := document.EncodeScratch(&out, bytes.NewReader(doc), &full{Scratch: scratch(t), size: size, read: read})
			require.ErrorIs(t, err, errDisk, "%d, %v", size, read)
			require.Empty(t, out.Bytes())
		}
	}
}

// Documents through a file, in chunks, come to what they come to in memory,
// also with gaps in any order.
func TestGapsInAnyOrder(t *testing.T) {
	b := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	var order []string
	gap := func(from, to int) {
		order = append(order, `{"offset":`+strconv.Itoa(from)+`,"hex":"`+hex.EncodeToString(b[from:to])+`"}`)
	}
	for at := len(b) - 1000; at >= 0; at -= 1000 {
		gap(at, at+1000)
	}
	gap(0, len(b)) // over all of them
	gap(10, len(b)-10)
	gap(5000, 100_000)
	for i := range 3 {
		order[0], order[i] = order[i], order[0]
		doc := `{"format":"perfdata","gaps":[` + strings.Join(order, ",") + `],"blocks":[]}`
		var out bytes.Buffer
		require.NoError(t, document.EncodeScratch(&out, strings.NewReader(doc), scratch(t)))
		require.True(t, bytes.Equal(b, out.Bytes()))

		wrong := strings.Replace(doc, `"offset":5000,"hex":"38`, `"offset":5000,"hex":"39`, 1)
		require.NotEqual(t, doc, wrong)
		err := refuse(t, []byte(wrong))
		require.Equal(t, int64(5000), err.Off)
	}
}

package hexdump_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/perfdump/perfdump/hexdump"
	"github.com/perfdump/perfdump/internal/perftest"
)

var busy = sync.OnceValue(func() []byte { return perftest.Busy(1, perftest.Server) })

// counting counts what is written.
type counting struct{ n int64 }

func (c *counting) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}

func benchmark(b *testing.B, raw []byte, open func() hexdump.Document, o hexdump.Options) {
	var out counting
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		out.n = 0
		if _, err := hexdump.Write(&out, open(), o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(out.n)/float64(len(raw)), "out/in")
}

// BenchmarkGap is the speed of whole rows.
func BenchmarkGap(b *testing.B) {
	raw := bytes.Repeat([]byte("0123456789abcde\xff"), 1<<20)
	benchmark(b, raw, func() hexdump.Document { return hexdump.Raw(raw, "a gap") }, hexdump.Options{All: true})
}

// BenchmarkBusy is the speed of fields, of 4 and 8 bytes most of them.
func BenchmarkBusy(b *testing.B) {
	raw := busy()
	open := func() hexdump.Document { return hexdump.PerfData(raw, hexdump.Input{}) }
	b.Run("all", func(b *testing.B) { benchmark(b, raw, open, hexdump.Options{All: true}) })
	b.Run("folded", func(b *testing.B) { benchmark(b, raw, open, hexdump.Options{}) })
	b.Run("color", func(b *testing.B) { benchmark(b, raw, open, hexdump.Options{All: true, Color: true}) })
	b.Run("terminal", func(b *testing.B) { benchmark(b, raw, open, hexdump.Options{All: true, Color: true, Width: 80}) })
	b.Run("path", func(b *testing.B) { benchmark(b, raw, open, hexdump.Options{Path: "object[7].instance[2]"}) })
	b.Run("spans", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		doc := open()
		for b.Loop() {
			n := int64(0)
			for s := range doc.Spans() {
				n += s.Size
			}
			if n < int64(len(raw)) {
				b.Fatal(n)
			}
		}
	})
}

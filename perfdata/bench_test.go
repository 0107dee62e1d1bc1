package perfdata_test

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// The busy server that the benchmarks and guards read, and what it answers
// five seconds later.
var (
	busy = sync.OnceValue(func() []byte { return perftest.Busy(1, perftest.Server) })
	next = sync.OnceValue(func() []byte { return perftest.BusyNext(1, perftest.Server) })
)

var sink uint64

// reader decodes with all checks and reads every value through the bulk
// accessor, object by object, some instances at a time.
type reader struct {
	d      perfdata.Decoder
	values []uint64
	visit  func(*perfdata.Object)
}

// rowsRead is how many instances are read at a time.
const rowsRead = 32

func newReader() *reader {
	r := new(reader)
	r.visit = func(o *perfdata.Object) {
		for i, n := 0, o.Len(); i < n; i += rowsRead {
			r.values = o.AppendRows(r.values[:0], i, min(i+rowsRead, n))
		}
	}
	return r
}

func (r *reader) read(b []byte) {
	if _, err := r.d.Visit(b, r.visit); err != nil {
		panic(err)
	}
}

func iterateAll(d *perfdata.Decoder, b []byte) (sum uint64) {
	blk, err := d.Decode(b)
	if err != nil {
		panic(err)
	}
	for _, o := range blk.Objects() {
		for _, in := range o.Instances() {
			for _, v := range in.Values() {
				sum += v.Uint
			}
		}
	}
	return sum
}

// cookAll returns the bits of all values: to add floats would take longer than to cook
// some of them.
func cookAll(c *perfdata.Cooker, older, newer *perfdata.Block) (sum uint64) {
	c.Reset(older, newer, nil)
	for c.Next() {
		for _, v := range c.Values() {
			sum += math.Float64bits(v)
		}
	}
	return sum
}

func sampleAll(s *perfdata.Sampler, older, newer *perfdata.Block) (sum uint64) {
	s.Reset(older, newer, nil)
	for s.Next() {
		v, _ := countertypes.Cook(s.Older(), s.Newer(), nil)
		sum += math.Float64bits(v)
	}
	return sum
}

func BenchmarkBusy(b *testing.B) {
	data := busy()
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
	var d perfdata.Decoder
	r := newReader()
	dst := make([]byte, len(data))
	run("memmove", func() { copy(dst, data) })
	run("sum", func() { sink += perftest.SumWords(data) })
	run("decode", func() { _, _ = d.Decode(data) })
	run("bulk", func() { r.read(data) })
	run("iterators", func() { sink += iterateAll(&d, data) })
	run("binary.Read", func() { _, _ = perftest.Export(data) })
	run("struc", func() { perftest.Struc(data) })
}

func BenchmarkCook(b *testing.B) {
	older, err := perfdata.Parse(busy(), perfdump.Options{})
	if err != nil {
		b.Fatal(err)
	}
	newer, err := perfdata.Parse(next(), perfdump.Options{})
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, f func() uint64) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(busy()) + len(next())))
			b.ReportAllocs()
			for b.Loop() {
				sink += f()
			}
		})
	}
	var c perfdata.Cooker
	var s perfdata.Sampler
	run("cooker", func() uint64 { return cookAll(&c, older, newer) })
	run("alone", func() uint64 { return cookAll(&c, nil, newer) })
	run("sampler", func() uint64 { return sampleAll(&s, older, newer) })
}

// BenchmarkSize shows how the time a byte depends on the size of the block, and
// what summing the same bytes takes. The largest needs some gigabytes, so it
// runs only without -short.
func BenchmarkSize(b *testing.B) {
	for _, size := range []int{1 << 10, 10 << 10, 100 << 10, 1 << 20, 10 << 20, 100 << 20, 1 << 30} {
		b.Run(fmt.Sprint(size>>10, "KB"), func(b *testing.B) {
			if testing.Short() && size > 10<<20 {
				b.Skip("-short")
			}
			data := perftest.Sized(1, size)
			r := newReader()
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			r.read(data) // lets the decoder grow
			for b.Loop() {
				r.read(data)
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(len(data)), "ns/byte")
			start := time.Now()
			for range b.N {
				sink += perftest.SumWords(data)
			}
			b.ReportMetric(float64(time.Since(start))/float64(b.N)/float64(len(data)), "sum-ns/byte")
		})
	}
}

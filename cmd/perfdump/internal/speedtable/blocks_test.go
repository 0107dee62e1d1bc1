package speedtable

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

var sink uint64

// floor is the way that only loads the bytes.
func floor(bs ...[]byte) way {
	return way{"sum of words", "loads the bytes as 8-byte words, once: no reader can be faster", func() int {
		for _, b := range bs {
			sink += perftest.SumWords(b)
		}
		return 0
	}}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func server(s size) perftest.Size {
	if s == full {
		return perftest.Server
	}
	return perftest.Small
}

// bulk decodes with all checks and reads every value, some instances at a time.
type bulk struct {
	d      perfdata.Decoder
	values []uint64
	n      int
	visit  func(*perfdata.Object)
}

func newBulk() *bulk {
	r := new(bulk)
	r.visit = func(o *perfdata.Object) {
		const rows = 32
		for i, n := 0, o.Len(); i < n; i += rows {
			r.values = o.AppendRows(r.values[:0], i, min(i+rows, n))
			r.n += len(r.values)
		}
	}
	return r
}

func (r *bulk) read(b []byte) int {
	r.n = 0
	must(r.d.Visit(b, r.visit))
	return r.n
}

var decodeTask = task{"decode", "the block of a busy server (`internal/testkit/perftest`, seed 1) and all its values", func(s size) work {
	b := perftest.Busy(1, server(s))
	r := newBulk()
	var d perfdata.Decoder
	return work{len(b), []way{
		{"*bulk", "`Decoder.Visit` with all checks, and `Object.AppendRows`", func() int { return r.read(b) }},
		{"*iterators", "`Decoder.Decode`, and `Instance.Values` value by value", func() (n int) {
			for _, o := range must(d.Decode(b)).Objects() {
				for _, in := range o.Instances() {
					for _, v := range in.Values() {
						sink += v.Uint
						n++
					}
				}
			}
			return n
		}},
		{"*Uint64", "the same with `Instance.Uint64`, counter by counter", func() (n int) {
			for _, o := range must(d.Decode(b)).Objects() {
				counters := len(o.Counters())
				for _, in := range o.Instances() {
					for j := range counters {
						v, _ := in.Uint64(j)
						sink += v
						n++
					}
				}
			}
			return n
		}},
		{"*checks alone", "`Decoder.Decode`; no value is read", func() int { must(d.Decode(b)); return 0 }},
		floor(b),
		{"binary.Read", "as exporters do it: `binary.Read` for each struct, a string for each name, a struct for each value; no checks", func() (n int) {
			for _, o := range must(perftest.Export(b)) {
				for _, in := range o.Instances {
					n += len(in.Counters)
				}
			}
			return n
		}},
		{"struc", "`struc.Unpack` of headers, definitions and instances; no values, no checks", func() int { perftest.Struc(b); return 0 }},
	}}
}}

var cookTask = task{"cook", "two blocks of that server, 5 seconds apart, decoded before; some processes ended and others started", func(s size) work {
	a, b := perftest.Busy(1, server(s)), perftest.BusyNext(1, server(s))
	older, newer := must(perfdata.Parse(a, perfdump.Options{})), must(perfdata.Parse(b, perfdump.Options{}))
	var was, is []*perftest.Exported
	var c perfdata.Cooker
	var first, second perfdata.Decoder
	only := perfdata.Cooker{Only: func(o *perfdata.Object) bool { return o.ObjectNameTitleIndex == 230 }}
	var sampler perfdata.Sampler
	r := newBulk()
	return work{len(a) + len(b), []way{
		{"*Cooker", "`perfdata.Cooker`: all values and their statuses", func() (n int) {
			c.Reset(older, newer, nil)
			for c.Next() {
				n += len(c.Values())
			}
			return n
		}},
		{"*alone", "the newer block without the older one, where most values need two", func() int {
			c.Reset(nil, newer, nil)
			for c.Next() {
				sink += uint64(c.Statuses()[0])
			}
			return 0
		}},
		{"*one object", "`Cooker.Only`: the processes of both, decoding included", func() int {
			only.Reset(must(first.Decode(a)), must(second.Decode(b)), nil)
			for only.Next() {
				sink += uint64(only.Statuses()[0])
			}
			return 0
		}},
		{"*Sampler", "`perfdata.Sampler` and `countertypes.Cook`, value by value", func() (n int) {
			sampler.Reset(older, newer, nil)
			for sampler.Next() {
				v, _ := countertypes.Cook(sampler.Older(), sampler.Newer(), nil)
				sink += uint64(int64(v))
				n++
			}
			return n
		}},
		{"bulk reading", "decoding both blocks and reading their values, for comparison", func() int { r.read(a); r.read(b); return 0 }},
		{"maps", "a map of the older values by object, instance and counter, differences a second of what `binary.Read` gave, which its memory holds too; no types, bases or statuses", func() int {
			if is == nil { // here, that the memory of others has none of it
				was, is = must(perftest.Export(a)), must(perftest.Export(b))
			}
			cookByMap(was, is)
			return 0
		}},
	}}
}}

var smallTask = task{"small block", "the block of one object of the system, 1 KB", func(size) work {
	b := perftest.Sized(1, 1<<10)
	var d perfdata.Decoder
	return work{len(b), []way{
		{"*Decoder", "a `Decoder` that is used again", func() int { must(d.Decode(b)); return 1 }},
		{"*Parse", "`perfdata.Parse`", func() int { must(perfdata.Parse(b, perfdump.Options{})); return 1 }},
		{"binary.Read", "as exporters do it, with all values", func() int { must(perftest.Export(b)); return 1 }},
	}}
}}

// cookByMap is how scripts cook: by names.
func cookByMap(older, newer []*perftest.Exported) {
	type key struct {
		object, counter uint32
		instance        string
	}
	was := map[key]int64{}
	for _, o := range older {
		for _, in := range o.Instances {
			for _, c := range in.Counters {
				was[key{o.Title(), c.Title(), in.Name}] = c.Value
			}
		}
	}
	const seconds = 5
	for _, o := range newer {
		for _, in := range o.Instances {
			for _, c := range in.Counters {
				if v, ok := was[key{o.Title(), c.Title(), in.Name}]; ok {
					sink += uint64(float64(c.Value-v) / seconds)
				}
			}
		}
	}
}

var fieldsTask = task{"hexdump, fields", "a block of 1 MB, a row for each field", func(s size) work {
	b := perftest.Sized(1, s.of(1<<20, 1<<14))
	return work{len(b), []way{
		{"*hexview.PerfData", "every field with its path and value", func() int {
			must(hexview.Write(io.Discard, hexview.PerfData(b, hexview.Input{}), hexview.Options{All: true}))
			return 1
		}},
		{"fmt.Fprintf", "a row for each 8 bytes, with offset, hex and number; it knows no fields", func() int {
			for i := 0; i+8 <= len(b); i += 8 {
				_, _ = fmt.Fprintf(io.Discard, "%#08x % x  %d\n", i, b[i:i+8], binary.LittleEndian.Uint64(b[i:]))
			}
			return 0
		}},
	}}
}}

var rowsTask = task{"hexdump, rows", "4 MB that no field explains, as rows of 16 bytes", func(s size) work {
	b := bytes.Repeat([]byte("0123456789abcde\xff"), s.of(1<<18, 1<<8))
	return work{len(b), []way{
		{"*hexview.Raw", "every row", func() int {
			must(hexview.Write(io.Discard, hexview.Raw(b, hexview.Input{}, "a gap"), hexview.Options{All: true}))
			return 1
		}},
		{"hex.Dumper", "that of `encoding/hex`", func() int {
			d := hex.Dumper(io.Discard)
			must(d.Write(b))
			_ = d.Close()
			return 0
		}},
	}}
}}

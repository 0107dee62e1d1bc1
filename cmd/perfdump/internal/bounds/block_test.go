package bounds_test

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

func worstBlocks() (all []worst) {
	add := func(name string, f func(n int) []byte) { all = append(all, worst{name: "perfdata/" + name, make: f}) }
	one := func(o perftest.Object) []byte { return (&perftest.Block{Objects: []perftest.Object{o}}).Bytes() }
	number := func(title uint32, instances ...perftest.Instance) perftest.Object {
		return perftest.Object{Title: title, Counters: []perftest.Counter{{Title: title + 2, Type: 0x00010000}}, Instances: instances}
	}
	instances := func(size int, in func(i int) perftest.Instance) func(n int) []byte {
		return func(n int) []byte {
			o := number(2)
			for i := range n / size {
				o.Instances = append(o.Instances, in(i))
			}
			return one(o)
		}
	}
	definitions := func(c func(i int) perftest.Counter) func(n int) []byte {
		return func(n int) []byte {
			o := perftest.Object{Title: 2, Single: true}
			for i := range n / 48 {
				o.Counters = append(o.Counters, c(i))
			}
			return one(o)
		}
	}
	objects := func(size int, o func(i int) perftest.Object) func(n int) []byte {
		return func(n int) []byte {
			var b perftest.Block
			for i := range n / size {
				b.Objects = append(b.Objects, o(i))
			}
			return b.Bytes()
		}
	}
	blocks := func(size int, b func(i int) perftest.Block) func(n int) []byte {
		return func(n int) []byte {
			out := make([]byte, 0, n)
			for i := 0; len(out) < n; i++ {
				one := b(i)
				one.PerfTime, one.PerfTime100nSec = int64(i+1)*1e7, perftest.DefaultTime+int64(i)*1e7
				out = append(out, one.Bytes()...)
			}
			return out
		}
	}
	name := func(s string) func(int) perftest.Instance {
		return func(int) perftest.Instance { return perftest.Instance{Name: s} }
	}
	add("equal names", instances(40, name("a")))
	add("names", instances(48, func(i int) perftest.Instance { return perftest.Instance{Name: fmt.Sprint(i)} }))
	add("names that are numbered", instances(48, func(i int) perftest.Instance { return perftest.Instance{Name: fmt.Sprintf("a#%d", i/2)} }))
	add("unnamed", instances(36, func(int) perftest.Instance { return perftest.Instance{Unnamed: true} }))
	add("oddities", instances(40, func(int) perftest.Instance { return perftest.Instance{Name: "a", NoNul: true} }))
	add("children of one", instances(40, func(int) perftest.Instance { return perftest.Instance{Name: "a", ParentTitle: 2, Parent: 1} }))
	add("children in a row", instances(48, func(i int) perftest.Instance {
		return perftest.Instance{Name: "a", ParentTitle: 2, Parent: uint32(max(0, i-1))}
	}))
	add("children of a long name", func(n int) []byte {
		parent := number(2, perftest.Instance{RawName: append(slices.Repeat([]byte{'x', 0}, 30000), 0, 0)})
		o := number(4)
		for range n / 40 {
			o.Instances = append(o.Instances, perftest.Instance{Name: "a", ParentTitle: 2})
		}
		return (&perftest.Block{Objects: []perftest.Object{parent, o}}).Bytes()
	})
	add("long names", instances(10040, func(int) perftest.Instance {
		return perftest.Instance{RawName: append(slices.Repeat([]byte{'x', 0}, 5000), 0, 0)}
	}))
	add("one name", func(n int) []byte {
		return one(number(2, perftest.Instance{RawName: append(slices.Repeat([]byte{0, 0x4e}, n/2), 0, 0)}))
	})
	add("shared offsets", func(n int) []byte {
		o := perftest.Object{Title: 2}
		for i := range n / 2 / 40 {
			o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + 2*i), Type: 0x00010000, Offset: 4})
		}
		for range n / 2 / 32 {
			o.Instances = append(o.Instances, perftest.Instance{Unnamed: true})
		}
		for len(o.Counters)*len(o.Instances) > max(65536, n*9/10) {
			o.Counters, o.Instances = o.Counters[:len(o.Counters)*3/4], o.Instances[:len(o.Instances)*3/4]
		}
		o.Tail = n / 2
		return one(o)
	})
	add("shared wide offsets", func(n int) []byte { // large texts in the same bytes
		o := perftest.Object{Title: 2, Single: true}
		for i := range n / 2 / 40 {
			o.Counters = append(o.Counters, perftest.Counter{Title: uint32(4 + 2*i), Type: 0x00010B00, Size: n / 4, Offset: 8})
		}
		o.BlockExtra = n / 2
		return one(o)
	})
	add("definitions", definitions(func(i int) perftest.Counter { return perftest.Counter{Title: uint32(4 + 2*i), Type: 0x00010100} }))
	add("equal definitions", definitions(func(int) perftest.Counter { return perftest.Counter{Title: 4, Type: 0x10410400} }))
	add("odd definitions", definitions(func(int) perftest.Counter {
		return perftest.Counter{Title: 1, Type: 0x14010500, Size: 3, Scale: 99, DetailLevel: 7, Offset: 4}
	}))
	add("definitions that want a base", definitions(func(i int) perftest.Counter { return perftest.Counter{Title: uint32(4 + 2*i), Type: 0x20020400} }))
	add("objects", objects(64, func(i int) perftest.Object { return perftest.Object{Title: uint32(2 * i)} }))
	add("objects of one title", objects(64, func(int) perftest.Object { return perftest.Object{Title: 2} }))
	add("objects with a value", objects(120, func(i int) perftest.Object { o := number(uint32(2 * i)); o.Single = true; return o }))
	add("equal objects with a value", objects(120, func(i int) perftest.Object { o := number(2); o.Single = true; return o }))
	add("equal objects of equal instances", objects(144, func(i int) perftest.Object { return number(2, perftest.Instance{Name: "a"}) }))
	add("each object with another parent", func(n int) []byte {
		k := n / 144
		return objects(144, func(i int) perftest.Object {
			return number(uint32(2*i), perftest.Instance{Name: "a", ParentTitle: uint32(2 * (k - 1 - i))})
		})(n)
	})
	add("blocks", blocks(88, func(int) perftest.Block { return perftest.Block{} }))
	add("blocks of a value", blocks(208, func(i int) perftest.Block {
		o := number(2)
		o.Single = true
		return perftest.Block{Objects: []perftest.Object{o}}
	}))
	add("blocks of other objects", blocks(208, func(i int) perftest.Block {
		o := number(uint32(2 * i))
		o.Single = true
		return perftest.Block{Objects: []perftest.Object{o}}
	}))
	add("blocks of other instances", blocks(208, func(i int) perftest.Block {
		return perftest.Block{Objects: []perftest.Object{number(2, perftest.Instance{Name: fmt.Sprint("i", i)})}}
	}))
	add("blocks of other machines", blocks(208, func(i int) perftest.Block {
		o := number(2)
		o.Single = true
		return perftest.Block{Name: fmt.Sprint("M", i), Objects: []perftest.Object{o}}
	}))
	add("blocks of other definitions", blocks(208, func(i int) perftest.Block {
		return perftest.Block{Objects: []perftest.Object{{Title: 2, Single: true, Counters: []perftest.Counter{{Title: uint32(2 * i), Type: uint32(0x10000 | i&3<<10)}}}}}
	}))
	add("blocks at one time", func(n int) []byte {
		o := number(2)
		o.Single = true
		b := (&perftest.Block{Objects: []perftest.Object{o}}).Bytes()
		return slices.Repeat(b, n/len(b))
	})
	add("a wide block, then small ones", func(n int) []byte { // columns times rows
		o := number(2)
		for i := range n / 2 / 48 {
			o.Instances = append(o.Instances, perftest.Instance{Name: fmt.Sprint(i)})
		}
		b := (&perftest.Block{Objects: []perftest.Object{o}}).Bytes()
		return append(b, blocks(208, func(i int) perftest.Block {
			return perftest.Block{Objects: []perftest.Object{number(2, perftest.Instance{Name: "x"})}}
		})(n/2)...)
	})
	add("zeros behind", func(n int) []byte { return append((&perftest.Block{}).Bytes(), make([]byte, n)...) })
	add("signatures behind", func(n int) []byte {
		h := (&perftest.Block{}).Bytes()
		return append(h, slices.Repeat(h[:8], n/8)...)
	})
	add("faults", func(n int) []byte {
		m := (&perftest.Block{Objects: []perftest.Object{number(2, perftest.Instance{Name: "a"})}}).Build()
		object := m.Set("object[0].instance[0].block.ByteLength", 0).Bytes[perftest.HeaderSize:]
		m.Set("NumObjectTypes", int64(n/len(object))).Set("TotalByteLength", int64(perftest.HeaderSize+n/len(object)*len(object)))
		return append(slices.Clone(m.Bytes[:perftest.HeaderSize]), slices.Repeat(object, n/len(object))...)
	})
	all = append(all, worst{name: "perfdata/faults in salvage", flags: "--mode salvage", make: all[len(all)-1].make})
	all = append(all,
		worst{name: "carve/headers", flags: "--format carve", make: func(n int) []byte {
			h := (&perftest.Block{}).Bytes()
			return slices.Repeat(h, n/len(h))
		}},
		worst{name: "carve/signatures", flags: "--format carve", make: fill("", "P\x00E\x00R\x00F\x00")},
		worst{name: "carve/long headers", flags: "--format carve", make: func(n int) []byte {
			h := (&perftest.Block{}).Build().Set("TotalByteLength", int64(n/2)).Set("NumObjectTypes", 3).Bytes
			b := slices.Repeat(h, n/len(h))
			return b
		}},
		worst{name: "carve/chains", flags: "--format carve", make: func(n int) []byte { // headers whose objects are headers
			m := (&perftest.Block{Objects: []perftest.Object{number(2)}}).Build().Set("TotalByteLength", int64(n/2)).Set("NumObjectTypes", int64(n/2/128))
			b := slices.Repeat(m.Bytes[:128], n/128)
			for at := 88; at+40 <= len(b); at += 128 {
				binary.LittleEndian.PutUint32(b[at:], 128)
			}
			return b
		}},
	)
	return all
}

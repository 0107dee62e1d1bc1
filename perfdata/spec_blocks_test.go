package perfdata_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

type (
	counters  = []perftest.Counter
	instances = []perftest.Instance
)

// Types of counters, as the tests of values use them.
const (
	dword = 0x00010000
	large = 0x00010100
	text  = 0x00000b00
	ansi  = 0x00010b00
	none  = 0x40000200
)

// TestSpecBlocks: whole blocks for what no single field makes: the rest of the
// tables of section 8, and the list of section 13, whose numbers stand here.
func TestSpecBlocks(t *testing.T) {
	var cases []specCase
	add := func(name, codes string, m *perftest.Image) { cases = append(cases, specCase{name, codes, m}) }
	change := func(name, codes string, f func(b *perftest.Block)) {
		b := plain()
		f(b)
		add(name, codes, b.Build())
	}
	with := func(name, codes string, c ...perftest.Counter) { // in place of the plain object 1's
		change(name, codes, func(b *perftest.Block) { b.Objects[1].Counters = c })
	}
	named := func(name, codes string, page uint32, in perftest.Instance) {
		change(name, codes, func(b *perftest.Block) {
			in.Values = b.Objects[1].Instances[1].Values
			b.Objects[1].CodePage, b.Objects[1].Instances[1] = page, in
		})
	}
	build := func(name, codes string, o ...perftest.Object) {
		add(name, codes, (&perftest.Block{Name: "HOST", Objects: o}).Build())
	}
	single := func(c counters, values ...uint64) perftest.Object {
		return perftest.Object{Title: 2, Single: true, Counters: c, Instances: instances{{Values: values}}}
	}
	texts := func(kind, page uint32, raw string) perftest.Object {
		return perftest.Object{
			Title: 2, CodePage: page, Single: true, Counters: counters{{Title: 4, Type: kind, Size: len(raw)}},
			Instances: instances{{Raw: map[int][]byte{0: []byte(raw)}}},
		}
	}
	counter := func(typ uint32) perftest.Counter { return perftest.Counter{Title: 6, Type: typ} }
	base := plain().Build()

	with("freq of the elapsed kind", "freq", counter(0x30240500))
	cases[0].m.Set("object[1].PerfFreq", 0)
	with("freq of the rate kind", "freq", counter(0x20610500))
	cases[1].m.Set("object[1].PerfFreq", 0)
	add("first object off 8", "misaligned", shifted(base, 4))
	change("second object off 8", "misaligned", func(b *perftest.Block) { b.Objects[0].Tail = 4 })
	for n := 1; n < 8; n++ { // event 1016: one bad provider shifts all that comes after it
		change(fmt.Sprintf("%d bytes off", n), "misaligned", func(b *perftest.Block) { b.Objects[0].Tail = n })
	}
	change("instance off 8", "misaligned", func(b *perftest.Block) {
		b.Objects[1].Packed, b.Objects[1].DefinitionGap, b.Objects[1].Instances[0].Name = true, 2, "abcdefg"
	})
	change("counter block off 8", "misaligned", func(b *perftest.Block) {
		b.Objects[1].Packed, b.Objects[1].Instances[0].Name = true, "abcd"
	})
	for _, c := range (counters{{Type: dword, Size: 8}, {Type: dword, Size: 16}, {Type: large, Size: 3}, {Type: large, Size: 4}}) {
		with(fmt.Sprintf("type %#x with CounterSize %d", c.Type, c.Size), "size-mismatch", c)
	}
	with("numerator last", "no-base", counter(dword), counter(0x20020400))
	with("numerator before another counter", "no-base", counter(0x20c20400), counter(dword))
	with("precision timer without base", "no-base", counter(0x20570500), counter(dword))
	with("base two after its numerator", "no-base,stray-base", counter(0x30020400), counter(dword), counter(0x40030402))
	with("base first", "stray-base", counter(0x40030402), counter(dword))
	with("base after no fraction", "stray-base", counter(0x10410400), counter(0x40030403))
	with("two bases", "stray-base", counter(0x20020400), counter(0x40030403), counter(0x40030403))
	named("name without NUL", "name-nul", 0, perftest.Instance{Name: "second", NoNul: true})
	named("ANSI name without NUL", "name-nul", 1252, perftest.Instance{Name: "second", NoNul: true})
	named("name with a NUL inside", "name-nul", 0, perftest.Instance{Name: "sec\x00ond"})
	named("ANSI name with a NUL inside", "name-nul", 1252, perftest.Instance{Name: "second\x00stale"})
	named("name in UTF-16 that should be ANSI", "name-encoding", 1252, perftest.Instance{RawName: perftest.UTF16("second")})
	change("name in an unknown code page", "name-encoding", func(b *perftest.Block) {
		b.Objects[1].CodePage = 12345
		for i := range b.Objects[1].Instances {
			in := &b.Objects[1].Instances[i]
			in.RawName = perftest.UTF16(in.Name)
		}
	})
	for i, codes := range []string{"fine", "gap"} { // 8 bytes may pad, 16 may not
		n := 8 + 8*i
		change(fmt.Sprint(n, " after the definitions"), codes, func(b *perftest.Block) { b.Objects[1].DefinitionGap = n })
		change(fmt.Sprint(n, " after the last instance"), codes, func(b *perftest.Block) { b.Objects[1].Tail = n })
		change(fmt.Sprint(n, " after the one counter block"), codes, func(b *perftest.Block) { b.Objects[0].Tail = n })
		change(fmt.Sprint(n, " after the last object"), codes, func(b *perftest.Block) { b.Tail = n })
	}
	trailing := base.Clone()
	trailing.Bytes = append(trailing.Bytes, "thirteen more"...)
	add("bytes after the block", "trailing-bytes", trailing)
	with("two counts that differ", "multi-count", counter(0x22410500), perftest.Counter{Title: 6, Type: 0x42030500, Offset: 24})
	multi := cases[len(cases)-1].m
	multi.Bytes[multi.At("object[1].instance[0].block").Off+16] = 3 // behind the value at 8; the base has 0x99aabbcd
	for i, codes := range []string{"no-base", "fine"} {
		o := perftest.Object{Title: 2, Single: true, Packed: true, BlockExtra: 3 + i, Counters: counters{counter(0x22510500)}}
		build(fmt.Sprint("count behind the value: ", 3+i, " bytes"), codes, o)
	}

	for _, n := range []int{0, 1, 8, 87} {
		m := base.Clone()
		m.Bytes = m.Bytes[:n]
		codes := "!truncated"
		if n == 0 {
			codes = "!empty"
		}
		add(fmt.Sprint(n, " bytes"), codes, m)
	}
	add("an object in a lone header", "!count", (&perftest.Block{}).Build().Set("NumObjectTypes", 1))
	build("no bytes left for an object", "!length", number(2, perftest.Instance{Name: "a"}))
	cases[len(cases)-1].m.Set("NumObjectTypes", 2)
	build("no bytes left for a counter block", "!length", number(2, perftest.Instance{Name: "a"}), number(4, perftest.Instance{Name: "abc"}))
	noBlock := cases[len(cases)-1].m
	noBlock.Add("object[1].instance[0].ByteLength", int64(noBlock.At("object[1].instance[0].block").Size))
	for _, n := range []int{len(base.Bytes) - 1, base.At("object[3]").Off + 40} {
		m := base.Clone()
		m.Bytes = m.Bytes[:n]
		add(fmt.Sprint("cut in the last object: ", n), "!length", m)
	}

	// The "Fine" list of section 8.
	add("a lone header", "fine", (&perftest.Block{}).Build())
	build("no objects", "fine")
	build("no counters, one block", "fine", perftest.Object{Title: 2, Single: true})
	build("no counters, one block of nothing but its length", "fine", perftest.Object{Title: 2, Single: true})
	cases[len(cases)-1].m.Set("object[0].instance[0].block.ByteLength", 4)
	build("no counters, instances", "fine", perftest.Object{Title: 2, Instances: instances{{Name: "a"}, {Name: "b"}}})
	change("no computer name", "fine", func(b *perftest.Block) { b.Name = "" })
	change("computer name not right behind the header", "fine", func(b *perftest.Block) { b.NameGap = 8 })
	change("header longer than needed", "fine", func(b *perftest.Block) { b.HeaderGap = 64 })
	for _, n := range []int{8, 24, 8192} {
		change(fmt.Sprint("object headers, definitions and counter blocks longer by ", n), "fine", func(b *perftest.Block) {
			for i := range b.Objects {
				b.Objects[i].HeaderExtra, b.Objects[i].BlockExtra = n, n
				for c := range b.Objects[i].Counters {
					b.Objects[i].Counters[c].Extra = n
				}
			}
		})
	}
	change("stale bytes behind a name", "fine", func(b *perftest.Block) { b.Objects[1].Instances[0].NameStale = 66 })
	change("bytes before a name", "fine", func(b *perftest.Block) { b.Objects[1].Instances[0].NameGap = 16 })
	padding := base.Clone()
	fill := func(from, to int) { copy(padding.Bytes[from:to], bytes.Repeat([]byte{0xCC}, to-from)) }
	fill(base.At("SystemName").End(), int(base.Get("HeaderLength")))
	for _, in := range []string{"object[1].instance[0]", "object[2].instance[2]"} {
		fill(base.At(in+".Name").End(), base.At(in+".block").Off)
	}
	add("any padding bytes", "fine", padding)
	change("children before their parents", "fine", func(b *perftest.Block) { b.Objects[1], b.Objects[2] = b.Objects[2], b.Objects[1] })
	with("shared offsets", "fine", perftest.Counter{Type: large, Offset: 8}, perftest.Counter{Type: dword, Offset: 8}, perftest.Counter{Type: large, Offset: 8})
	with("descending offsets", "fine", perftest.Counter{Type: large, Offset: 24}, perftest.Counter{Type: dword, Offset: 16}, perftest.Counter{Type: large, Offset: 8})
	with("gaps between values, offsets unaligned", "fine", perftest.Counter{Type: large, Offset: 13}, perftest.Counter{Type: dword, Offset: 31})
	with("packed to 4 bytes", "fine", perftest.Counter{Type: large, Offset: 4}, perftest.Counter{Type: dword, Offset: 12})
	with("another counter where the count of a MULTI type would be", "fine",
		perftest.Counter{Title: 6, Type: 0x22410500, Offset: 8}, perftest.Counter{Title: 6, Type: 0x42030500, Offset: 24}, perftest.Counter{Title: 8, Type: large, Offset: 16})
	with("NODATA without a size", "fine", counter(none), counter(dword))
	with("AVERAGE_TIMER with CounterSize 8", "fine", perftest.Counter{Title: 206, Type: 0x30020400, Size: 8}, perftest.Counter{Title: 206, Type: 0x40030402})
	with("both values of PERF_LARGE_RAW_BASE", "fine", counter(0x20570500), counter(0x40030500), counter(0x20570500), counter(0x40030503))
	change("a 4-byte last value at the end of a block", "fine", func(b *perftest.Block) {
		b.Objects[3].Counters = counters{{Title: 2, Type: large}, {Title: 4, Type: dword, Offset: 4}, {Title: 6, Type: 0x10410400, Offset: 12}}
		b.Objects[2].Counters = counters{{Title: 2, Type: dword}}
	})
	named("an unnamed instance", "fine", 0, perftest.Instance{Unnamed: true, UniqueID: 5})
	named("names with / # ( )", "fine", 0, perftest.Instance{Name: `C#/F# (Vis\ual)`})
	for _, n := range []int32{0, -2, -3} { // definitions alone: 13.01, 13.02
		change(fmt.Sprint("NumInstances ", n), "fine", func(b *perftest.Block) {
			meta := b.Objects[1]
			meta.Title, meta.Instances, meta.NumInstances = 700, nil, n
			b.Objects = append(slices.Insert(b.Objects, 1, meta), meta)
		})
	}

	// Section 13: where other programs fail.
	for _, offset := range []int64{16, 32, 200, 1 << 20, -8} {
		build(fmt.Sprint("13.04 offset past the buffer or in the next object: ", offset), "value-range",
			number(2, perftest.Instance{Name: "a", Values: []uint64{7}}), number(4, perftest.Instance{Name: "b", Values: []uint64{9}}))
		cases[len(cases)-1].m.Set("object[0].counter[0].CounterOffset", offset)
	}
	last := single(counters{{Title: 4, Type: dword}, {Title: 6, Type: text, Size: 12}, {Title: 8, Type: none}}, 5)
	last.Instances[0].Raw = map[int][]byte{1: []byte("t\x00e\x00x\x00t\x00\x00\x00")}
	build("13.07 no size as last counter; text", "fine", last)
	bulk := counters{{Title: 4, Type: 0x40020500}, {Title: 4, Type: 0x40030402}, {Title: 6, Type: dword}}
	build("13.08 a counter behind the base", "fine", single(bulk, 1000, 3, 9))
	atEnd := slices.Clone(bulk[:2])
	atEnd[0].Offset, atEnd[1].Offset = 4, 12
	build("13.08 base last in the buffer", "fine", single(atEnd, 1000, 3))
	build("13.14 value >= 2^63", "fine", single(counters{counter(large)}, 1<<63+5))
	build("13.16 PRECISION type, kind ZERO", "fine", single(counters{counter(0x20570500), counter(0x40030500), counter(0x00000E00), counter(dword)}, 1, 2, 0, 4))
	build("13.20 base with index 0", "fine", single(counters{counter(0x20020400), {Type: 0x40030403}}, 1, 2))
	build("13.22 parent = last instance", "fine", number(2, instances{{Name: "a"}, {Name: "last"}}...), number(4, perftest.Instance{Name: "c", ParentTitle: 2, Parent: 1}))
	build("13.26 single instance, first value at its offset", "fine", single(counters{{Title: 4, Type: dword, Offset: 4}, {Title: 6, Type: dword, Offset: 20}}, 201, 202))
	for _, raw := range []string{"abc\x00", "abcd\x00", "caf\xe9\x00"} { // 13.09, 13.27
		o := number(2, perftest.Instance{RawName: []byte(raw)})
		o.CodePage = 1252
		build(fmt.Sprintf("13.27 NameLength %d", len(raw)), "fine", o)
	}
	build("13.32 DWORD >= 2^31", "fine", single(counters{counter(dword)}, 0xFFFFFFFE))
	build("13.34 title indexes that descend", "fine", number(238, perftest.Instance{Name: "a", Values: []uint64{1}}), number(2, perftest.Instance{Name: "b", Values: []uint64{2}}))
	build(`13.40 names with "#"`, "fine", number(2, instances{{Name: "site#1"}, {Name: "C# app"}, {Name: "w3wp"}, {Name: "w3wp"}, {Name: "C# app"}}...))
	build("13.41 two objects of one title", "fine", number(2, perftest.Instance{Name: "a", Values: []uint64{1}}), number(2, perftest.Instance{Name: "a", Values: []uint64{2}}))
	o := perftest.Object{Title: 230, PerfFreq: 10_000_000, PerfTime: 1, Counters: counters{{Title: 784, Type: dword}, {Title: 684, Type: 0x30240500}}}
	o.Instances = instances{{Name: "Idle"}, {Name: "later", Values: []uint64{4, 1 << 62}}, {Name: "gone"}}
	build("13.44 rows of zeros", "fine", o)

	// Rule 3.5: a parent's name in the parent's code page, one level only.
	ansiParent := number(30, perftest.Instance{Name: "first"}, perftest.Instance{RawName: []byte("caf\xe9\x00"), ParentTitle: 20})
	ansiParent.CodePage = 1252
	build("parents", "fine",
		number(40, perftest.Instance{Name: "leaf", ParentTitle: 30, Parent: 1}, perftest.Instance{Name: "orphan", ParentTitle: 99}, perftest.Instance{Name: "free", Parent: 5}),
		ansiParent, number(20, perftest.Instance{Name: "root"}),
		number(30, perftest.Instance{Name: "x"}, perftest.Instance{Name: "the second object of that title"}))
	build("its own parent", "fine", number(2, perftest.Instance{Name: "a", ParentTitle: 2}, perftest.Instance{Name: "b", ParentTitle: 2}))
	build("a parent without instances", "parent-range", number(2, perftest.Instance{Name: "a", ParentTitle: 4}), number(4))
	// Rule 3.6: equal full names are numbered in block order, without regard to case.
	equal := number(230)
	for _, name := range []string{"svchost", "Idle", "SVCHOST", "w3wp", "svchost", "idle", "w3wp#1", "", ""} {
		equal.Instances = append(equal.Instances, perftest.Instance{Name: name})
	}
	build("equal names", "fine", equal, number(232,
		perftest.Instance{Name: "0", ParentTitle: 230}, perftest.Instance{Name: "0", ParentTitle: 230, Parent: 4},
		perftest.Instance{Name: "0", ParentTitle: 230, Parent: 2}, perftest.Instance{Name: "0", ParentTitle: 230, Parent: 3}))
	// Rules 3.4 and 3.8: names and texts in their code pages.
	for _, row := range []struct {
		page uint32
		raw  string
	}{
		{1252, "caf\xe9 \x80\x00"},
		{1251, "\xcf\xf0\xee\xf6\xe5\xf1\xf1\x00"},
		{932, "\x8e\xa9\x93\xae\x00"},
		{936, "\xbc\xe0\xbf\xd8\x00"},
		{437, "\x81ber\x00"},
		{65001, "\xc3\xbcber \xe6\xbc\xa2\x00"},
		{20127, "plain\x00"},
		{0, "\x22\x6f\x3d\xd8\x00\xde\x00\x00"},
	} {
		o := number(2, perftest.Instance{RawName: []byte(row.raw)})
		o.CodePage = row.page
		build(fmt.Sprint("name in page ", row.page), "fine", o)
	}
	for _, raw := range []string{"a\x00b\x00\x00\x00c\x00", "a\x00b\x00", "a\x00b\x00c", "\x00\x00", "a"} {
		build(fmt.Sprintf("text in UTF-16: %q", raw), "fine", texts(text, 1252, raw))
	}
	for _, raw := range []string{"\xe9\x00x", "\xe9", "four", "eight by"} {
		build(fmt.Sprintf("text, page 0: %q", raw), "fine", texts(ansi, 0, raw))
	}
	build("text, page 1251", "fine", texts(ansi, 1251, "\xe9"))
	build("text, unknown page", "fine", texts(ansi, 54321, "\xe9"))
	// ESE rounds every counter to 8, starts at 8, pads all objects to the largest
	// block and leaves stale bytes behind names.
	var ese []perftest.Object
	for i := range uint32(4) {
		o := perftest.Object{Title: 2 + 20*i, BlockExtra: int(8 * (4 - i))}
		for c := range i + 1 {
			o.Counters = append(o.Counters, perftest.Counter{Title: 4 + 20*i + 2*c, Type: dword, Offset: int(8 + 8*c)})
		}
		o.Instances = instances{{Name: "lsass/NTDSA", NameStale: 40, Values: []uint64{11, 12, 13, 14}}, {Name: "_Total", NameStale: 50, Values: []uint64{21, 22, 23, 24}}}
		ese = append(ese, o)
	}
	build("ESE", "fine", ese...)
	for _, b := range [][]byte{perftest.Busy(1, perftest.Small), perftest.BusyNext(1, perftest.Small), perftest.Wide(30, 100)} {
		checkTree(t, mustBeClean(t, b))
	}
	runSpec(t, "blocks", cases)
}

// shifted moves all objects n bytes further.
func shifted(m *perftest.Image, n int) *perftest.Image {
	header := int(m.Get("HeaderLength"))
	c := *m
	c.Fields = make(map[string]perftest.Field)
	for path, f := range m.Fields {
		if f.Off >= header {
			f.Off += n
		}
		c.Fields[path] = f
	}
	c.Bytes = slices.Insert(slices.Clone(m.Bytes), header, make([]byte, n)...)
	return c.Add("HeaderLength", int64(n)).Add("TotalByteLength", int64(n))
}

package bounds_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
)

func worstLogs() (all []worst) {
	const noon, second = 132366960000000000, 10_000_000
	add := func(name string, buffer int, f func(w *blgwriter.Writer, n int)) {
		all = append(all, worst{name: "blg/" + name, make: func(n int) []byte {
			w := blgwriter.New(blgwriter.Options{BufferSize: buffer})
			f(w, n)
			b, err := w.Bytes()
			if err != nil {
				panic(name + ": " + err.Error())
			}
			return b
		}})
	}
	single := func(i int) blgwriter.Item {
		return blgwriter.Item{Path: pdhpath.Path{Machine: "ONE", Object: "O", Counter: fmt.Sprint("c", i)}, Type: 0x10000}
	}
	every := blgwriter.Item{Path: pdhpath.Path{Machine: "ONE", Object: "P", Instance: "*", HasInstance: true, Counter: "C"}, Type: 0x10000}
	value := func(at int64, v int) blgwriter.Series {
		return blgwriter.Series{Kind: blg.Single, Local: at, Values: []blgwriter.Value{{Multi: 1, First: uint64(v)}}}
	}
	named := func(at int64, k int, name func(i int) string) blgwriter.Series {
		s := blgwriter.Series{Kind: blg.Instances, Local: at}
		for i := range k {
			s.Values = append(s.Values, blgwriter.Value{Name: name(i), First: uint64(i)})
		}
		return s
	}
	add("items", 0, func(w *blgwriter.Writer, n int) {
		var items []blgwriter.Item
		for i := range n / 90 {
			items = append(items, single(i))
		}
		w.Items(noon, items...)
		w.Sample(noon, value(noon, 1))
		w.Sample(noon+second, value(noon+second, 1))
	})
	add("equal items", 0, func(w *blgwriter.Writer, n int) {
		var items []blgwriter.Item
		var series []blgwriter.Series
		for range n / 200 {
			items = append(items, single(1))
			series = append(series, value(noon, 1))
		}
		w.Items(noon, items...)
		w.Sample(noon, series...)
		w.Sample(noon+second, series...)
	})
	add("items and records", 0, func(w *blgwriter.Writer, n int) { // columns times rows
		var items []blgwriter.Item
		for i := range n / 2 / 90 {
			items = append(items, single(i))
		}
		w.Items(noon, items...)
		for i := range n / 2 / 120 {
			at := noon + int64(i)*second
			w.Sample(at, value(at, i))
		}
	})
	add("records", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		for i := range n / 120 {
			at := noon + int64(i)*second
			w.Sample(at, value(at, i))
		}
	})
	add("records of one time", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		for i := range n / 120 {
			w.Sample(noon, value(noon, i))
		}
	})
	add("records backwards", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		for i := range n / 120 {
			at := noon - int64(i)*second
			w.Sample(at, value(at, i))
		}
	})
	add("empty records", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		for i := range n / 90 {
			w.Sample(noon + int64(i)*second)
		}
	})
	add("other instances", 0, func(w *blgwriter.Writer, n int) { // in each record
		w.Items(noon, every)
		for i := range n / 160 {
			at := noon + int64(i)*second
			w.Sample(at, named(at, 1, func(int) string { return fmt.Sprint("i", i) }))
		}
	})
	add("many other instances", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, every)
		for i := range max(2, n/50000) {
			at := noon + int64(i)*second
			w.Sample(at, named(at, 1000, func(k int) string { return fmt.Sprint(i, "-", k) }))
		}
	})
	add("instances of one name", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, every)
		for i := range 2 {
			at := noon + int64(i)*second
			w.Sample(at, named(at, n/2/28, func(int) string { return "a" }))
		}
	})
	add("instances of a long name", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, every)
		for i := range 2 {
			at := noon + int64(i)*second
			w.Sample(at, named(at, n/2/2024, func(k int) string { return fmt.Sprint(k, strings.Repeat("x", 1000)) }))
		}
	})
	add("lists of items", 0, func(w *blgwriter.Writer, n int) {
		for i := range n / 200 {
			w.Items(noon+int64(i), single(i))
		}
		w.Sample(noon+second, value(noon+second, 1))
	})
	add("lists and records", 0, func(w *blgwriter.Writer, n int) {
		for i := range n / 350 {
			at := noon + int64(i)*second
			w.Items(at, single(i))
			w.Sample(at+1, value(at+1, i))
		}
	})
	add("titles", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		for i := range n / 130 {
			w.Titles(noon, `\\ONE`, fmt.Sprint(2*i), "x")
		}
		w.Sample(noon, value(noon, 1))
	})
	add("titles of machines", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		for i := range n / 130 {
			w.Titles(noon, fmt.Sprint(`\\M`, i), "2", "x")
		}
		w.Sample(noon, value(noon, 1))
	})
	add("one list of titles", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		var pairs []string
		for i := range n / 18 {
			pairs = append(pairs, fmt.Sprint(2*i), "x")
		}
		w.Titles(noon, `\\ONE`, pairs...)
		w.Sample(noon, value(noon, 1))
	})
	add("parts that miss others", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		for i := range n / 100 {
			w.Part(0x22, noon+int64(i)*second, 1, 1000, make([]byte, 16))
		}
	})
	add("last parts first", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		k := n / 100
		for i := range k {
			w.Part(0x22, noon, k-i, k, make([]byte, 16))
		}
	})
	add("one record of many parts", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		k := n / 100
		for i := range k {
			w.Part(0x22, noon, i+1, k, make([]byte, 16))
		}
	})
	add("other events", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		for i := range n / 90 {
			w.Event(0x55, noon+int64(i), nil)
		}
	})
	add("small buffers", 0x400, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		for i := range n / 0x400 {
			at := noon + int64(i)*second
			w.Sample(at, value(at, i))
			w.NextBuffer()
		}
	})
	add("catalogue", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		c := blgwriter.Catalogue{First: noon, Last: noon, Records: 1, Entries: 1}
		o := blgwriter.CatalogueEntry{HasInstances: true}
		for range n / 30 {
			o.Instances = append(o.Instances, blgwriter.CatalogueName{Name: "a"})
		}
		c.Objects = append(c.Objects, o)
		w.Catalogue(noon, &c)
		w.Sample(noon, value(noon, 1))
	})
	catalogue := func(objects func(n int) []blgwriter.CatalogueEntry) func(w *blgwriter.Writer, n int) {
		return func(w *blgwriter.Writer, n int) {
			w.Items(noon, single(0))
			o := objects(n)
			w.Catalogue(noon, &blgwriter.Catalogue{First: noon, Last: noon, Records: 1, Entries: uint32(len(o)), Objects: o})
			w.Sample(noon, value(noon, 1))
		}
	}
	add("catalogue of objects", 0, catalogue(func(n int) []blgwriter.CatalogueEntry { return make([]blgwriter.CatalogueEntry, n/40) }))
	add("catalogue of counters", 0, catalogue(func(n int) []blgwriter.CatalogueEntry {
		return []blgwriter.CatalogueEntry{{Counters: make([]blgwriter.CatalogueCounter, n/24)}}
	}))
	add("whole objects", 0, func(w *blgwriter.Writer, n int) {
		w.Items(noon, blgwriter.Item{Path: pdhpath.Path{Machine: "ONE", Object: "P", Counter: "*"}, Type: 0x10})
		for i := range max(2, n/40000) {
			at := noon + int64(i)*second
			w.Sample(at, blgwriter.Series{Kind: blg.Object, Local: at, Body: worstBlocks()[1].make(40000)})
		}
	})
	add("empty buffers", 0x400, func(w *blgwriter.Writer, n int) {
		w.Items(noon, single(0))
		for range n / 0x400 {
			w.NextBuffer()
		}
	})
	sets := worstLogSets(noon, second)
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		add(name, 0, sets[name])
	}
	return all
}

package bounds_test

import (
	"encoding/binary"
	"fmt"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perflib2"
)

// worstLogSets are what logs of counter sets can be at worst.
func worstLogSets(noon, second int64) map[string]func(w *blgwriter.Writer, n int) {
	must := func(b []byte, err error) []byte {
		if err != nil {
			panic(err)
		}
		return b
	}
	item := func(name string) blgwriter.Item {
		return blgwriter.Item{Path: pdhpath.Path{Machine: "ONE", Object: name, Instance: "*", HasInstance: true, Counter: "*"}, Type: 0x10, Set: true}
	}
	register := func(w *blgwriter.Writer, name string, counters int) {
		r := perflib2.RegistrationTree{Name: name, Counters: make([]perflib2.TreeCounter, counters)}
		r.InstanceType = perflib2.MultipleInstances
		for i := range r.Counters {
			c := &r.Counters[i]
			c.Name, c.ID, c.Type = fmt.Sprint("c", i), uint32(i), countertypes.PERF_COUNTER_BULK_COUNT
			c.BaseID, c.PerfTimeID, c.PerfFreqID, c.MultiID = perflib2.NoID, perflib2.NoID, perflib2.NoID, perflib2.NoID
		}
		w.Registration(noon+1e12, must(r.AppendBinary(nil)))
	}
	set := func(w *blgwriter.Writer, at int64, counters, instances, size int, name func(i int) string) {
		tree := perflib2.Tree{Results: []perflib2.TreeResult{{Type: perflib2.CounterSet}}}
		tree.PerfTime, tree.PerfTime100ns, tree.PerfFreq = at-noon, at, 1e7
		res := &tree.Results[0]
		for j := range counters {
			res.IDs = append(res.IDs, uint32(j))
		}
		for i := range instances {
			in := perflib2.TreeInstance{Name: name(i), ID: uint32(i)}
			for range counters {
				in.Values = append(in.Values, binary.LittleEndian.AppendUint64(nil, uint64(at))[:size])
			}
			res.Instances = append(res.Instances, in)
		}
		w.Sample(at, blgwriter.Series{Kind: blg.CounterSet, Body: must(tree.AppendBinary(nil))})
	}
	one := func(int) string { return "" }
	number := func(i int) string { return fmt.Sprint(i) }
	late := func(w *blgwriter.Writer) {
		register(w, "S", 1)
		w.Items(noon+1e12, item("S"))
	}
	return map[string]func(w *blgwriter.Writer, n int){
		"sets of instances": func(w *blgwriter.Writer, n int) {
			for i := range 2 {
				set(w, noon+int64(i)*second, 1, n/2/32, 8, number)
			}
			late(w)
		},
		"sets of instances without names": func(w *blgwriter.Writer, n int) {
			for i := range 2 {
				set(w, noon+int64(i)*second, 1, n/2/24, 0, one)
			}
			late(w)
		},
		"sets of instances without counters": func(w *blgwriter.Writer, n int) {
			set(w, noon, 0, n/16, 0, one)
			late(w)
		},
		"sets that nothing registers": func(w *blgwriter.Writer, n int) {
			set(w, noon, 1, n/2/24, 0, one)
			set(w, noon+second, n/2/12, 1, 0, one)
		},
		"sets of counters": func(w *blgwriter.Writer, n int) {
			k := min(n/4/80, 40000)
			for i := range 2 {
				set(w, noon+int64(i)*second, k, 1, 8, one)
			}
			register(w, "S", k)
			w.Items(noon+1e12, item("S"))
		},
		"sets of other instances": func(w *blgwriter.Writer, n int) {
			for i := range n / 250 {
				set(w, noon+int64(i)*second, 1, 1, 8, func(int) string { return fmt.Sprint("i", i) })
			}
			late(w)
		},
		"registrations": func(w *blgwriter.Writer, n int) {
			set(w, noon, 1, 1, 8, one)
			for i := range n / 300 {
				register(w, fmt.Sprint("S", i), 1)
			}
			late(w)
		},
		"one registration": func(w *blgwriter.Writer, n int) {
			set(w, noon, 1, 1, 8, one)
			register(w, "S", n/80)
			w.Items(noon+1e12, item("S"))
		},
		"sets in many items": func(w *blgwriter.Writer, n int) {
			var items []blgwriter.Item
			var series []blgwriter.Series
			res := perflib2.TreeResult{Type: perflib2.MultiCounters, Instances: make([]perflib2.TreeInstance, 1)}
			for j := range 1000 {
				res.IDs, res.Instances[0].Values = append(res.IDs, uint32(j)), append(res.Instances[0].Values, nil)
			}
			tree := perflib2.Tree{Results: []perflib2.TreeResult{res}}
			body := must(tree.AppendBinary(nil))
			for i := range n / 12250 {
				items = append(items, item(fmt.Sprint("S", i)))
				series = append(series, blgwriter.Series{Kind: blg.CounterSet, Body: body})
			}
			w.Sample(noon, series...)
			w.Items(noon+1e12, items...)
		},
	}
}

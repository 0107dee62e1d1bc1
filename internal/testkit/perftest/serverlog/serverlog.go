// Package serverlog writes binary logs of a busy server for tests and
// benchmarks, by the packages that read them.
package serverlog

import (
	"fmt"
	"math/rand/v2"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// The records of a log are 5 seconds apart, from noon of 2020-06-15 on.
const (
	start int64 = 132366960000000000
	Step        = 5 * 10_000_000 // in units of 100 ns
)

// Head is how many buffers stand before the samples: those that are no part of
// a round of a perftest.LongLog.
const Head = 2

// Counters is how many values each record has.
const Counters = 2 * counters * instances

const counters, instances = 10, 150

var types = []countertypes.Type{
	countertypes.PERF_100NSEC_TIMER, countertypes.PERF_COUNTER_BULK_COUNT, countertypes.PERF_COUNTER_LARGE_RAWCOUNT,
	countertypes.PERF_COUNTER_BULK_COUNT, countertypes.PERF_100NSEC_TIMER,
}

// New makes the log of a busy server, with a value of 3,000 counters in each
// record: half of them as all instances of a counter, half in a whole object.
// Rates and percentages have all their digits, as they do in life.
func New(records int) []byte {
	rnd := rand.New(rand.NewPCG(7, 8))
	var items []blgwriter.Item
	for j := range counters {
		items = append(items, blgwriter.Item{
			Path: pdhpath.Path{Machine: "SERVER", Object: "Thread", Instance: "*", HasInstance: true, Counter: fmt.Sprint("Counter ", j)},
			Type: types[j%len(types)], TimeBase: 1e7,
		})
	}
	items = append(items, blgwriter.Item{Path: pdhpath.Path{Machine: "SERVER", Object: "Process", Counter: "*"}, Type: 0x10})
	w := blgwriter.New(blgwriter.Options{})
	w.Items(start, items...)
	totals := make([]uint64, Counters)
	w.NextBuffer()
	for i := range records {
		local := start + int64(i*Step)
		for k := range totals {
			totals[k] += uint64(rnd.IntN(4e7))
		}
		var series []blgwriter.Series
		for j := range counters {
			s := blgwriter.Series{Kind: blg.Instances, Local: local}
			for k := range instances {
				s.Values = append(s.Values, blgwriter.Value{Name: fmt.Sprintf("worker/%d", k), First: totals[j*instances+k], Second: uint64(local)})
			}
			series = append(series, s)
		}
		series = append(series, blgwriter.Series{Kind: blg.Object, Body: processes(local, totals[counters*instances:])})
		w.Sample(local, series...)
	}
	return must(w.Bytes())
}

// processes is the block of an object with some counters.
func processes(local int64, totals []uint64) []byte {
	tree := perfdata.Tree{SystemName: "SERVER"}
	tree.SystemTime = perfdata.NewSystemTime(perfdata.Filetime(local))
	tree.PerfTime, tree.PerfFreq, tree.PerfTime100nSec, tree.DefaultObject = local, 1e7, local, 230
	o := perfdata.TreeObject{}
	o.ObjectNameTitleIndex, o.DetailLevel, o.DefaultCounter, o.PerfFreq, o.PerfTime = 230, 100, -1, 1e7, local
	for j := range counters {
		o.Counters = append(o.Counters, perfdata.CounterDefinition{CounterNameTitleIndex: uint32(1000 + 2*j), CounterType: types[j%len(types)], DetailLevel: 100})
	}
	for k := range len(totals) / counters {
		in := perfdata.TreeInstance{Name: fmt.Sprint("process ", k)}
		in.UniqueID = -1
		for j := range counters {
			in.Values = append(in.Values, perfdata.TreeValue{Kind: perfdata.Uint64, Uint: totals[k*counters+j]})
		}
		o.Instances = append(o.Instances, in)
	}
	tree.Objects = []perfdata.TreeObject{o}
	if err := tree.Layout(); err != nil {
		panic(err)
	}
	return must(tree.AppendBinary(nil))
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

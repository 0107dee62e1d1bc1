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

// Counters is how many values each record of [New] has.
const Counters = 2 * counters * instances

const counters, instances = 10, 150

var types = []countertypes.Type{
	countertypes.PERF_100NSEC_TIMER, countertypes.PERF_COUNTER_BULK_COUNT, countertypes.PERF_COUNTER_LARGE_RAWCOUNT,
	countertypes.PERF_COUNTER_BULK_COUNT, countertypes.PERF_100NSEC_TIMER,
}

// New makes the log of a busy server, with a value of 3,000 counters in each
// record.
func New(records int) []byte {
	return (&Server{Machine: "SERVER", Counters: counters, Instances: instances}).Log(records)
}

// Server is a busy server with two objects: one as all instances of each counter, one as a
// whole. Rates and percentages have all their digits, as they do in life.
type Server struct {
	Machine             string
	Logger              string // a GUID, or ""
	Counters, Instances int    // of each object

	rnd    *rand.Rand
	totals []uint64
	now    int64
}

// Log makes a log that goes on where the one before ended.
func (s *Server) Log(records int) []byte {
	if s.rnd == nil {
		s.rnd, s.totals, s.now = rand.New(rand.NewPCG(7, 8)), make([]uint64, 2*s.Counters*s.Instances), start
	}
	var items []blgwriter.Item
	for j := range s.Counters {
		items = append(items, blgwriter.Item{
			Path: pdhpath.Path{Machine: s.Machine, Object: "Thread", Instance: "*", HasInstance: true, Counter: fmt.Sprint("Counter ", j)},
			Type: types[j%len(types)], TimeBase: 1e7,
		})
	}
	items = append(items, blgwriter.Item{Path: pdhpath.Path{Machine: s.Machine, Object: "Process", Counter: "*"}, Type: 0x10})
	w := blgwriter.New(blgwriter.Options{LoggerName: s.Logger})
	w.Items(s.now, items...)
	w.NextBuffer()
	for range records {
		for k := range s.totals {
			s.totals[k] += uint64(s.rnd.IntN(4e7))
		}
		var series []blgwriter.Series
		for j := range s.Counters {
			all := blgwriter.Series{Kind: blg.Instances, Local: s.now}
			for k := range s.Instances {
				all.Values = append(all.Values, blgwriter.Value{Name: fmt.Sprintf("worker/%d", k), First: s.totals[j*s.Instances+k], Second: uint64(s.now)})
			}
			series = append(series, all)
		}
		series = append(series, blgwriter.Series{Kind: blg.Object, Body: s.processes()})
		w.Sample(s.now, series...)
		s.now += Step
	}
	return must(w.Bytes())
}

// processes is the block of an object with some counters.
func (s *Server) processes() []byte {
	tree := perfdata.Tree{SystemName: s.Machine}
	tree.SystemTime = perfdata.NewSystemTime(perfdata.Filetime(s.now))
	tree.PerfTime, tree.PerfFreq, tree.PerfTime100nSec, tree.DefaultObject = s.now, 1e7, s.now, 230
	o := perfdata.TreeObject{}
	o.ObjectNameTitleIndex, o.DetailLevel, o.DefaultCounter, o.PerfFreq, o.PerfTime = 230, 100, -1, 1e7, s.now
	for j := range s.Counters {
		o.Counters = append(o.Counters, perfdata.CounterDefinition{CounterNameTitleIndex: uint32(1000 + 2*j), CounterType: types[j%len(types)], DetailLevel: 100})
	}
	for k := range s.Instances {
		in := perfdata.TreeInstance{Name: fmt.Sprint("process ", k)}
		in.UniqueID = -1
		for j := range s.Counters {
			in.Values = append(in.Values, perfdata.TreeValue{Kind: perfdata.Uint64, Uint: s.totals[(s.Instances+k)*s.Counters+j]})
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

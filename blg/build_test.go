package blg_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

const (
	second = 10_000_000
	// noon of 2020-06-15, local.
	noon = 132366960000000000
	hour = 3600 * second
)

// sampleItems are a single value, all instances of a counter, a whole object,
// and a value of another machine.
func sampleItems() []blg.NewItem {
	return []blg.NewItem{
		{Path: pdhpath.Path{Machine: "ONE", Object: "System", Counter: "Context Switches/sec"}, Type: countertypes.PERF_COUNTER_COUNTER, TimeBase: 1e6, Scale: -2},
		{Path: pdhpath.Path{Machine: "ONE", Object: "Processor", Instance: "*", HasInstance: true, Counter: "% Processor Time"}, Type: countertypes.PERF_100NSEC_TIMER_INV, TimeBase: 1e7},
		{Path: pdhpath.Path{Machine: "ONE", Object: "Memory", Counter: "*"}, Type: 0x10},
		{Path: pdhpath.Path{Machine: "TWO", Object: "Process", Instance: "svc", HasInstance: true, Index: 1, Parent: "P", Counter: "Handle Count"}, Type: countertypes.PERF_COUNTER_RAWCOUNT},
	}
}

// block makes a block of perfdata as a log holds it, of a size by its
// instances.
func block(t testing.TB, local, offset int64, instances int) []byte {
	t.Helper()
	tree := perfdata.Tree{SystemName: "ONE"}
	tree.SystemTime = perfdata.NewSystemTime(perfdata.Filetime(local))
	tree.PerfTime, tree.PerfFreq, tree.PerfTime100nSec, tree.DefaultObject = local/10, 1e6, local+offset, 4
	o := perfdata.TreeObject{Counters: []perfdata.CounterDefinition{{CounterNameTitleIndex: 24, CounterType: countertypes.PERF_COUNTER_LARGE_RAWCOUNT, DetailLevel: 100}}}
	o.ObjectNameTitleIndex, o.DetailLevel, o.DefaultCounter, o.PerfFreq = 4, 100, -1, 1e6
	for i := range instances {
		in := perfdata.TreeInstance{Name: fmt.Sprint("i", i), Values: []perfdata.TreeValue{{Kind: perfdata.Uint64, Uint: uint64(local) + uint64(i)}}}
		in.UniqueID = -1
		o.Instances = append(o.Instances, in)
	}
	tree.Objects = []perfdata.TreeObject{o}
	require.NoError(t, tree.Layout())
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	return b
}

// sampleSeries are what sampleItems have at a time.
func sampleSeries(t testing.TB, local int64, instances int) []blg.NewSeries {
	n := uint64(local - noon)
	return []blg.NewSeries{
		{Kind: blg.Single, Local: local, Values: []blg.NewValue{{Multi: 1, First: n, Second: n / 10}}},
		{Kind: blg.Instances, Local: local, Values: []blg.NewValue{
			{Name: "0", First: n / 2, Second: uint64(local + 2*hour)},
			{Name: "ä", First: n / 3, Second: uint64(local + 2*hour)},
			{Name: "0", Multi: 4, First: n / 4, Second: uint64(local + 2*hour)},
		}},
		{Kind: blg.Object, Body: block(t, local, 2*hour, instances)},
		{Kind: blg.Single, Status: 0x800007D0, Local: local, Values: []blg.NewValue{{Multi: 1}}},
	}
}

// shape is what a log is to be like.
type shape struct {
	o         blg.WriterOptions
	records   int
	instances int // of the whole object: about 60 bytes each
}

// write makes a log with all kinds of events, a record a second.
func (s shape) write(t testing.TB) *blg.Writer {
	t.Helper()
	if s.o.Header.EndTime == 0 {
		s.o.Header.EndTime = noon + 3*hour
	}
	s.o.Tail.StartTime, s.o.FileName = noon+2*hour, `C:\PerfLogs\a.blg`
	s.o.LoggerName = "01234567-89ab-cdef-0123-456789abcdef"
	w := blg.NewWriter(s.o)
	w.Titles(noon-20, `\\ONE`, "1", "1847", "4", "Memory")
	w.Titles(noon-20, `\\TWO`, "1", "1847", "230", "Process")
	w.Titles(noon-20, `\\ONE`, "24", "Available Bytes")
	w.Items(noon-10, sampleItems()...)
	var last int64
	for i := range s.records {
		last = noon + int64(i)*second
		w.Sample(last, sampleSeries(t, last, s.instances)...)
	}
	w.Catalogue(last+30, &blg.Catalogue{First: noon, Last: last, Records: uint32(s.records), Entries: 2, Objects: sampleCatalogue()})
	return w
}

func sampleCatalogue() []blg.CatalogueEntry {
	return []blg.CatalogueEntry{
		{HasInstances: true, Counters: []blg.CatalogueCounter{{24, 0x10100, 1e6, -6}, {26, 0x10400, 1e7, 0}, {28, 0x10100, 1e6, 3}}, Instances: []blg.CatalogueName{{"i0", 0}, {"i0", 1}}},
		{Counters: []blg.CatalogueCounter{{6, 0x20510500, 1e7, 0}}},
	}
}

func (s shape) bytes(t testing.TB) []byte {
	t.Helper()
	b, err := s.write(t).Bytes()
	require.NoError(t, err)
	return b
}

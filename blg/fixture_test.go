package blg_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

// small is the log of testdata/blg: four records of two machines, of which each
// kind of series has one: a single value, all instances of a counter, a whole
// object, and a value that is missing now and then.
func small(t testing.TB) []byte {
	t.Helper()
	const offset = 2 * hour
	o := blgwriter.Options{BufferSize: 0x1000, LoggerName: "01234567-89ab-cdef-0123-456789abcdef", FileName: `C:\PerfLogs\small.blg`}
	o.Header = etl.LogHeader{MajorVersion: 6, MinorVersion: 2, Build: 9200, Processors: 2, EndTime: noon - offset + 4*second}
	o.Zone = etl.TimeZone{Bias: 120}
	o.Tail = etl.LogTail{PerfFreq: 1e6, StartTime: noon + offset}
	w := blgwriter.New(o)
	w.Titles(noon-20, `\\ALPHA`, "1", "1847", "4", "Memory", "24", "Available Bytes", "28", "Page Faults/sec")
	w.Items(noon-10,
		blgwriter.Item{Path: pdhpath.Path{Machine: "ALPHA", Object: "System", Counter: "Context Switches/sec"}, Type: countertypes.PERF_COUNTER_COUNTER, TimeBase: 1e6, Scale: -2},
		blgwriter.Item{Path: pdhpath.Path{Machine: "ALPHA", Object: "Processor", Instance: "*", HasInstance: true, Counter: "% Processor Time"}, Type: countertypes.PERF_100NSEC_TIMER_INV, TimeBase: 1e7},
		blgwriter.Item{Path: pdhpath.Path{Machine: "ALPHA", Object: "Memory", Counter: "*"}, Type: 0x10},
		blgwriter.Item{Path: pdhpath.Path{Machine: "BETA", Object: "Process", Instance: "svc", HasInstance: true, Index: 1, Counter: "Handle Count"}, Type: countertypes.PERF_COUNTER_RAWCOUNT},
	)
	for i := range uint64(4) {
		local := noon + int64(i)*second
		utc := uint64(local + offset)
		series := []blgwriter.Series{
			single(local, 5000+250*i*(i+1), 1e6*i),
			{Kind: blg.Instances, Local: local, Values: []blgwriter.Value{
				{Name: "0", First: 9e6 * i, Second: utc},
				{Name: "1", First: 2500000 * i, Second: utc},
				{Name: "_Total", First: 5750000 * i, Second: utc},
			}},
			{Kind: blg.Object, Body: memory(t, local, offset, i)},
			single(local, 100+i, 0),
		}
		if i == 1 {
			series[3] = single(local, 0, 0)
			series[3].Status = 0x800007D5
		}
		w.Sample(local, series...)
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	return b
}

// sets is the log of testdata/blg/sets.blg, laid out as Windows Server 2019 does: version
// 2 counter sets, of which the third record has an error, and the lists behind the samples.
func sets(t testing.TB) []byte {
	t.Helper()
	o := blgwriter.Options{BufferSize: 0x1000, LoggerName: "01234567-89ab-cdef-0123-456789abcdef", FileName: `C:\PerfLogs\sets.blg`}
	o.Header = etl.LogHeader{MajorVersion: 10, Build: 17763, Processors: 2, EndTime: noon + 4*second}
	o.Tail = etl.LogTail{PerfFreq: 1e7, StartTime: noon}
	w := blgwriter.New(o)
	item := func(machine, set string) blgwriter.Item {
		return blgwriter.Item{Path: pdhpath.Path{Machine: machine, Object: set, Instance: "*", HasInstance: true, Counter: "*"}, Type: 0x10, Set: true}
	}
	body := func(i int64, res perflib2.TreeResult) blgwriter.Series {
		tree := perflib2.Tree{Results: []perflib2.TreeResult{res}}
		at := noon + i*second
		tree.PerfTime, tree.PerfTime100ns, tree.PerfFreq, tree.SystemTime = i*second, at, 1e7, perfdata.NewSystemTime(perfdata.Filetime(at))
		return blgwriter.Series{Kind: blg.CounterSet, Body: encodeSet(t, &tree)}
	}
	number := func(n int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }
	for i := range int64(4) {
		engine := perflib2.TreeResult{Type: perflib2.CounterSet, IDs: []uint32{0, 1, 2, 3}}
		for k, name := range []string{"pid_4_engtype_3D", "pid_4_engtype_Copy"} {
			n := int64(k+1) * i
			engine.Instances = append(engine.Instances, perflib2.TreeInstance{Name: name, ID: uint32(k), Values: [][]byte{number(n * second / 4), number(n * 600), number(n * 900), number(n * 3)}})
		}
		if i == 2 {
			engine = perflib2.TreeResult{Type: perflib2.ErrorResult, Status: 0xE8}
		}
		zone := perflib2.TreeResult{Type: perflib2.MultiCounters, IDs: []uint32{1}, Instances: []perflib2.TreeInstance{{Values: [][]byte{number(300 + i)}}}}
		w.Sample(noon+i*second, body(i, engine), body(i, zone), body(i, zone))
	}
	last := noon + 3*second + int64(20)
	gpu := perflib2.RegistrationTree{Name: "GPU Engine", Counters: []perflib2.TreeCounter{
		counter(0, "Utilization Percentage", countertypes.PERF_100NSEC_TIMER, perflib2.NoID),
		counter(1, "Bytes Read/Packet", countertypes.PERF_AVERAGE_BULK, 3), counter(2, "Bytes Written/Packet", countertypes.PERF_AVERAGE_BULK, 3),
		counter(3, "", countertypes.PERF_AVERAGE_BASE, perflib2.NoID),
	}}
	gpu.GUID, gpu.InstanceType = [16]uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, perflib2.MultipleInstances
	thermal := perflib2.RegistrationTree{Name: "Thermal Zone", Counters: []perflib2.TreeCounter{counter(1, "Temperature", countertypes.PERF_COUNTER_LARGE_RAWCOUNT, perflib2.NoID)}}
	w.Titles(last, `\\ALPHA`, "1", "1847", "4", "Memory")
	w.Registration(last, encodeSet(t, &gpu))
	w.Registration(last, encodeSet(t, &thermal))
	w.Items(last, item("ALPHA", "GPU Engine"), item("ALPHA", "Thermal Zone"), item("BETA", "Thermal Zone"))
	b, err := w.Bytes()
	require.NoError(t, err)
	return b
}

// memory is the block of an object without instances.
func memory(t testing.TB, local, offset int64, i uint64) []byte {
	t.Helper()
	tree := perfdata.Tree{SystemName: "ALPHA"}
	tree.SystemTime = perfdata.NewSystemTime(perfdata.Filetime(local))
	tree.PerfTime, tree.PerfFreq, tree.PerfTime100nSec, tree.DefaultObject = int64(1e6*i), 1e6, local+offset, 4
	o := perfdata.TreeObject{Counters: []perfdata.CounterDefinition{
		{CounterNameTitleIndex: 24, CounterType: countertypes.PERF_COUNTER_LARGE_RAWCOUNT, DetailLevel: 100},
		{CounterNameTitleIndex: 28, CounterType: countertypes.PERF_COUNTER_COUNTER, DetailLevel: 100},
	}}
	o.ObjectNameTitleIndex, o.DetailLevel, o.DefaultCounter, o.PerfFreq = 4, 100, -1, 1e6
	o.NumInstances = -1
	o.Instances = []perfdata.TreeInstance{{Values: []perfdata.TreeValue{{Kind: perfdata.Uint64, Uint: 1<<30 - 4096*i}, {Kind: perfdata.Uint32, Uint: 700 * i}}}}
	return encode(t, &tree, o)
}

// TestFixture holds that testdata/blg is what the recipe makes. With -update it
// writes it.
func TestFixture(t *testing.T) {
	golden.File(t, "../testdata/blg/small.blg", small(t))
	golden.File(t, "../testdata/blg/sets.blg", sets(t))
}

// TestSeeds holds the corpus of FuzzBLG, which lies where fuzzers look for it,
// to what the writer makes.
func TestSeeds(t *testing.T) {
	plain := shape{size: 0x400, records: 2, instances: 1}.bytes(t)
	parts := shape{size: 0x400, bits32: true, records: 2, instances: 12}.bytes(t)
	bare := written(t, blgwriter.Options{BufferSize: 0x800}, func(w *blgwriter.Writer) {
		sample(t, w, 1, noon)
		w.Sample(noon+second, blgwriter.Series{Kind: 7, Body: []byte("abc")})
	})
	for name, b := range map[string][]byte{
		"plain": plain, "parts": parts, "damaged": edit{from: 0x848, gone: 40, put: make([]byte, 40)}.of(plain), "bare": bare, "cut": parts[:len(parts)-0x500],
		"sets": setLog(t, true, false), "sets-behind": setLog(t, false, false), "sets-parts": setLog(t, false, true),
		"sets-cut": setLog(t, false, false)[:0x4400], "turned": permuted(plain, 0x400, func(i, n int) int { return (i + n/2) % n }),
	} {
		golden.Seed(t, "../fuzz", "FuzzBLG", name, b)
	}
}

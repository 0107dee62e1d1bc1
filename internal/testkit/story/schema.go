package story

import (
	"strconv"

	"github.com/perfdump/perfdump/blg"
	ct "github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// object declares an object of the log. Title indexes, types and scales are
// those of Windows Server 2019; the indexes of SQL Server's objects, which
// differ from machine to machine, are ours.
type object struct {
	title    uint32
	name     string
	single   bool // it has no instances
	clock    bool // its header has the clock of elapsed times
	counters []counter
}

type counter struct {
	title uint32
	typ   ct.Type
	scale int32
	name  string
}

// size is that of a value: the disks have 8 bytes for a type of 4.
func (c *counter) size() uint32 {
	if c.typ == ct.PERF_AVERAGE_TIMER {
		return 8
	}
	return uint32(c.typ.ValueWidth())
}

// row is an instance with a value for each counter of its object.
type row struct {
	name   string
	values []uint64
}

var system = object{title: 2, name: "System", single: true, clock: true, counters: []counter{
	{146, ct.PERF_COUNTER_COUNTER, -2, "Context Switches/sec"},
	{674, ct.PERF_ELAPSED_TIME, -5, "System Up Time"},
	{44, ct.PERF_COUNTER_RAWCOUNT, 1, "Processor Queue Length"},
	{248, ct.PERF_COUNTER_RAWCOUNT, 1, "Processes"},
	{250, ct.PERF_COUNTER_RAWCOUNT, 1, "Threads"},
}}

var memory = object{title: 4, name: "Memory", single: true, counters: []counter{
	{28, ct.PERF_COUNTER_COUNTER, -1, "Page Faults/sec"},
	{24, ct.PERF_COUNTER_LARGE_RAWCOUNT, -6, "Available Bytes"},
	{26, ct.PERF_COUNTER_LARGE_RAWCOUNT, -6, "Committed Bytes"},
	{30, ct.PERF_COUNTER_LARGE_RAWCOUNT, -6, "Commit Limit"},
	{40, ct.PERF_COUNTER_COUNTER, 0, "Pages/sec"},
	{822, ct.PERF_COUNTER_COUNTER, 0, "Pages Input/sec"},
	{42, ct.PERF_COUNTER_COUNTER, 0, "Page Reads/sec"},
	{48, ct.PERF_COUNTER_COUNTER, 0, "Pages Output/sec"},
	{56, ct.PERF_COUNTER_LARGE_RAWCOUNT, -5, "Pool Paged Bytes"},
	{58, ct.PERF_COUNTER_LARGE_RAWCOUNT, -5, "Pool Nonpaged Bytes"},
	{66, ct.PERF_COUNTER_LARGE_RAWCOUNT, -5, "Pool Paged Resident Bytes"},
	{70, ct.PERF_COUNTER_LARGE_RAWCOUNT, -5, "System Code Resident Bytes"},
	{74, ct.PERF_COUNTER_LARGE_RAWCOUNT, -5, "System Driver Resident Bytes"},
	{76, ct.PERF_COUNTER_LARGE_RAWCOUNT, -5, "System Cache Resident Bytes"},
	{1406, ct.PERF_RAW_FRACTION, 0, "% Committed Bytes In Use"},
	{1406, ct.PERF_RAW_BASE, 0, ""},
	{1382, ct.PERF_COUNTER_LARGE_RAWCOUNT, 0, "Available MBytes"},
	{1678, ct.PERF_COUNTER_LARGE_RAWCOUNT, 0, "Modified Page List Bytes"},
}}

var processor = object{title: 238, name: "Processor", counters: []counter{
	{6, ct.PERF_100NSEC_TIMER_INV, 0, "% Processor Time"},
	{142, ct.PERF_100NSEC_TIMER, 0, "% User Time"},
	{144, ct.PERF_100NSEC_TIMER, 0, "% Privileged Time"},
	{696, ct.PERF_100NSEC_TIMER, 0, "% DPC Time"},
	{698, ct.PERF_100NSEC_TIMER, 0, "% Interrupt Time"},
	{1746, ct.PERF_100NSEC_TIMER, 0, "% Idle Time"},
}}

var processTable = object{title: 230, name: "Process", clock: true, counters: []counter{
	{6, ct.PERF_100NSEC_TIMER, 0, "% Processor Time"},
	{144, ct.PERF_100NSEC_TIMER, 0, "% Privileged Time"},
	{180, ct.PERF_COUNTER_LARGE_RAWCOUNT, -5, "Working Set"},
	{186, ct.PERF_COUNTER_LARGE_RAWCOUNT, -5, "Private Bytes"},
	{680, ct.PERF_COUNTER_RAWCOUNT, 0, "Thread Count"},
	{684, ct.PERF_ELAPSED_TIME, -4, "Elapsed Time"},
	{784, ct.PERF_COUNTER_RAWCOUNT, -1, "ID Process"},
	{1410, ct.PERF_COUNTER_RAWCOUNT, -1, "Creating Process ID"},
	{952, ct.PERF_COUNTER_RAWCOUNT, 0, "Handle Count"},
	{1424, ct.PERF_COUNTER_BULK_COUNT, 0, "IO Data Bytes/sec"},
}}

// diskCounters are those of both objects of disks.
var diskCounters = []counter{
	{198, ct.PERF_COUNTER_RAWCOUNT, 1, "Current Disk Queue Length"},
	{1400, ct.PERF_COUNTER_100NS_QUEUELEN_TYPE, 2, "Avg. Disk Queue Length"},
	{206, ct.PERF_AVERAGE_TIMER, 3, "Avg. Disk sec/Transfer"},
	{206, ct.PERF_AVERAGE_BASE, 0, ""},
	{208, ct.PERF_AVERAGE_TIMER, 3, "Avg. Disk sec/Read"},
	{208, ct.PERF_AVERAGE_BASE, 0, ""},
	{210, ct.PERF_AVERAGE_TIMER, 3, "Avg. Disk sec/Write"},
	{210, ct.PERF_AVERAGE_BASE, 0, ""},
	{212, ct.PERF_COUNTER_COUNTER, 0, "Disk Transfers/sec"},
	{214, ct.PERF_COUNTER_COUNTER, 0, "Disk Reads/sec"},
	{216, ct.PERF_COUNTER_COUNTER, 0, "Disk Writes/sec"},
	{218, ct.PERF_COUNTER_BULK_COUNT, -4, "Disk Bytes/sec"},
	{1482, ct.PERF_PRECISION_100NS_TIMER, 0, "% Idle Time"},
	{1482, ct.PERF_LARGE_RAW_BASE, 0, ""},
}

var physicalDisk = object{title: 234, name: "PhysicalDisk", counters: diskCounters}

var logicalDisk = object{title: 236, name: "LogicalDisk", counters: append([]counter{
	{408, ct.PERF_RAW_FRACTION, 0, "% Free Space"},
	{408, ct.PERF_RAW_BASE, 0, ""},
	{410, ct.PERF_COUNTER_RAWCOUNT, 0, "Free Megabytes"},
}, diskCounters...)}

var networkInterface = object{title: 510, name: "Network Interface", counters: []counter{
	{388, ct.PERF_COUNTER_BULK_COUNT, -4, "Bytes Total/sec"},
	{266, ct.PERF_COUNTER_BULK_COUNT, -1, "Packets Received/sec"},
	{452, ct.PERF_COUNTER_BULK_COUNT, -1, "Packets Sent/sec"},
	{520, ct.PERF_COUNTER_LARGE_RAWCOUNT, -6, "Current Bandwidth"},
	{264, ct.PERF_COUNTER_BULK_COUNT, -4, "Bytes Received/sec"},
	{530, ct.PERF_COUNTER_LARGE_RAWCOUNT, 0, "Packets Received Errors"},
	{506, ct.PERF_COUNTER_BULK_COUNT, -4, "Bytes Sent/sec"},
	{542, ct.PERF_COUNTER_LARGE_RAWCOUNT, 0, "Packets Outbound Errors"},
	{544, ct.PERF_COUNTER_LARGE_RAWCOUNT, 0, "Output Queue Length"},
}}

var sqlBuffers = object{title: 7010, name: "SQLServer:Buffer Manager", single: true, counters: []counter{
	{7012, ct.PERF_LARGE_RAW_FRACTION, 0, "Buffer cache hit ratio"},
	{7014, ct.PERF_LARGE_RAW_BASE, 0, "Buffer cache hit ratio base"},
	{7016, ct.PERF_COUNTER_LARGE_RAWCOUNT, -2, "Page life expectancy"},
	{7018, ct.PERF_COUNTER_BULK_COUNT, 0, "Page reads/sec"},
	{7020, ct.PERF_COUNTER_BULK_COUNT, 0, "Page writes/sec"},
	{7022, ct.PERF_COUNTER_BULK_COUNT, 0, "Lazy writes/sec"},
	{7024, ct.PERF_COUNTER_BULK_COUNT, 0, "Free list stalls/sec"},
}}

var sqlStatistics = object{title: 7030, name: "SQLServer:SQL Statistics", single: true, counters: []counter{
	{7032, ct.PERF_COUNTER_BULK_COUNT, 0, "Batch Requests/sec"},
	{7034, ct.PERF_COUNTER_BULK_COUNT, 0, "SQL Compilations/sec"},
	{7036, ct.PERF_COUNTER_BULK_COUNT, 0, "SQL Re-Compilations/sec"},
}}

var sqlGeneral = object{title: 7040, name: "SQLServer:General Statistics", single: true, counters: []counter{
	{7042, ct.PERF_COUNTER_BULK_COUNT, 0, "Logins/sec"},
	{7044, ct.PERF_COUNTER_LARGE_RAWCOUNT, 0, "User Connections"},
	{7046, ct.PERF_COUNTER_LARGE_RAWCOUNT, 0, "Processes blocked"},
}}

var sqlLocks = object{title: 7050, name: "SQLServer:Locks", counters: []counter{
	{7052, ct.PERF_COUNTER_BULK_COUNT, 0, "Lock Waits/sec"},
	{7054, ct.PERF_COUNTER_BULK_COUNT, 0, "Lock Wait Time (ms)"},
	{7056, ct.PERF_COUNTER_BULK_COUNT, 0, "Number of Deadlocks/sec"},
}}

var sqlMemory = object{title: 7060, name: "SQLServer:Memory Manager", single: true, counters: []counter{
	{7062, ct.PERF_COUNTER_LARGE_RAWCOUNT, 0, "Memory Grants Pending"},
	{7064, ct.PERF_COUNTER_LARGE_RAWCOUNT, -4, "Target Server Memory (KB)"},
	{7066, ct.PERF_COUNTER_LARGE_RAWCOUNT, -4, "Total Server Memory (KB)"},
}}

// names returns the pairs of the log's table of titles.
func names(objects []*object) []string {
	pairs := []string{"1", "1847"}
	for _, o := range objects {
		pairs = append(pairs, strconv.Itoa(int(o.title)), o.name)
		for _, c := range o.counters {
			if c.name != "" {
				pairs = append(pairs, strconv.Itoa(int(c.title)), c.name)
			}
		}
	}
	return pairs
}

func (o *object) item(machine string) blgwriter.Item {
	p := pdhpath.Path{Machine: machine, Object: o.name, Counter: "*"}
	if !o.single {
		p.Instance, p.HasInstance = "*", true
	}
	return blgwriter.Item{Path: p, Type: 0x10}
}

// series returns the object as it stands in a record.
func (o *object) series(m *machine, rows []row) blgwriter.Series {
	tree := perfdata.Tree{SystemName: m.name}
	tree.SystemTime = perfdata.NewSystemTime(perfdata.Filetime(m.local()))
	tree.PerfTime, tree.PerfFreq, tree.PerfTime100nSec, tree.DefaultObject = m.now-m.boot, second, m.now, int32(o.title)
	t := perfdata.TreeObject{}
	t.ObjectNameTitleIndex, t.ObjectHelpTitleIndex, t.DetailLevel = o.title, o.title+1, 100
	if o.clock {
		t.PerfTime, t.PerfFreq = m.now, second
	}
	if o.single {
		t.NumInstances = perfdata.NoInstances
	}
	for _, c := range o.counters {
		t.Counters = append(t.Counters, perfdata.CounterDefinition{
			CounterNameTitleIndex: c.title, CounterHelpTitleIndex: c.title + 1, DefaultScale: c.scale, DetailLevel: 100,
			CounterType: c.typ, CounterSize: c.size(),
		})
	}
	for _, r := range rows {
		in := perfdata.TreeInstance{Name: r.name}
		in.UniqueID = -1
		for i, v := range r.values {
			kind := perfdata.Uint64
			if o.counters[i].size() == 4 {
				kind = perfdata.Uint32
			}
			in.Values = append(in.Values, perfdata.TreeValue{Kind: kind, Uint: v})
		}
		t.Instances = append(t.Instances, in)
	}
	tree.Objects = []perfdata.TreeObject{t}
	if err := tree.Layout(); err != nil {
		panic(err)
	}
	return blgwriter.Series{Kind: blg.Object, Body: must(tree.AppendBinary(nil))}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

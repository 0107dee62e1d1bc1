package story

import (
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

// The types of the counters, as Windows has them.
const (
	raw      = countertypes.PERF_COUNTER_RAWCOUNT
	large    = countertypes.PERF_COUNTER_LARGE_RAWCOUNT
	rate     = countertypes.PERF_COUNTER_COUNTER
	bulk     = countertypes.PERF_COUNTER_BULK_COUNT
	cpuTime  = countertypes.PERF_100NSEC_TIMER
	idleTime = countertypes.PERF_100NSEC_TIMER_INV
	average  = countertypes.PERF_AVERAGE_TIMER
	queueLen = countertypes.PERF_COUNTER_100NS_QUEUELEN_TYPE
	precise  = countertypes.PERF_PRECISION_100NS_TIMER
	fraction = countertypes.PERF_RAW_FRACTION
	lfrac    = countertypes.PERF_LARGE_RAW_FRACTION
)

// bases are the types of the base that follows a counter.
var bases = map[countertypes.Type]countertypes.Type{
	average: countertypes.PERF_AVERAGE_BASE, precise: countertypes.PERF_LARGE_RAW_BASE,
	fraction: countertypes.PERF_RAW_BASE, lfrac: countertypes.PERF_LARGE_RAW_BASE,
}

// value is a value of a counter, with its base.
type value struct {
	counter string
	typ     countertypes.Type
	value   uint64
	base    uint64
}

// object is an object at a moment.
type object struct {
	name      string
	instances []instance // one without a name for an object without instances
}

type instance struct {
	name   string
	values []value
}

// objects returns all objects at this moment.
func (s *server) objects() []object {
	used, committed := s.memory()
	free := s.ram - used
	all := []object{
		{"System", []instance{{"", []value{
			{"Processor Queue Length", raw, uint64(s.queue), 0},
			{"Context Switches/sec", rate, s.total.switches, 0},
			{"Processes", raw, uint64(s.running()) + 1, 0},
		}}}},
		{"Memory", []instance{{"", []value{
			{"Available Bytes", large, uint64(free), 0},
			{"Available MBytes", large, uint64(free) / mb, 0},
			{"Committed Bytes", large, uint64(committed), 0},
			{"Commit Limit", large, uint64(s.limit), 0},
			{"% Committed Bytes In Use", fraction, uint64(committed) >> 12, uint64(s.limit) >> 12},
			{"Pages/sec", rate, s.total.pages, 0},
			{"Pages Input/sec", rate, s.total.inputs, 0},
			{"Pages Output/sec", rate, s.total.outputs, 0},
			{"Pool Nonpaged Bytes", large, nonpaged, 0},
			{"Pool Paged Bytes", large, paged, 0},
			{"Cache Bytes", large, fileCache, 0},
			{"Modified Page List Bytes", large, modified, 0},
		}}}},
		s.processor(), s.disksOf("PhysicalDisk"), s.disksOf("LogicalDisk"), s.network(), s.process(),
	}
	if s.sql {
		all = append(all, s.database()...)
	}
	return all
}

func (s *server) running() (n int) {
	for _, p := range s.procs {
		if p.running {
			n++
		}
	}
	return n
}

func (s *server) processor() object {
	o := object{name: "Processor"}
	var all core
	for i, c := range s.cpus {
		o.instances = append(o.instances, instance{string(rune('0' + i)), c.values(1)})
		all.idle, all.user, all.kernel, all.dpc, all.interrupt = all.idle+c.idle, all.user+c.user, all.kernel+c.kernel, all.dpc+c.dpc, all.interrupt+c.interrupt
	}
	o.instances = append(o.instances, instance{"_Total", all.values(uint64(s.cores))})
	return o
}

// values are those of a core, or of several on average.
func (c core) values(of uint64) []value {
	return []value{
		{"% Processor Time", idleTime, c.idle * quantum / of, 0},
		{"% User Time", cpuTime, c.user * quantum / of, 0},
		{"% Privileged Time", cpuTime, c.kernel * quantum / of, 0},
		{"% DPC Time", cpuTime, c.dpc * quantum / of, 0},
		{"% Interrupt Time", cpuTime, c.interrupt * quantum / of, 0},
	}
}

// disksOf returns the disks, or the volumes on them, which say the same.
func (s *server) disksOf(name string) object {
	o := object{name: name}
	total := disk{}
	for _, d := range s.disks {
		of := d.volume
		if name == "PhysicalDisk" {
			of = d.physical()
		}
		o.instances = append(o.instances, instance{of, d.values(name, s.now, 1)})
		for k := range d.count {
			total.count[k] += d.count[k]
			total.time[k] += d.time[k]
			total.bytes[k] += d.bytes[k]
		}
		total.idle, total.queue = total.idle+d.idle, total.queue+d.queue
		total.free, total.megabytes = total.free+d.free, total.megabytes+d.megabytes
	}
	o.instances = append(o.instances, instance{"_Total", total.values(name, s.now, uint64(len(s.disks)))})
	return o
}

func (d *disk) values(name string, now time.Time, of uint64) []value {
	count, took, bytes := d.count[0]+d.count[1], d.time[0]+d.time[1], d.bytes[0]+d.bytes[1]
	all := []value{
		{"Current Disk Queue Length", raw, uint64(math.Round(d.queue)), 0},
		{"Avg. Disk Queue Length", queueLen, took, 0},
		{"Avg. Disk sec/Transfer", average, took, count},
		{"Avg. Disk sec/Read", average, d.time[0], d.count[0]},
		{"Avg. Disk sec/Write", average, d.time[1], d.count[1]},
		{"Disk Transfers/sec", rate, count, 0},
		{"Disk Reads/sec", rate, d.count[0], 0},
		{"Disk Writes/sec", rate, d.count[1], 0},
		{"Disk Bytes/sec", bulk, bytes, 0},
		{"% Idle Time", precise, d.idle / of, uint64(filetime(now))},
	}
	if name == "LogicalDisk" {
		all = append(all, value{"% Free Space", fraction, d.free, d.megabytes}, value{"Free Megabytes", raw, d.free, 0})
	}
	return all
}

func (s *server) network() object {
	return object{"Network Interface", []instance{{adapter, []value{
		{"Bytes Total/sec", bulk, s.net[0] + s.net[1], 0},
		{"Bytes Received/sec", bulk, s.net[0], 0},
		{"Bytes Sent/sec", bulk, s.net[1], 0},
		{"Current Bandwidth", large, 1e9, 0},
		{"Output Queue Length", large, 0, 0},
	}}}}
}

func (s *server) process() object {
	o := object{name: "Process"}
	var total proc
	add := func(name string, p *proc) {
		o.instances = append(o.instances, instance{name, []value{
			{"% Processor Time", cpuTime, p.quanta * quantum, 0},
			{"ID Process", raw, p.pid, 0},
			{"Handle Count", raw, uint64(p.handleCount), 0},
			{"Thread Count", raw, uint64(p.threads), 0},
			{"Private Bytes", large, uint64(math.Round(p.private + p.bytes)), 0},
			{"Working Set", large, uint64(math.Round(p.working + p.bytes)), 0},
			{"IO Data Bytes/sec", bulk, p.io, 0},
		}})
		total.quanta, total.io = total.quanta+p.quanta, total.io+p.io
		total.handleCount, total.threads = total.handleCount+p.handleCount, total.threads+p.threads
		total.private, total.working = total.private+math.Round(p.private+p.bytes), total.working+math.Round(p.working+p.bytes)
	}
	add("Idle", &proc{quanta: s.idle, threads: float64(s.cores)})
	for _, p := range s.procs {
		if p.running {
			add(p.name, p)
		}
	}
	add("_Total", &total)
	return o
}

func (s *server) database() []object {
	seconds := uint64(s.now.Sub(day).Seconds())
	return []object{
		{"SQLServer:Buffer Manager", []instance{{"", []value{
			{"Buffer cache hit ratio", lfrac, s.db.hits, s.db.looks},
			{"Page life expectancy", large, 14_200 + seconds, 0},
			{"Database pages", large, 892_416, 0},
			{"Lazy writes/sec", bulk, s.db.lazy, 0},
			{"Page reads/sec", bulk, s.db.reads, 0},
		}}}},
		{"SQLServer:SQL Statistics", []instance{{"", []value{
			{"Batch Requests/sec", bulk, s.db.batches, 0},
			{"SQL Compilations/sec", bulk, s.db.compilations, 0},
		}}}},
		{"SQLServer:General Statistics", []instance{{"", []value{
			{"User Connections", large, uint64(40 + 120*s.load(s.now)), 0},
			{"Processes blocked", large, 0, 0},
		}}}},
		{"SQLServer:Locks", []instance{{"_Total", []value{
			{"Lock Waits/sec", bulk, s.db.locks, 0},
			{"Number of Deadlocks/sec", bulk, 0, 0},
		}}}},
		{"SQLServer:Memory Manager", []instance{{"", []value{
			{"Memory Grants Pending", large, 0, 0},
			{"Total Server Memory (KB)", large, 8_650_752, 0},
		}}}},
	}
}

// names gives title indexes: those of Windows, and others for SQL Server.
type names struct {
	known map[string]uint32
	more  []string // index, name, index, name
}

func newNames() *names {
	n := &names{known: map[string]uint32{}}
	for i, name := range titles.Base().All() {
		if _, ok := n.known[name]; !ok {
			n.known[name] = i
		}
	}
	return n
}

func (n *names) index(name string) uint32 {
	i, ok := n.known[name]
	if !ok {
		i = uint32(9000 + len(n.more))
		n.known[name] = i
		n.more = append(n.more, name)
	}
	return i
}

// record makes the log.
func (s *server) record(from, to time.Time) []byte {
	s.rnd = rand.New(rand.NewPCG(s.seed, 3))
	s.cpus = make([]core, s.cores)
	s.disks = []*disk{{number: 0, volume: "C:", megabytes: 122_880, free: 47_900}, {number: 1, volume: "D:", megabytes: 512_000, free: 187_300}}
	for range 400 { // it has been up for a while
		s.step(from.Add(-24 * time.Hour))
	}
	w := blgwriter.New(blgwriter.Options{
		LoggerName: "5b7c1e52-3c1d-4f0e-9a41-0c6a2d7e9b10",
		FileName:   `C:\PerfLogs\Admin\` + s.name + `\` + s.name + `.blg`,
		Header:     etl.LogHeader{MajorVersion: 10, Build: 20348, Processors: uint32(s.cores), PointerSize: 8, EndTime: filetime(to)},
		Zone:       etl.TimeZone{Bias: -60},
		Tail:       etl.LogTail{PerfFreq: 1e7, StartTime: filetime(from), BootTime: filetime(from.Add(-19 * 24 * time.Hour))},
	})
	n := newNames()
	first := true
	for t := from; !t.After(to); t = t.Add(s.interval) {
		s.step(t)
		if s.missing(t) {
			continue
		}
		local := filetime(t.Add(time.Hour))
		all := s.objects()
		var series []blgwriter.Series
		var items []blgwriter.Item
		for i := range all {
			items = append(items, blgwriter.Item{Path: pdhpath.Path{Machine: s.name, Object: all[i].name, Counter: "*"}, Type: 0x10})
			series = append(series, blgwriter.Series{Kind: blg.Object, Local: local, Body: s.block(&all[i], n, t)})
		}
		if first {
			first = false
			w.Items(local-20, items...)
			var pairs []string
			for _, name := range n.more {
				pairs = append(pairs, strconv.Itoa(int(n.known[name])), name)
			}
			if len(pairs) > 0 {
				w.Titles(local-10, `\\`+s.name, pairs...)
			}
			w.NextBuffer()
		}
		w.Sample(local, series...)
	}
	b, err := w.Bytes()
	if err != nil {
		panic(err)
	}
	return b
}

// block makes the block of an object.
func (s *server) block(o *object, n *names, t time.Time) []byte {
	at := filetime(t)
	tree := perfdata.Tree{SystemName: s.name}
	tree.SystemTime = perfdata.NewSystemTime(t.UTC().Add(time.Hour)) // logs have the local time there
	tree.PerfTime, tree.PerfFreq, tree.PerfTime100nSec, tree.DefaultObject = at, 1e7, at, 238
	x := perfdata.TreeObject{}
	x.ObjectNameTitleIndex, x.DetailLevel, x.DefaultCounter, x.PerfFreq, x.PerfTime = n.index(o.name), 100, -1, 1e7, at
	for _, v := range o.instances[0].values {
		def := perfdata.CounterDefinition{CounterNameTitleIndex: n.index(v.counter), CounterType: v.typ, DetailLevel: 100}
		if v.typ == average {
			def.CounterSize = 8
		}
		x.Counters = append(x.Counters, def)
		if base, ok := bases[v.typ]; ok {
			def.CounterType, def.CounterSize = base, 0
			x.Counters = append(x.Counters, def)
		}
	}
	for _, in := range o.instances {
		ti := perfdata.TreeInstance{Name: in.name}
		ti.UniqueID = -1
		for _, v := range in.values {
			ti.Values = append(ti.Values, valueOf(v.typ, v.value))
			if base, ok := bases[v.typ]; ok {
				ti.Values = append(ti.Values, valueOf(base, v.base))
			}
		}
		x.Instances = append(x.Instances, ti)
	}
	if o.instances[0].name == "" {
		x.NumInstances = -1
	}
	tree.Objects = []perfdata.TreeObject{x}
	if err := tree.Layout(); err != nil {
		panic(err)
	}
	b, err := tree.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
}

// filetime returns a time in units of 100 ns since 1601.
func filetime(t time.Time) int64 { return t.UnixNano()/100 + 116_444_736_000_000_000 }

// valueOf returns a value in the size of its type.
func valueOf(t countertypes.Type, v uint64) perfdata.TreeValue {
	if t.Size() == countertypes.SizeDword && t != average { // disks have 8 bytes there
		return perfdata.TreeValue{Kind: perfdata.Uint32, Uint: uint64(uint32(v))}
	}
	return perfdata.TreeValue{Kind: perfdata.Uint64, Uint: v}
}

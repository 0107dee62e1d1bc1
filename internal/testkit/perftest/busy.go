package perftest

import (
	"fmt"
	"math/rand/v2"
)

// Size says how much a generated server has.
type Size struct {
	Processes int // with Idle, System and _Total
	Threads   int // with that of _Total
	Multi     int // objects of applications with many instances
	Instances int // the most instances that one of these has; the least two fifths of that
	Single    int // objects with one unnamed instance or few
}

// The sizes used in tests and benchmarks.
var (
	Small  = Size{Processes: 24, Threads: 120, Multi: 2, Instances: 30, Single: 12}      // about 75 KB
	Server = Size{Processes: 300, Threads: 4000, Multi: 20, Instances: 1000, Single: 91} // 120 objects, 5 to 10 MB
)

// Interval is the time between the samples of a server.
const Interval = 5 * 10_000_000 // 100 ns units

// Busy returns a block as a busy server would answer it: the objects that
// every Windows has and those of applications, aligned and free of anomalies.
// Equal arguments give equal bytes.
func Busy(seed uint64, size Size) []byte { return BusyBlock(seed, size, 0).Bytes() }

// BusyNext returns what the server of [Busy] answers 5 seconds later: its
// counters have grown, some processes and threads have ended, others begun.
func BusyNext(seed uint64, size Size) []byte { return BusyBlock(seed, size, 1).Bytes() }

// BusyBlock returns the declaration of the n-th sample of a server.
func BusyBlock(seed uint64, size Size, n int) *Block {
	s := server{seed: seed, size: size, n: uint64(n)}
	return s.block()
}

type server struct {
	seed uint64
	size Size
	n    uint64
}

// rand returns the source of what belongs to one thing of the server, the
// same in each sample.
func (s *server) rand(kind, id uint64) *rand.Rand {
	return rand.New(rand.NewPCG(s.seed^kind<<40, id))
}

func (s *server) now() uint64 { return DefaultTime + s.n*Interval }

func (s *server) block() *Block {
	b := &Block{
		Name:            fmt.Sprintf("SRV-BUSY-%02d", s.seed%100),
		DefaultObject:   238,
		PerfTime:        9_876_543_210_123 + int64(s.n)*Interval,
		PerfFreq:        10_000_000,
		PerfTime100nSec: int64(s.now()),
	}
	processes := s.processes()
	b.Objects = []Object{
		s.single(2, windowsCounters()["system"]),
		s.single(4, windowsCounters()["memory"]),
		s.named(238, windowsCounters()["processor"], "0", "1", "2", "3", "4", "5", "6", "7", "_Total"),
		s.named(1848, windowsCounters()["processorInformation"], "0,0", "0,1", "0,2", "0,3", "0,_Total", "_Total"),
		s.processObject(processes),
		s.threadObject(processes),
		s.named(236, windowsCounters()["logicalDisk"], "C:", "D:", "E:", "HarddiskVolume1", "_Total"),
		s.named(234, windowsCounters()["physicalDisk"], "0 C:", "1 D: E:", "_Total"),
		s.named(510, windowsCounters()["networkInterface"],
			"Intel[R] Ethernet Controller X710 for 10GbE SFP+", "Intel[R] Ethernet Controller X710 for 10GbE SFP+ _2", "isatap.{6E2B0C1F-40D6-4B61-9D1B-9A1C0F3C6C53}"),
	}
	for i := range s.size.Multi {
		b.Objects = append(b.Objects, s.application(i))
	}
	for i := range s.size.Single {
		b.Objects = append(b.Objects, s.component(i))
	}
	return b
}

func (s *server) single(title uint32, counters []Counter) Object {
	o := s.object(title, counters)
	o.Single = true
	o.Instances = []Instance{{Values: s.values(&o, 0, nil)}}
	return o
}

func (s *server) named(title uint32, counters []Counter, names ...string) Object {
	o := s.object(title, counters)
	for i, name := range names {
		o.Instances = append(o.Instances, Instance{Name: name, Values: s.values(&o, uint64(i), nil)})
	}
	return o
}

// object returns an object without instances. It has a clock where a counter
// needs one, as on Windows.
func (s *server) object(title uint32, counters []Counter) Object {
	o := Object{Title: title, Counters: counters}
	for i := range counters {
		if counters[i].Type>>20&3 == 2 {
			o.PerfTime, o.PerfFreq = int64(s.now()), 10_000_000
		}
	}
	return o
}

// values draws what the counters of one instance hold. Those with a title
// index in fixed hold that.
func (s *server) values(o *Object, id uint64, fixed map[uint32]uint64) []uint64 {
	r := s.rand(uint64(o.Title), id)
	values := make([]uint64, len(o.Counters))
	for i := range o.Counters {
		c := &o.Counters[i]
		start, rate := r.Uint64(), r.Uint64()
		if v, ok := fixed[c.Title]; ok {
			values[i] = v
			continue
		}
		wobble := (start>>7 + s.n*rate) % 997
		switch kind := c.Type; {
		case kind == 0x40030500: // the clock of the timer before it
			values[i] = s.now()
		case kind == 0x40030403: // the base of a raw fraction
			values[i] = 1000 + start%1_000_000
		case kind == 0x20020400:
			values[i] = wobble
		case kind == 0x30240500: // the time at which something began
			values[i] = DefaultTime - start%6_000_000_000_000
		case kind&0x00f00000 == 0x00500000: // a timer in 100 ns
			values[i] = start%1_000_000_000_000 + s.n*(rate%Interval)
		case kind&0x00400000 != 0, kind == 0x30020400, kind == 0x40020500, kind == 0x40030402:
			top := uint64(1) << 31
			if SizeOf(kind) == 8 {
				top = 1 << 44
			}
			values[i] = start%top + s.n*(rate%500_000)
		case SizeOf(kind) == 8: // a gauge of bytes
			values[i] = start%(64<<30)&^4095 + wobble<<12
		default:
			values[i] = start%5000 + wobble
		}
	}
	return values
}

type process struct {
	name    string
	pid     uint64
	threads int
	parent  uint64
}

var processNames = []string{
	"svchost", "svchost", "svchost", "svchost", "svchost", "w3wp", "w3wp", "sqlservr", "chrome", "conhost",
	"powershell", "RuntimeBroker", "dllhost", "java", "taskhostw", "WmiPrvSE", "cmd", "node", "backup agent",
	"Überwachung", "监控",
}

// processes returns those that run at this sample: one in forty ends after
// each sample, and as many begin.
func (s *server) processes() []process {
	count := max(s.size.Processes-1, 2)
	list := []process{{name: "Idle", pid: 0, threads: 8}, {name: "System", pid: 4}}
	left := max(s.size.Threads-1-8, count)
	for id := uint64(0); len(list) < count; id++ {
		r := s.rand(1<<20, id)
		name := processNames[r.IntN(len(processNames))]
		pid := 4 * (100 + id*3 + r.Uint64N(3))
		if born := id / 40; id%40 == 39 && born%2 == 1 && s.n == 0 {
			continue // begins between the samples
		} else if id%40 == 39 && born%2 == 0 && s.n > 0 {
			continue // has ended
		}
		list = append(list, process{name: name, pid: pid, parent: 4 * (1 + r.Uint64N(100)), threads: 1 + r.IntN(3)})
	}
	for i := range list[1:] {
		left -= list[1+i].threads
	}
	for i := 0; left > 0; i++ { // the rest of the threads goes to a few
		share := min(left, 1+i*7%61)
		list[1+i%(len(list)-1)].threads += share
		left -= share
	}
	return list
}

func (s *server) processObject(list []process) Object {
	o := s.object(230, windowsCounters()["process"])
	for _, p := range list {
		o.Instances = append(o.Instances, Instance{Name: p.name, Values: s.values(&o, p.pid, map[uint32]uint64{
			680: uint64(p.threads), 784: p.pid, 1410: p.parent,
		})})
	}
	total := s.values(&o, 1<<40, map[uint32]uint64{784: 0, 1410: 0})
	o.Instances = append(o.Instances, Instance{Name: "_Total", Values: total})
	return o
}

func (s *server) threadObject(list []process) Object {
	o := s.object(232, windowsCounters()["thread"])
	for at, p := range list {
		for i := range uint64(p.threads) {
			id := p.pid<<20 | i
			o.Instances = append(o.Instances, Instance{
				Name: fmt.Sprint(i), ParentTitle: 230, Parent: uint32(at),
				Values: s.values(&o, id, map[uint32]uint64{784: p.pid, 804: p.pid*8 + 4*i}),
			})
		}
	}
	o.Instances = append(o.Instances, Instance{
		Name: "_Total", ParentTitle: 230, Parent: uint32(len(list)),
		Values: s.values(&o, 1<<62, map[uint32]uint64{784: 0, 804: 0}),
	})
	return o
}

// mix is what the counters of an application are, about as often as on a
// server. A base follows its numerator.
var mix = [][]uint32{
	{0x10410500},
	{0x00010100},
	{0x10410400},
	{0x10410500},
	{0x00010000},
	{0x00010100},
	{0x10410400},
	{0x20510500},
	{0x10410500},
	{0x00010000},
	{0x00010100},
	{0x10410400},
	{0x30020400, 0x40030402},
	{0x20020400, 0x40030403},
	{0x40020500, 0x40030500},
	{0x20570500, 0x40030500},
	{0x00550500},
	{0x20c20400, 0x40030401},
}

func mixed(r *rand.Rand, title uint32, count int) []Counter {
	counters := make([]Counter, 0, count+1)
	for len(counters) < count {
		title += 2
		for i, kind := range mix[r.IntN(len(mix))] {
			c := Counter{Title: title, Type: kind, Scale: r.Int32N(9) - 6, DetailLevel: 100 * (1 + r.Uint32N(3))}
			if i > 0 { // half of the bases repeat the numerator's index, half have none
				c.Title *= title >> 1 & 1
			}
			counters = append(counters, c)
		}
	}
	return counters
}

// application returns an object with many instances: pools, databases,
// queues, sites.
func (s *server) application(i int) Object {
	r := s.rand(2<<20, uint64(i))
	title := 20_000 + 200*uint32(i)
	o := s.object(title, mixed(r, title, 32+r.IntN(29)))
	most := max(s.size.Instances, 4)
	count := most*2/5 + r.IntN(most-most*2/5+1)
	kind := []string{"pool-%04d", "MSSQL$PROD:Database_%d", "W3SVC/%d/ROOT/app", "queue %d (private$)", "node#%d"}[i%5]
	for id := range uint64(count) {
		o.Instances = append(o.Instances, Instance{Name: fmt.Sprintf(kind, id), Values: s.values(&o, id, nil)})
	}
	o.Instances[count-1].Name = "_Total"
	return o
}

var componentTitles = []uint32{
	86, 260, 700, 638, 1530, 658, 1532, 546, 548, 582, 1534, 330, 1300, 262, 52, 1918, 1924, 1938, 1942, 1950, 1958,
}

// component returns an object with one unnamed instance, or with a few.
func (s *server) component(i int) Object {
	r := s.rand(3<<20, uint64(i))
	title := 30_000 + 200*uint32(i)
	counters := mixed(r, title, 1+r.IntN(60))
	if i < len(componentTitles) {
		title = componentTitles[i]
	}
	if i%4 != 3 {
		return s.single(title, counters)
	}
	o := s.object(title, counters)
	for id := range r.Uint64N(12) {
		o.Instances = append(o.Instances, Instance{Name: fmt.Sprintf("instance %d", id), Values: s.values(&o, id, nil)})
	}
	return o
}

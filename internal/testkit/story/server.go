package story

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// proc is a process: what it needs without load, and more of it at full load.
type proc struct {
	name             string
	pid              uint64
	cpu, busy        float64 // percent of a processor
	noise            float64 // relative; 0 is 0.1
	kernel           float64 // part of the time
	handles, threads float64
	private, working float64
	read             float64 // bytes/s without load
	reads, writes    float64 // bytes/s at full load
	from, until      time.Time
	burst            func(time.Time) bool // it fills the last core
	grow             func(time.Time) (handles, bytes float64)
	work             func(time.Time) (cpu, disk, network float64)

	quanta, io         uint64 // so far
	running            bool
	spent              int // quanta of this interval
	handleCount, drift float64
	bytes              float64 // of growth
}

// server is a machine with its counters.
type server struct {
	name     string
	cores    int
	ram      float64
	limit    float64 // of committed memory
	interval time.Duration
	load     func(time.Time) float64
	missing  func(time.Time) bool // no sample is written
	wobble   func(time.Time) bool // one slow read
	procs    []*proc
	sql      bool
	seed     uint64

	rnd   *rand.Rand
	now   time.Time
	cpus  []core
	idle  uint64 // quanta
	disks []*disk
	net   [2]uint64 // bytes received, sent
	queue int
	total struct{ switches, pages, inputs, outputs uint64 }
	db    struct{ batches, compilations, lazy, reads, locks, hits, looks uint64 }
}

// core is a processor, in quanta.
type core struct{ idle, user, kernel, dpc, interrupt uint64 }

// quantum is the clock interrupt by which Windows accounts time.
const quantum = 156_250

// disk is one physical disk with one volume.
type disk struct {
	number         int
	volume         string
	megabytes      uint64
	free           uint64
	count, time    [2]uint64 // of reads and writes; time in units of 100 ns
	bytes          [2]uint64
	idle           uint64
	queue          float64
	rates, latency [2]float64
}

// around returns a value with noise.
func (s *server) around(v, noise float64) float64 {
	return v * max(0, 1+noise*max(-2.5, min(2.5, s.rnd.NormFloat64())))
}

// step lets the interval pass that ends at t.
func (s *server) step(t time.Time) {
	s.now = t
	load := s.load(t)
	sent, diskWork := s.around(9e3+1.6e7*load*load, 0.05), 0.0
	for _, p := range s.procs {
		p.running = (p.from.IsZero() || !t.Before(p.from)) && (p.until.IsZero() || !t.After(p.until))
		p.spent, p.handleCount = 0, p.handles
		if !p.running {
			continue
		}
		if p.noise == 0 {
			p.noise = 0.1
		}
		percent := p.cpu + p.busy*load
		if p.work != nil && t.After(p.from) {
			cpu, disk, network := p.work(t)
			percent += cpu
			diskWork += disk
			p.io += pages(s.seconds() * s.around(disk, 0.02))
			if network > 100e6 {
				sent = s.around(network, 0.004)
			} else {
				sent += network
			}
		}
		if p.burst != nil && p.burst(t) {
			percent, p.noise = 100, 0.0001
		}
		p.spent = int(math.Round(s.around(percent, p.noise) / 100 * s.quanta()))
		p.quanta += uint64(p.spent)
		p.io += pages(s.seconds() * s.around(p.read+(p.reads+p.writes)*load, 0.15))
		if s.rnd.IntN(6) == 0 {
			p.drift = math.Round(s.rnd.NormFloat64() * p.handles * 0.004)
		}
		p.handleCount += p.drift
		if p.grow != nil {
			var handles float64
			handles, p.bytes = p.grow(t)
			p.handleCount += math.Round(handles)
		}
		p.noise = max(p.noise, 0.001)
	}
	s.processors(t)
	s.storage(t, load, diskWork)
	s.net[0] += uint64(s.seconds()*s.around(6e3+7e6*load*load+sent*0.006, 0.05)) / 1460 * 1460
	s.net[1] += uint64(s.seconds()*sent) / 1460 * 1460
	s.count(load)
}

func (s *server) seconds() float64 { return s.interval.Seconds() }

// pages returns a number of bytes in whole pages.
func pages(bytes float64) uint64 { return uint64(bytes) &^ 4095 }

// quanta is how many a processor has in an interval.
func (s *server) quanta() float64 { return float64(s.interval) / 100 / quantum }

// processors shares the time of the processes out to the processors.
func (s *server) processors(t time.Time) {
	all := int(s.quanta())
	busy := make([]int, s.cores)
	rest, kernel := 0, 0
	for _, p := range s.procs {
		if p.burst != nil && p.running && p.burst(t) {
			p.quanta -= uint64(p.spent)
			p.spent = all - s.rnd.IntN(2)
			p.quanta += uint64(p.spent)
			busy[s.cores-1] += p.spent
		} else {
			rest += p.spent
		}
		kernel += int(math.Round(float64(p.spent) * p.kernel))
	}
	for rest > 0 {
		for i := range busy {
			n := min(rest, all-busy[i], 1+int(float64(rest)/float64(s.cores)*(0.7+0.1*float64(i%3)+0.3*s.rnd.Float64())))
			busy[i] += n
			rest -= n
		}
	}
	used := 0
	for i := range s.cpus {
		c := &s.cpus[i]
		k := 0
		if total := sum(busy); total > 0 {
			k = kernel * busy[i] / total
		}
		used += busy[i]
		c.idle += uint64(all - busy[i])
		c.kernel += uint64(k)
		c.user += uint64(busy[i] - k)
		c.dpc += uint64(k / 9)
		c.interrupt += uint64(k / 14)
	}
	s.idle += uint64(all*s.cores - used)
	s.queue = int(max(0, s.rnd.NormFloat64()*1.2+float64(used)/float64(all*s.cores)*2-0.4))
}

func sum(all []int) (n int) {
	for _, x := range all {
		n += x
	}
	return n
}

// storage serves the disks: the queue is the rate times the latency.
func (s *server) storage(t time.Time, load, work float64) {
	for i, d := range s.disks {
		d.rates = [2]float64{2 + 3*load, 4 + 5*load}
		d.latency = [2]float64{0.0009, 0.0012}
		size := [2]float64{12_288, 9_216}
		if i == 1 {
			d.rates = [2]float64{25 + 110*load, 15 + 55*load}
			d.latency = [2]float64{0.0034 + 0.002*load, 0.0014 + 0.001*load}
			size = [2]float64{24_576, 16_384}
		}
		switch {
		case i == 1 && work > 100e6: // a copy of large files
			d.rates[0] += 112
			d.latency[0] = 0.0055
		case i == 1 && work > 0: // a backup
			d.rates[0] += 250
			d.latency = [2]float64{0.058, 0.051}
		}
		if s.wobble != nil {
			d.rates = [2]float64{0.05, 0.4}
			if s.wobble(t) && i == 0 {
				d.latency[0] = 0.030
			}
		}
		all, service := float64(s.interval)/100, 0.0
		for k := range d.rates {
			n := math.Round(s.seconds() * s.around(d.rates[k], 0.09))
			took := 5000 * math.Round(n*s.around(d.latency[k], 0.06)*2000)
			bytes := n * size[k]
			if k == 0 && work > 0 && i == 1 {
				bytes += s.seconds() * work
			}
			d.count[k] += uint64(n)
			d.time[k] += uint64(took)
			d.bytes[k] += uint64(bytes)
			service += took
		}
		d.queue = service / all
		d.idle += uint64(math.Round(all * math.Exp(-d.queue)))
	}
}

// count advances what only counts.
func (s *server) count(load float64) {
	n := func(perSecond float64) uint64 { return uint64(s.seconds() * s.around(perSecond, 0.08)) }
	s.total.switches += n(2200 + 19000*load)
	in, out := n(1+9*load), n(0.2+2*load)
	s.total.inputs += in
	s.total.outputs += out
	s.total.pages += in + out
	slow := 1.0
	if during(s.now, backupFrom, backupTo) {
		slow = 0.72
	}
	batches := n(6 + 780*load*slow)
	s.db.batches += batches
	s.db.compilations += batches * 7 / 100
	s.db.reads += n(1 + 80*load)
	s.db.lazy += n(0.3 * load)
	s.db.locks += n(0.8 * load)
	s.db.looks += batches * 410
	s.db.hits += batches*410 - n(3*load)
}

// memory returns the bytes that are in use and those that are committed.
func (s *server) memory() (used, committed float64) {
	used, committed = pools+fileCache+modified, pools+600*mb
	for _, p := range s.procs {
		if p.running {
			used += math.Round(p.working + p.bytes)
			committed += math.Round(p.private + p.bytes)
		}
	}
	return used, committed
}

const (
	nonpaged  = 261 * mb
	paged     = 418 * mb
	pools     = nonpaged + paged
	fileCache = 312 * mb
	modified  = 86 * mb
)

// adapter is the network interface, with brackets as PDH writes them.
const adapter = "Intel[R] Ethernet Server Adapter I350-T2"

func (d *disk) physical() string { return fmt.Sprintf("%d %s", d.number, d.volume) }

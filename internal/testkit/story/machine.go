package story

import (
	"math/rand/v2"
)

const (
	second  = 10_000_000 // in units of 100 ns
	quantum = 156_250    // of the processor times of processes
	page    = 4096
	mib     = 1 << 20
)

// machine is a server at a moment. A day sets how much its parts do, step lets
// time pass.
type machine struct {
	name      string
	rnd       *rand.Rand
	east      int64 // of its zone, in units of 100 ns
	boot, now int64 // FILETIMEs
	clock     int64 // seconds since local midnight, as planned
	load      int64 // of the business, in permille of the most
	mood      int64 // how much more it is than usual, in permille, for some minutes
	ram       int64 // in pages
	limit     int64 // of what can be committed, in pages

	cores     []core
	turn      int // the core that gets what cannot be divided
	pinned    int // the core that a thread keeps for itself, -1 for none
	idle      *process
	ended     process // what processes that are no more have used
	processes []*process
	disks     []*disk
	network   adapter
	sql       *database

	switches, faults, pagesIn tally
	ready                     int64 // threads that wait for a core
	pool, cache, modified     int64 // in pages
}

// tally is a total that only grows.
type tally struct{ n, owed int64 }

// add adds what a rate per minute gives in some milliseconds, and returns it.
func (t *tally) add(perMinute, ms int64) int64 {
	t.owed += perMinute * ms
	n := t.owed / 60_000
	t.owed %= 60_000
	t.n += n
	return n
}

// about returns a value near v, at most so many permille away from it and more
// often close than far.
func (m *machine) about(v, permille int64) int64 { return v + v*m.around(permille)/1000 }

// around returns a value near 0, at most so far away from it.
func (m *machine) around(most int64) int64 {
	return m.rnd.Int64N(most+1) + m.rnd.Int64N(most+1) - most
}

// wander moves a value that stays near 0: it forgets an eighth of itself, and
// moves by no more than so much.
func (m *machine) wander(v, most int64) int64 {
	return v - v/8 + m.rnd.Int64N(2*most+1) - most
}

// rarely is true once in n times.
func (m *machine) rarely(n int64) bool { return m.rnd.Int64N(n) == 0 }

// local returns the local time, in whole milliseconds as the times of records are.
func (m *machine) local() int64 { return (m.now + m.east) / 10_000 * 10_000 }

// step lets time pass.
func (m *machine) step(dt int64) {
	m.now += dt
	ms := dt / 10_000
	m.run(dt)
	for _, d := range m.disks {
		d.step(m, dt)
	}
	m.network.step(ms)
	for _, p := range m.processes {
		p.io.add(p.traffic*60, ms)
		p.settle(m)
	}
	m.switches.add(m.about(60*(600+9*m.load), 60), ms)
	m.faults.add(m.about(60*(200+2*m.load), 150), ms)
	m.pagesIn.add(m.about(40, 900), ms)
	m.ready = max(0, m.rnd.Int64N(4+m.load/200)-3)
	if m.pool == 0 || m.rarely(6) {
		m.pool, m.modified = m.about(79_000, 4), m.about(21_000, 40)
	}
	if m.sql != nil {
		m.sql.step(m, ms)
	}
}

// core is a processor: what of its time was used by whom.
type core struct {
	free                 int64 // of this step, in quanta
	lean                 int64 // how much more of the work it gets than others
	idle, user, kernel   int64
	dpc, interrupt       int64
	dpcOwed, interrupted int64
}

// process is a process and what it uses.
type process struct {
	name              string
	id, parent        int64
	start             int64 // a FILETIME
	cpu               int64 // of a core, in 1/10000
	kernel            int64 // of that, in percent
	pinned            bool  // to the core that the machine keeps for it
	threads, handles  int64
	private, resident int64 // in pages, about
	calm              int64 // how seldom its memory changes
	traffic           int64 // bytes per second that are no disk's

	owed, kernelOwed        int64
	total, inKernel         int64
	io                      tally
	nowPrivate, nowResident int64
	nowHandles              int64
}

// run divides the time of the cores between the processes.
func (m *machine) run(dt int64) {
	m.idle.total += dt * int64(len(m.cores))
	for i := range m.cores {
		m.cores[i].free = dt / quantum
		m.cores[i].idle += dt
		m.cores[i].lean = m.wander(m.cores[i].lean, 6)
	}
	var last *process
	for _, p := range m.processes {
		switch {
		case p.start > m.now:
		case p.pinned && m.pinned >= 0:
			last = p
		default:
			p.owed += m.about(p.cpu, 220) * dt / 10_000
			m.spread(p, p.owed/quantum)
		}
	}
	if last != nil {
		part := make([]int64, len(m.cores))
		part[m.pinned] = m.cores[m.pinned].free
		m.charge(last, part)
	}
	m.idle.inKernel = m.idle.total
}

// spread divides quanta of a process between the cores.
func (m *machine) spread(p *process, quanta int64) {
	part := make([]int64, len(m.cores))
	var all, weights int64
	weight := func(c int) int64 {
		if c == m.pinned && p.id != 4 {
			return 0
		}
		return 50 + m.cores[c].lean
	}
	for c := range part {
		weights += weight(c)
	}
	for c := range part {
		part[c] = quanta * weight(c) / weights
		all += part[c]
	}
	for ; all < quanta; m.turn++ {
		if c := m.turn % len(part); weight(c) > 0 {
			part[c]++
			all++
		}
	}
	m.charge(p, part)
	p.owed -= quanta * quantum
}

// charge books quanta of each core for a process.
func (m *machine) charge(p *process, part []int64) {
	var quanta int64
	for c, n := range part {
		if n > m.cores[c].free {
			panic("a core has too much to do")
		}
		quanta += n
	}
	if quanta == 0 {
		return
	}
	p.kernelOwed += quanta * p.kernel
	rest := p.kernelOwed / 100
	p.kernelOwed %= 100
	kernel := rest
	for c, n := range part {
		in := min(rest, n, (kernel*n+quanta-1)/quanta)
		rest -= in
		core := &m.cores[c]
		core.free -= n
		core.idle -= n * quantum
		core.kernel += in * quantum
		core.user += (n - in) * quantum
		if p.id == 4 && c == 0 { // drivers run in the name of the system, on the first core
			core.dpcOwed += in * 30
			core.interrupted += in * 30
			core.dpc += core.dpcOwed / 100 * quantum
			core.interrupt += core.interrupted / 100 * quantum
			core.dpcOwed %= 100
			core.interrupted %= 100
		}
	}
	p.total += quanta * quantum
	p.inKernel += (kernel - rest) * quantum
	m.idle.total -= quanta * quantum
}

// settle lets memory and handles of a process change a little.
func (p *process) settle(m *machine) {
	if p.nowPrivate == 0 || m.rarely(p.calm) {
		p.nowPrivate = m.about(p.private, 8)
		p.nowResident = p.resident + (p.nowPrivate - p.private)
		p.nowHandles = p.handles + m.around(min(p.handles/80, 40))
	}
}

// adapter is a network adapter; rates are in bytes per second.
type adapter struct {
	name                  string
	receive, send         int64
	received, sent        tally
	packetsIn, packetsOut tally
}

func (a *adapter) step(ms int64) {
	a.received.add(a.receive*60, ms)
	a.sent.add(a.send*60, ms)
	a.packetsIn.add(a.receive*60/700+a.send*60/3000, ms)
	a.packetsOut.add(a.send*60/1300+a.receive*60/3000, ms)
}

// database is SQL Server; rates are per minute.
type database struct {
	batches                   int64
	pages, dirty              *stream // of pages that are read and written
	requests, compilations    tally
	again, logins             tally
	waits, waited             tally
	users, life, hits, target int64
}

func (s *database) step(m *machine, ms int64) {
	s.requests.add(s.batches, ms)
	s.compilations.add(m.about(s.batches/14, 80), ms)
	s.again.add(s.batches/400, ms)
	s.logins.add(m.about(20, 900), ms)
	if n := s.waits.add(s.batches/900, ms); n > 0 {
		s.waited.n += n * m.about(9, 600)
	}
	s.life += ms / 1000
}

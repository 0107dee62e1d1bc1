package story

import "slices"

// disk is a disk with one volume. A transfer takes the time that the disk needs
// for it and that of those before it: with a share of busy time r and a mean
// need s it waits s*r/(1-r), so that the mean queue is r/(1-r).
type disk struct {
	number, letter string
	free, size     int64 // in MB
	streams        []*stream
	fill           []*stream // transfers in turn that keep the disk as busy as busy says
	busy           int64     // in 1/10000
	hiccup         int64     // time that each read takes longer once, in units of 100 ns

	queue       int64 // at the moment
	read, wrote done
	idle        int64
}

// stream is one kind of transfers of a process.
type stream struct {
	by        *process
	write     bool
	perMinute int64
	every     int64 // seconds between bursts, 0 for all the time
	size      int64
	tally     tally
}

// done is what was transferred.
type done struct{ n, bytes, time int64 }

// need is the time that a transfer takes on a disk that has nothing else to do.
func (s *stream) need() int64 { return 7000 + s.size/50 }

func (d *disk) step(m *machine, dt int64) {
	var n, busy int64
	counts := map[*stream]int64{}
	add := func(s *stream, k int64) {
		counts[s] += k
		n += k
		busy += k * s.need()
	}
	for _, s := range d.streams {
		if s.by.start <= m.now && s.every == 0 {
			add(s, s.tally.add(m.about(s.perMinute, 150), dt/10_000))
		} else if s.every > 0 && m.clock%s.every == 0 {
			add(s, m.about(s.perMinute*s.every/60, 150))
		}
	}
	for i := 0; len(d.fill) > 0 && busy < dt/10_000*d.busy; i++ {
		add(d.fill[i%len(d.fill)], 1)
	}
	d.idle += dt - busy
	if busy >= dt {
		panic("a disk has too much to do")
	}
	var wait int64
	if n > 0 {
		wait = busy / n * (busy * 1000 / dt) / (1000 - busy*1000/dt)
	}
	for _, s := range slices.Concat(d.streams, d.fill) {
		k := counts[s]
		counts[s] = 0
		to, time := &d.read, s.need()+wait+d.hiccup
		if s.write {
			to, time = &d.wrote, s.need()+wait
		}
		to.n += k
		to.bytes += k * s.size
		to.time += k * m.about(time, 60)
		s.by.io.n += k * s.size
	}
	d.queue = (busy*10_000/(dt-busy) + m.rnd.Int64N(10_000)) / 10_000
	d.hiccup = 0
}

// values are those of the counters of PhysicalDisk, of several disks together.
func values(m *machine, disks ...*disk) []uint64 {
	var queue, idle int64
	var read, wrote done
	for _, d := range disks {
		queue += d.queue
		idle += d.idle
		read = done{read.n + d.read.n, read.bytes + d.read.bytes, read.time + d.read.time}
		wrote = done{wrote.n + d.wrote.n, wrote.bytes + d.wrote.bytes, wrote.time + d.wrote.time}
	}
	return numbers(queue, read.time+wrote.time, read.time+wrote.time, read.n+wrote.n, read.time, read.n, wrote.time, wrote.n, read.n+wrote.n, read.n, wrote.n,
		read.bytes+wrote.bytes, idle/int64(len(disks)), m.now)
}

func numbers(v ...int64) []uint64 {
	u := make([]uint64, len(v))
	for i := range v {
		u[i] = uint64(v[i])
	}
	return u
}

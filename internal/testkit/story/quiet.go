package story

import "time"

// Quiet returns the recording of SRV-QUIET-01: two cores and 8 GB, twelve hours
// with a sample every 30 seconds. It does next to nothing and nothing is wrong:
// a core is busy for one sample now and then, and once an hour an idle disk
// takes 30 ms for one read. Its two halves are alike.
func Quiet() *Recording {
	m := newMachine("SRV-QUIET-01", 2, 8, 2)
	m.network.name = "Intel[R] 82574L Gigabit Network Connection"
	common(m)
	for _, p := range m.processes {
		p.cpu /= 3
		p.calm *= 5
	}
	files := m.add(process{name: "svchost", id: 3060, parent: 688, cpu: 1, kernel: 50, threads: 16, handles: 480, private: 3900, resident: 7100, calm: 300})
	c, d := systemDisk(m), &disk{number: "1", letter: "D:", free: 183_114, size: 262_142}
	m.disks = []*disk{c, d}
	reads := &stream{by: files, size: 8192, every: 60}
	d.streams = []*stream{reads, {by: m.processes[0], size: 4096, write: true, perMinute: 3}}

	p := plan{file: "srv-quiet-01.blg", logger: "b1f0a2d4-55c9-4b7a-8f8e-0c9d0a7e6a52", date: time.Date(2026, 3, 17, 0, 0, 0, 0, time.FixedZone("", 3600)), from: at(8, 0), to: at(20, 0), interval: 30}
	scan := m.processes[16]
	p.day = func(m *machine) {
		m.load = 10
		m.network.receive, m.network.send = m.about(2400, 300), m.about(1900, 300)
		reads.perMinute, d.hiccup, scan.cpu = 0, 0, 8
		if m.clock%3600 == at(0, 20) {
			reads.perMinute, d.hiccup = 1, 292_000
		}
		if m.clock%at(0, 45) == at(0, 10) {
			scan.cpu = 11_000
		}
	}
	return p.record(m)
}

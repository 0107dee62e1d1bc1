package story

import "slices"

// add adds a process that runs since some time after the boot.
func (m *machine) add(p process) *process {
	p.start = 40*second + int64(len(m.processes))*second*3/2
	m.processes = append(m.processes, &p)
	return &p
}

// present lets a process run from one clock to another.
func (m *machine) present(p *process, from, to int64) {
	switch here := slices.Contains(m.processes, p); {
	case from < m.clock && m.clock <= to && !here:
		p.start = m.now + (from-m.clock+15)*second
		m.processes = append(m.processes, p)
	case m.clock > to && here:
		m.stop(p)
	}
}

// stop ends a process. On Windows its time would be taken from that of _Total,
// which would have no value then.
func (m *machine) stop(p *process) {
	m.ended.total += p.total
	m.ended.inKernel += p.inKernel
	m.ended.io.n += p.io.n
	m.processes = slices.DeleteFunc(m.processes, func(q *process) bool { return q == p })
}

// common adds the processes that every server has.
func common(m *machine) {
	for _, p := range []process{
		{name: "System", id: 4, cpu: 150, kernel: 100, threads: 164, handles: 3180, private: 48, resident: 36, calm: 400},
		{name: "Registry", id: 92, parent: 4, kernel: 100, threads: 4, private: 2900, resident: 11_300, calm: 200},
		{name: "smss", id: 388, parent: 4, kernel: 50, threads: 2, handles: 53, private: 120, resident: 300, calm: 900},
		{name: "csrss", id: 496, parent: 484, cpu: 1, kernel: 90, threads: 10, handles: 331, private: 520, resident: 1330, calm: 200},
		{name: "wininit", id: 572, parent: 484, kernel: 50, threads: 1, handles: 163, private: 340, resident: 1650, calm: 900},
		{name: "csrss", id: 580, parent: 564, cpu: 1, kernel: 90, threads: 9, handles: 159, private: 430, resident: 1120, calm: 200},
		{name: "winlogon", id: 644, parent: 564, kernel: 50, threads: 3, handles: 228, private: 610, resident: 2500, calm: 900},
		{name: "services", id: 688, parent: 572, cpu: 1, kernel: 60, threads: 7, handles: 602, private: 1290, resident: 2300, calm: 120},
		{name: "lsass", id: 704, parent: 572, cpu: 4, kernel: 45, threads: 10, handles: 1240, private: 2050, resident: 4700, calm: 60},
		{name: "svchost", id: 824, parent: 688, cpu: 2, kernel: 45, threads: 14, handles: 612, private: 2300, resident: 5400, calm: 60},
		{name: "svchost", id: 892, parent: 688, cpu: 1, kernel: 50, threads: 11, handles: 1022, private: 1900, resident: 3200, calm: 60},
		{name: "svchost", id: 1040, parent: 688, cpu: 4, kernel: 40, threads: 38, handles: 1630, private: 8700, resident: 12_900, calm: 40},
		{name: "svchost", id: 1108, parent: 688, cpu: 1, kernel: 50, threads: 17, handles: 540, private: 2700, resident: 5600, calm: 80},
		{name: "dwm", id: 1172, parent: 644, kernel: 50, threads: 10, handles: 302, private: 4200, resident: 9300, calm: 400},
		{name: "svchost", id: 1316, parent: 688, cpu: 1, kernel: 45, threads: 21, handles: 713, private: 4100, resident: 6500, calm: 80},
		{name: "spoolsv", id: 2104, parent: 688, cpu: 1, kernel: 50, threads: 8, handles: 421, private: 1500, resident: 3900, calm: 200},
		{name: "MsMpEng", id: 2388, parent: 688, cpu: 24, kernel: 30, threads: 28, handles: 780, private: 41_000, resident: 33_500, calm: 20},
		{name: "WmiPrvSE", id: 2964, parent: 824, cpu: 4, kernel: 35, threads: 9, handles: 290, private: 2600, resident: 4500, calm: 30},
	} {
		m.add(p)
	}
}

// systemDisk returns the disk C:, to which the system writes what it has
// gathered once a minute.
func systemDisk(m *machine) *disk {
	by := func(name string) *process {
		return m.processes[slices.IndexFunc(m.processes, func(p *process) bool { return p.name == name })]
	}
	return &disk{number: "0", letter: "C:", free: 78_310, size: 129_481, streams: []*stream{
		{by: by("System"), size: 8192, write: true, perMinute: 260, every: 60},
		{by: by("MsMpEng"), size: 16_384, perMinute: 14, every: 60},
	}}
}

package story

import "time"

// When the troubles of SRV-SQL-01 begin and end, in seconds since midnight.
var (
	backup = [2]int64{at(10, 2), at(10, 19)}
	gap    = [2]int64{at(11, 20), at(11, 24)}
	burst  = [2]int64{at(12, 40), at(12, 52)}
	again  = at(13, 5) + 15 // the sample that shows it first
	copies = [2]int64{at(14, 30), at(14, 50)}
)

// business is the load of a day in permille, by seconds since midnight.
var business = [][2]int64{
	{at(8, 0), 180},
	{at(8, 40), 420},
	{at(9, 30), 780},
	{at(10, 30), 860},
	{at(11, 45), 800},
	{at(12, 15), 450},
	{at(12, 55), 420},
	{at(13, 30), 760},
	{at(14, 15), 920},
	{at(15, 0), 900},
	{at(15, 40), 700},
	{at(16, 0), 560},
}

// during tells whether the interval that ends at a clock is within a trouble.
func during(span [2]int64, clock int64) bool { return span[0] < clock && clock <= span[1] }

// curve returns a value of a curve of straight lines.
func curve(points [][2]int64, x int64) int64 {
	for i := range points[1:] {
		a, b := points[i], points[i+1]
		if x <= b[0] {
			return a[1] + (b[1]-a[1])*(max(x, a[0])-a[0])/(b[0]-a[0])
		}
	}
	return points[len(points)-1][1]
}

// SQL returns the recording of SRV-SQL-01: a database server of four cores and
// 16 GB from eight to four o'clock on a Tuesday, with a sample every 15 seconds.
func SQL() *Recording {
	m := newMachine("SRV-SQL-01", 4, 16, 1)
	m.network.name = "Intel[R] Ethernet Server Adapter I350-T2"
	m.sql = &database{target: 8 * mib}
	common(m)
	database := m.add(process{name: "sqlservr", id: 2716, parent: 688, kernel: 14, threads: 118, handles: 1480, private: 2_140_000, resident: 2_105_000, calm: 8})
	m.add(process{name: "SQLAGENT", id: 3184, parent: 688, cpu: 5, kernel: 30, threads: 14, handles: 402, private: 5400, resident: 7100, calm: 40})
	m.add(process{name: "sqlwriter", id: 2840, parent: 688, cpu: 1, kernel: 50, threads: 3, handles: 132, private: 640, resident: 2100, calm: 90})
	printer := m.add(process{name: "PdfExport", id: 3020, parent: 688, cpu: 8, kernel: 9, threads: 7, handles: 232, private: 16_400, resident: 18_200, calm: 20})
	first := m.add(process{name: "w3wp", id: 3412, parent: 688, kernel: 22, threads: 41, handles: 890, private: 61_000, resident: 64_000, calm: 9})
	second := m.add(process{name: "w3wp", id: 5316, parent: 688, kernel: 22, threads: 39, handles: 870, private: 57_000, resident: 60_000, calm: 9})
	leak := m.add(process{name: "OrderSync", id: 4076, parent: 688, cpu: 30, kernel: 25, threads: 18, calm: 1})
	agent := &process{name: "BackupAgent", id: 6120, parent: 3184, kernel: 45, threads: 12, handles: 340, private: 21_000, resident: 23_000, calm: 9}
	copier := &process{name: "robocopy", id: 7032, parent: 3184, kernel: 70, threads: 9, handles: 160, private: 3900, resident: 6200, calm: 9}

	c, d := systemDisk(m), &disk{number: "1", letter: "D:", free: 398_204, size: 1_048_448}
	m.disks = []*disk{c, d}
	reads, writes := &stream{by: database, size: 8 << 10}, &stream{by: database, size: 8 << 10, write: true}
	commits, sends := &stream{by: database, size: 4 << 10, write: true}, &stream{by: copier, size: 1 << 20}
	d.streams = []*stream{reads, writes, commits, sends}
	m.sql.pages, m.sql.dirty = reads, writes
	fill := []*stream{{by: agent, size: 512 << 10}, {by: agent, size: 512 << 10}, {by: agent, size: 512 << 10, write: true}}

	p := plan{file: "srv-sql-01.blg", logger: "5d3a6c1e-80a4-4f0c-9a57-3f1f6b0f2e11", date: time.Date(2026, 3, 17, 0, 0, 0, 0, time.FixedZone("", 3600)), from: at(8, 0), to: at(16, 0), interval: 15, gap: gap}
	p.day = func(m *machine) {
		m.mood = m.wander(m.mood, 60)
		load := curve(business, m.clock) * (1000 + m.mood) / 1000
		m.load = load
		database.cpu, first.cpu, second.cpu = 500+7*load, 150+4*load, 120+3*load
		reads.perMinute, writes.perMinute, commits.perMinute = 60*(8+load/14), 60*(6+load/24), 60*(15+load/8)
		first.traffic, second.traffic = 900*load, 700*load
		m.processes[0].cpu = 250 + load
		m.network.receive, m.network.send = 60_000+m.about(1500*load, 90), 90_000+m.about(4200*load, 90)
		database.traffic = m.network.receive + m.network.send
		m.sql.batches, m.sql.users, m.sql.hits = 60*(40+m.about(8*load/10, 40)), 60+load/14, 19_962+m.rnd.Int64N(20)

		since := max(0, m.clock-p.from) // the leak grows in a straight line
		leak.handles, leak.private = 1200+28_800*since/(p.to-p.from), 38_400+601_600*since/(p.to-p.from)
		leak.resident = leak.private * 9 / 10

		d.fill, agent.cpu = nil, 0
		m.present(agent, backup[0]-2, backup[1]+10)
		if during(backup, m.clock) {
			d.fill, d.busy, agent.cpu = fill, 9680+m.rnd.Int64N(50), 1500
		}
		m.pinned, printer.pinned = -1, during(burst, m.clock)
		if printer.pinned {
			m.pinned = 3
		}
		if m.clock == again {
			m.stop(second)
			fresh := *second
			second = &process{name: fresh.name, id: 7844, parent: fresh.parent, kernel: fresh.kernel, threads: 33, handles: 760, private: 49_000, resident: 52_000, calm: 9, start: m.now + 4*10_000_000}
			m.processes = append(m.processes, second)
		}
		m.present(copier, copies[0]-2, copies[1]+10)
		sends.perMinute, copier.traffic, copier.cpu = 0, 0, 0
		if during(copies, m.clock) {
			m.network.send = m.about(113_600_000, 8) - m.network.receive
			copier.traffic, copier.cpu = m.network.send, 500
			sends.perMinute = m.network.send * 60 >> 20
			m.processes[0].cpu += 900
		}
	}
	p.trouble("disk-slow", "1 D:", backup[0], backup[1], "A backup reads and writes disk D: as fast as it can; everything else on it waits.",
		`\PhysicalDisk(1 D:)\Avg. Disk sec/Read`, `\PhysicalDisk(1 D:)\Avg. Disk sec/Write`, `\PhysicalDisk(1 D:)\Avg. Disk Queue Length`,
		`\PhysicalDisk(1 D:)\% Idle Time`, `\LogicalDisk(D:)\Avg. Disk sec/Read`, `\Process(BackupAgent)\IO Data Bytes/sec`)
	p.trouble("leak", leak.name, p.from, p.to, "OrderSync never frees handles and memory.",
		`\Process(OrderSync)\Handle Count`, `\Process(OrderSync)\Private Bytes`, `\Process(OrderSync)\Working Set`)
	p.trouble("core-burst", printer.name, burst[0], burst[1], "One thread of PdfExport keeps core 3 for itself.",
		`\Processor(3)\% Processor Time`, `\Process(PdfExport)\% Processor Time`)
	p.trouble("restart", "w3wp#1", again-p.interval, again, "The second worker process of the web server is recycled: w3wp#1 has another process.",
		`\Process(w3wp#1)\ID Process`)
	p.trouble("gap", "", gap[0], gap[1], "No samples were taken.")
	p.trouble("network-full", m.network.name, copies[0], copies[1], "A copy to another server uses 90 % of the adapter.",
		`\Network Interface(`+m.network.name+`)\Bytes Total/sec`, `\Network Interface(`+m.network.name+`)\Bytes Sent/sec`)
	return p.record(m)
}

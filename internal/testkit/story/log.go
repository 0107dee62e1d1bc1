package story

import (
	"strings"

	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
)

// log writes the records of a machine.
type log struct {
	w       *blgwriter.Writer
	objects []*object
}

const minute = 60 * second

// newLog starts a log in the zone of Central Europe, whose names are resources.
func newLog(m *machine, logger string, last int64) *log {
	o := blgwriter.Options{LoggerName: logger, FileName: `C:\PerfLogs\Admin\Baseline\` + m.name + ".blg"}
	o.Header = etl.LogHeader{
		MajorVersion: 10, SubVersion: 1, SubMinorVersion: 5, Build: 17763, Processors: uint32(len(m.cores)), EndTime: last,
		TimerResolution: 156_250, LogMode: 1, StartBuffers: 1, MHz: 2594,
	}
	o.Zone = etl.TimeZone{
		Bias: int32(-m.east / minute), DaylightBias: -60,
		StandardDate: [8]uint16{0, 10, 0, 5, 3}, DaylightDate: [8]uint16{0, 3, 0, 5, 2},
	}
	copy(o.Zone.StandardName[:], text("@tzres.dll,-322"))
	copy(o.Zone.DaylightName[:], text("@tzres.dll,-321"))
	o.Tail = etl.LogTail{BootTime: m.boot, PerfFreq: second, StartTime: m.now}
	l := &log{w: blgwriter.New(o)}
	for _, o := range objects() {
		if m.sql != nil || !strings.HasPrefix(o.name, "SQLServer:") {
			l.objects = append(l.objects, o)
		}
	}
	l.w.Titles(m.local(), `\\`+m.name, names(l.objects)...)
	var items []blgwriter.Item
	for _, o := range l.objects {
		items = append(items, o.item(m.name))
	}
	l.w.Items(m.local(), items...)
	l.w.NextBuffer()
	return l
}

func text(s string) []uint16 {
	var u []uint16
	for _, r := range s {
		u = append(u, uint16(r))
	}
	return u
}

// record writes a record of what the machine is at the moment.
func (l *log) record(m *machine) {
	var all []blgwriter.Series
	for _, o := range l.objects {
		all = append(all, o.series(m, o.rows(m)))
	}
	l.w.Sample(m.local(), all...)
}

func (o *object) rows(m *machine) []row {
	switch o.name {
	case "Processor":
		return m.coreRows()
	case "Process":
		rows, _ := m.processRows()
		return rows
	case "PhysicalDisk", "LogicalDisk":
		return m.diskRows(o.name == "LogicalDisk")
	case "Network Interface":
		a := m.network
		return []row{{a.name, numbers(a.received.n+a.sent.n, a.packetsIn.n, a.packetsOut.n, 1e9, a.received.n, 0, a.sent.n, 0, 0)}}
	case "System":
		_, sum := m.processRows()
		return []row{{"", numbers(m.switches.n, m.boot, m.ready, int64(len(m.running()))+1, sum.threads)}}
	case "Memory":
		return []row{{"", m.memoryValues()}}
	case "SQLServer:Locks":
		return []row{{"_Total", numbers(m.sql.waits.n, m.sql.waited.n, 0)}}
	default:
		return []row{{"", m.sql.values(o)}}
	}
}

func (m *machine) coreRows() []row {
	var rows []row
	var sum core
	value := func(c *core, of int64) []uint64 {
		return numbers(c.idle/of, c.user/of, c.kernel/of, c.dpc/of, c.interrupt/of, c.idle/of)
	}
	for i := range m.cores {
		c := &m.cores[i]
		rows = append(rows, row{string(rune('0' + i)), value(c, 1)})
		sum.idle += c.idle
		sum.user += c.user
		sum.kernel += c.kernel
		sum.dpc += c.dpc
		sum.interrupt += c.interrupt
	}
	return append(rows, row{"_Total", value(&sum, int64(len(m.cores)))})
}

// running returns the processes that there are at the moment, without Idle.
func (m *machine) running() []*process {
	var all []*process
	for _, p := range m.processes {
		if p.start <= m.now {
			all = append(all, p)
		}
	}
	return all
}

// processRows returns the instances of Process, and their sum.
func (m *machine) processRows() ([]row, process) {
	var rows []row
	var sum process
	add := func(p *process) {
		rows = append(rows, row{p.name, numbers(p.total, p.inKernel, p.nowResident*page, p.nowPrivate*page, p.threads, p.start, p.id, p.parent, p.nowHandles, p.io.n)})
		sum.total += p.total
		sum.inKernel += p.inKernel
		sum.nowResident += p.nowResident
		sum.nowPrivate += p.nowPrivate
		sum.threads += p.threads
		sum.nowHandles += p.nowHandles
		sum.io.n += p.io.n
	}
	add(m.idle)
	for _, p := range m.running() {
		add(p)
	}
	total := sum
	total.name, total.start = "_Total", m.now
	total.total += m.ended.total
	total.inKernel += m.ended.inKernel
	total.io.n += m.ended.io.n
	add(&total)
	return rows, total
}

// memoryValues are those of the memory: what is available is what nobody uses.
func (m *machine) memoryValues() []uint64 {
	_, sum := m.processRows()
	const paged, resident, code, drivers = 102_400, 97_300, 3_100, 10_400 // in pages
	used := sum.nowResident + m.pool + resident + code + drivers + m.cache + m.modified
	available := (m.ram - used) * page
	committed := sum.nowPrivate + m.pool + paged + 61_000
	return numbers(m.faults.n, available, committed*page, m.limit*page, m.pagesIn.n, m.pagesIn.n, m.pagesIn.n/3, 0,
		paged*page, m.pool*page, resident*page, code*page, drivers*page, m.cache*page, committed, m.limit, available/mib, m.modified*page)
}

func (m *machine) diskRows(logical bool) []row {
	var rows []row
	add := func(name string, disks ...*disk) {
		v := values(m, disks...)
		if logical {
			var free, size int64
			for _, d := range disks {
				free += d.free
				size += d.size
			}
			v = append(numbers(free, size, free), v...)
		}
		rows = append(rows, row{name, v})
	}
	for _, d := range m.disks {
		name := d.letter
		if !logical {
			name = d.number + " " + d.letter
		}
		add(name, d)
	}
	add("_Total", m.disks...)
	return rows
}

func (s *database) values(o *object) []uint64 {
	switch o.name {
	case "SQLServer:Buffer Manager":
		return numbers(s.hits, 20_000, s.life, s.pages.tally.n, s.dirty.tally.n, 0, 0)
	case "SQLServer:SQL Statistics":
		return numbers(s.requests.n, s.compilations.n, s.again.n)
	case "SQLServer:General Statistics":
		return numbers(s.logins.n, s.users, 0)
	default:
		return numbers(0, s.target, s.target)
	}
}

package story

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"time"
)

// Recording is a log and the truth about it.
type Recording struct {
	File      string    `json:"file"`
	Machine   string    `json:"machine"`
	Start     time.Time `json:"start"` // of the first sample, in UTC
	End       time.Time `json:"end"`   // of the last sample
	UTCOffset int       `json:"utc_offset_minutes"`
	Interval  int       `json:"interval_seconds"`
	Samples   int       `json:"samples"`
	Troubles  []Trouble `json:"troubles"`

	Log []byte `json:"-"` // the .blg
}

// Trouble is something that went wrong.
type Trouble struct {
	Kind       string    `json:"kind"`
	Instance   string    `json:"instance,omitempty"`
	Paths      []string  `json:"paths"` // of the counters that show it, without the machine
	Start      time.Time `json:"start"` // in UTC
	End        time.Time `json:"end"`
	StartLocal string    `json:"start_local"`
	EndLocal   string    `json:"end_local"`
	Means      string    `json:"means"`
}

// plan is what happens to a machine, by the seconds since local midnight.
type plan struct {
	file     string
	logger   string
	date     time.Time // midnight in the zone of the machine
	from, to int64
	interval int64
	gap      [2]int64 // no sample is later than the first and earlier than the second
	day      func(*machine)
	troubles []Trouble
}

// up is how long a machine was up before its log begins, in hours.
const up = 12*24 + 9

// filetime is the FILETIME of 1970.
const epoch = 116_444_736_000_000_000

func newMachine(name string, cores int, ram, seed int64) *machine {
	m := &machine{name: name, rnd: rand.New(rand.NewPCG(uint64(seed), 19)), east: 60 * minute, pinned: -1, cores: make([]core, cores)}
	m.ram, m.cache = ram*mib/page*1024, 46_000
	m.limit = m.ram + 4*1024*mib/page
	m.idle = &process{name: "Idle", threads: int64(cores), nowPrivate: 15, nowResident: 2}
	return m
}

// record plays a plan.
func (p *plan) record(m *machine) *Recording {
	begin := epoch + p.date.Unix()*second + p.from*second
	m.boot = begin - (up*3600+p.interval)*second
	m.now, m.clock = m.boot, p.from
	m.idle.start = m.boot
	for _, q := range m.processes {
		q.start += m.boot
	}
	p.day(m)
	for range up * 6 { // what was before the log, at one load
		m.step(600 * second)
	}
	if m.sql != nil {
		m.sql.life = 21_400
	}
	l := newLog(m, p.logger, begin+(p.to-p.from)*second)
	r := &Recording{File: p.file, Machine: m.name, UTCOffset: int(m.east / minute), Interval: int(p.interval), Troubles: append([]Trouble{}, p.troubles...)}
	for m.clock = p.from; m.clock <= p.to; m.clock += p.interval {
		if p.gap[0] < m.clock && m.clock < p.gap[1] {
			continue
		}
		p.day(m)
		// A timer is less than a millisecond late.
		at := begin + (m.clock-p.from)*second + m.rnd.Int64N(90)*100
		m.step(at - m.now)
		l.record(m)
		r.End = utc(m.local() - m.east)
		if r.Samples == 0 {
			r.Start = r.End
		}
		r.Samples++
	}
	r.Log = must(l.w.Bytes())
	for i := range r.Troubles {
		t := &r.Troubles[i]
		zone := time.FixedZone("", int(m.east/second))
		t.StartLocal, t.EndLocal = t.Start.In(zone).Format(time.RFC3339), t.End.In(zone).Format(time.RFC3339)
	}
	return r
}

func utc(filetime int64) time.Time { return time.Unix(0, (filetime-epoch)*100).UTC() }

// trouble notes a trouble by the clock of the machine.
func (p *plan) trouble(kind, instance string, from, to int64, means string, paths ...string) {
	at := func(clock int64) time.Time { return p.date.Add(time.Duration(clock) * time.Second).UTC() }
	p.troubles = append(p.troubles, Trouble{Kind: kind, Instance: instance, Paths: append([]string{}, paths...), Start: at(from), End: at(to), Means: means})
}

// at returns a time of day in seconds.
func at(hour, min int64) int64 { return hour*3600 + min*60 }

// Truth returns the troubles of recordings as JSON.
func Truth(all ...*Recording) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(map[string]any{"recordings": all}); err != nil {
		panic(err)
	}
	return b.Bytes()
}

package analyze

import (
	"time"
)

// owner is an instance whose process is known.
type owner struct {
	*reading

	pid float64
}

// process is a process of a name.
type process struct {
	name string
	pid  float64
}

// life is when a process was seen.
type life struct{ first, last int }

// Restart is a process that ended while another of its name began.
type Restart struct {
	Instance string    `json:"instance"`
	Time     time.Time `json:"time"` // when the new one was first seen
	From     uint64    `json:"from_pid"`
	To       uint64    `json:"to_pid"`
}

// minLife is how many samples a process has to be seen for its end to be a
// restart: scripts come and go.
const minLife = 10

// checkOwners finds processes that were restarted. An instance name#1 that is
// another process than before may also be the former name#2, so a restart is a
// process that is gone and one that was not there.
func (m *machine) checkOwners(t time.Time) {
	if len(m.owners) == 0 {
		return
	}
	for _, o := range m.owners {
		if pid, ok := o.now(); ok && pid > 0 {
			p := process{fold(o.series.Instance), pid}
			l := m.alive[p]
			if l == nil {
				l = &life{first: m.samples}
				m.alive[p] = l
			}
			l.last = m.samples
		}
	}
	for _, o := range m.owners {
		pid, ok := o.now()
		if !ok || pid <= 0 {
			continue
		}
		if was := o.pid; was != pid && was > 0 {
			name := fold(o.series.Instance)
			older, newer := m.alive[process{name, was}], m.alive[process{name, pid}]
			if older != nil && older.last < m.samples && older.last-older.first >= minLife && newer.first == m.samples {
				m.restart(Restart{o.series.DisplayName(), t, uint64(was), uint64(pid)})
			}
		}
		o.pid = pid
	}
	if m.samples%100 == 0 { // those that are gone
		for p, l := range m.alive {
			if l.last < m.samples-100 {
				delete(m.alive, p)
			}
		}
	}
}

func (m *machine) restart(r Restart) {
	m.restarted++
	if len(m.restarts) < maxListed {
		m.restarts = append(m.restarts, r)
	}
}

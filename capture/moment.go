package capture

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Moment is a requested point of time: an instant, a local time, or a duration after the
// first snapshot. The zero Moment is none.
type Moment struct {
	At    time.Time
	After time.Duration
	Set   bool
	// Wall says that At is a local time in CookOptions.Zone, stored as if it was UTC. If
	// the year of At is 0, it is a time of day: the first such moment at or after the start
	// of the machine's recording.
	Wall bool
}

// machineStart says when the recording of a machine begins.
type machineStart struct {
	host   string
	time   time.Time
	offset Offset
	last   Offset // at its end, if known before the recording is read
	zone   string // the recorder's name of its time zone
}

func startInUTC(host string, t time.Time) machineStart {
	utc := Offset{Known: true}
	return machineStart{host: host, time: t, offset: utc, last: utc, zone: "UTC"}
}

// machineStarts holds the starts of machines, in order of appearance.
type machineStarts struct {
	all []*machineStart
	of  map[string]*machineStart // by names in lower case
}

// add adds the start of a part of a recording. The earliest of a machine is kept.
func (s *machineStarts) add(m machineStart) {
	key := strings.ToLower(m.host)
	known := s.of[key]
	switch {
	case m.time.IsZero():
	case known == nil:
		if s.of == nil {
			s.of = map[string]*machineStart{}
		}
		s.of[key] = &m
		s.all = append(s.all, &m)
	case m.time.Before(known.time):
		*known = m
	}
}

// at returns when the recording of a machine begins, or t if that is not known.
func (s *machineStarts) at(host string, t time.Time) time.Time {
	if m := s.of[host]; m != nil {
		return m.time
	}
	return t
}

// readings returns texts that say how the moments of w without a zone are interpreted. If
// that differs between machines, each text names its machines.
func (s *machineStarts) readings(w window, from, to string) (texts []string) {
	var unknown []string
	for _, m := range s.all {
		if w.zone != nil && !m.offset.Known {
			unknown = append(unknown, m.host)
		}
	}
	if len(unknown) > 0 {
		texts = append(texts, "the time zone of "+joinHosts(unknown)+" is not known: its times are in that of the recorder, whatever --tz says")
	}
	if !w.from.Wall && !w.to.Wall {
		return texts
	}
	var all []string
	hosts := map[string][]string{}
	for _, m := range s.all {
		text := m.reading(w.span(m.host, m.time, m.offset), w, from, to)
		if hosts[text] == nil {
			all = append(all, text)
		}
		hosts[text] = append(hosts[text], m.host)
	}
	if len(all) == 1 {
		return append(texts, all...)
	}
	const maxTexts = 4
	for _, text := range all[:min(len(all), maxTexts)] {
		texts = append(texts, joinHosts(hosts[text])+": "+text)
	}
	if n := len(all) - maxTexts; n > 0 {
		texts = append(texts, fmt.Sprintf("%d more machines have other start times or time zones; --from and --to are applied to each machine separately", n))
	}
	return texts
}

// missed returns when the recording begins if none of it is in w, and what to write instead
// if from is a time of day before that. It returns "" if no machine is known.
func (s *machineStarts) missed(w window, from string) string {
	if len(s.all) == 0 {
		return ""
	}
	m := slices.MinFunc(s.all, func(a, b *machineStart) int { return a.time.Compare(b.time) })
	text := strings.TrimSuffix("the recording of "+m.host, " of ") + " begins at " + m.offset.Format(m.time, w.zone, time.DateTime)
	start := m.offset.shown(m.time, w.zone)
	if at := w.span(m.host, m.time, m.offset).from.shown; w.from.Wall && w.from.At.Year() == 0 && at.YearDay() != start.YearDay() {
		text += fmt.Sprintf(", after %s of that day: write '%s %s'", from, start.Format(time.DateOnly), from)
	}
	return text
}

func joinHosts(hosts []string) string {
	const maxHosts = 3
	text := strings.Join(hosts[:min(len(hosts), maxHosts)], ", ")
	if n := len(hosts) - maxHosts; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// reading returns how --from and --to are interpreted for a machine.
func (m *machineStart) reading(s *span, w window, from, to string) string {
	zone := m.offset.zone(w.zone)
	var parts []string
	for _, b := range []struct {
		requested Moment
		text      string
		*bound
	}{{w.from, "--from " + from, &s.from}, {w.to, "--to " + to, &s.to}} {
		if !b.requested.Wall {
			continue
		}
		text := b.text + " is " + b.shown.Format(time.DateTime)
		switch {
		case zone != nil:
			text += " " + zoneText(b.at.In(zone))
		case m.offset.Known && m.offset == m.last: // otherwise the offset may have changed by then
			text += " " + zoneText(m.offset.In(m.time, nil))
		}
		parts = append(parts, text)
	}
	text := strings.Join(slices.Compact(parts), ", ")
	if zone != nil && strings.HasPrefix(zone.String(), "UTC") { // the offset is already in the text
		return text
	}
	text += ", " + m.offset.ClockName(w.zone, m.zone)
	if zone == nil && m.offset.Known && m.zone == "UTC" {
		text += "; --tz gives another time zone"
	}
	return text
}

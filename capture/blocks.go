package capture

import (
	"cmp"
	"slices"
	"time"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/ipcblock"
)

// blockTables holds the tables of IPC control blocks of a recording. Tables have no clock,
// so they keep the order of the inputs. If all come from dumps, they are in order of the
// times of the dumps.
type blockTables struct {
	captures []blockCapture
}

type blockCapture struct {
	name   string
	time   time.Time // when the dump was made, zero for a table
	pid    uint64    // of the dump's process, 0 if unknown
	tables []*ipcblock.Table
}

// add adds a table. The error is that of the first chunk that cannot be read.
func (s *blockTables) add(r *Recording, in *Input) error {
	t, err := ipcblock.Parse(in.Data, ipcblock.Options{Options: r.o.Options})
	if err != nil {
		return err
	}
	s.captures = append(s.captures, blockCapture{name: in.Name, tables: []*ipcblock.Table{t}})
	for fault := range t.Faults() {
		return fault
	}
	return nil
}

func (s *blockTables) addDump(r *Recording, in *Input) error {
	m, err := OpenImage(in, r.o.Options)
	if err != nil {
		return err
	}
	pid, _ := m.PID()
	c := blockCapture{name: in.Name, time: m.Dump.Time(), pid: uint64(pid)}
	c.tables, err = m.Fresh()
	if len(m.Found) == 0 && err == nil {
		r.report(Remark{Code: RemarkNoTables, Source: in.Name, Text: m.Why()})
	}
	s.captures = append(s.captures, c)
	return err
}

func (s *blockTables) len() int { return len(s.captures) }

func (s *blockTables) timed() bool {
	return !slices.ContainsFunc(s.captures, func(c blockCapture) bool { return c.time.IsZero() })
}

func (s *blockTables) start() time.Time {
	if !s.timed() {
		return time.Time{}
	}
	return slices.MinFunc(s.captures, byTime).time
}

func (s *blockTables) machines(all *machineStarts) {
	all.add(startInUTC("", s.start()))
}

func byTime(a, b blockCapture) int { return a.time.Compare(b.time) }

func (s *blockTables) frames(r *Recording, values bool, yield func(*Frame, error) bool) bool {
	captures := slices.Clone(s.captures)
	frame := Frame{}
	var last *blockCapture // the last one before the requested time
	if s.timed() {
		slices.SortStableFunc(captures, byTime)
		frame.Offset, frame.Zone = Offset{Known: true}, "UTC" // the time of a dump is in UTC
		w := r.window()
		captures = slices.DeleteFunc(captures, func(c blockCapture) bool {
			at := w.side("", c.time, frame.Offset)
			if at == before {
				last = &c
			}
			return at != inside
		})
	}
	every := max(1, r.cook.Every)
	for i := 0; i < len(captures); i += every {
		newer := &captures[i]
		frame.clear()
		frame.Time, frame.Source = newer.time, newer.name
		older, steps := last, 1
		if i > 0 {
			older, steps = &captures[i-every], every
		}
		interval := r.interval(older, newer, steps)
		if values && i == every && interval == 0 {
			r.report(Remark{Code: remarkNoClock, Source: newer.name, Text: "the time since " + older.name + " is unknown, so rates have no value; set it with --interval, such as --interval 10s"})
		}
		for _, t := range newer.tables {
			for c := range t.Live() {
				if c.HasPerf() && t.Layout() != ipcblock.LegacyPrivate { // whose counters are not used
					r.chunk(&frame, older.before(newer, t, c), newer, c, interval, values)
				}
			}
		}
		if !yield(&frame, nil) {
			return false
		}
	}
	return true
}

// interval returns the time between two captures that are steps inputs apart: the caller's
// interval, otherwise the difference of the times of two dumps, in whole seconds.
func (r *Recording) interval(older, newer *blockCapture, steps int) time.Duration {
	switch {
	case older == nil:
		return 0
	case r.cook.Interval > 0:
		return time.Duration(steps) * r.cook.Interval
	case older.time.IsZero() || newer.time.IsZero():
		return 0
	default:
		return newer.time.Sub(older.time)
	}
}

// before returns the earlier chunk of the runtime of chunk c of table t, nil if there is
// none.
func (s *blockCapture) before(newer *blockCapture, t *ipcblock.Table, c *ipcblock.Chunk) *ipcblock.Chunk {
	if s == nil || s.pid != 0 && newer.pid != 0 && s.pid != newer.pid {
		return nil
	}
	for _, o := range s.tables {
		if o.Layout() != t.Layout() {
			continue
		}
		for b := range o.Live() {
			if b.HasPerf() && ipcblock.SameRuntime(b, c) {
				return b
			}
		}
	}
	return nil
}

func (r *Recording) chunk(f *Frame, before *ipcblock.Chunk, in *blockCapture, c *ipcblock.Chunk, interval time.Duration, values bool) {
	instance := BlockInstance(c, in.pid)
	j := 0
	for k := range c.Cook(before, interval, r.cook.Types) {
		g := r.table.group(groupKey{object: k.Category}, 0)
		row, isNew := g.row([]byte(instance))
		if isNew {
			row.owner.describe(instance, true, 0)
		}
		sample := c.Sample(k.Counter, nil, r.cook.Types)
		series := r.table.at(g, row, j, r.table.metricAt(Metric{Counter: k.Name, Type: sample.Type, HasType: true, DefaultScale: sample.DefaultScale}, j))
		j++
		if series == nil {
			continue
		}
		cell := Cell{Series: series}
		if values {
			cell.Value, cell.Status = k.Value, k.Status
			cell.Rest = countertypes.Rest(nil, &sample, k.Value) // no counter is a difference
		}
		f.add(cell, Tuple{First: sample.First, Second: sample.Second, Known: true, PID: cmp.Or(chunkPID(c), in.pid)}, r.cook.Raw)
		if !r.cook.Samples {
			continue
		}
		then, now := ipcblock.Interval(interval)
		timed := c.Sample(k.Counter, &now, r.cook.Types)
		var older *countertypes.Sample
		if before != nil {
			was := before.Sample(k.Counter, &then, r.cook.Types)
			older = &was
		}
		f.addSamples(older, &timed, &r.cook)
	}
}

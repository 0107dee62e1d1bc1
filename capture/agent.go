package capture

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"sort"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/checkmk"
	"github.com/perfdump/perfdump/countertypes"
)

// agentTrack holds the sections of Checkmk agent output, of all inputs. A frame ends where
// an object of the same host repeats, and at the end of its input.
type agentTrack struct {
	inputs []agentInput
	mode   perfdump.Options
}

type agentInput struct {
	name string
	host string // of the first section
	data []byte
	from time.Time // the earliest time, zero if unknown
	n    int       // sections
}

func (r *Recording) addAgent(in *Input) error {
	r.agents.mode = r.o.Options
	i := agentInput{name: in.Name, data: in.Data}
	for s, err := range checkmk.NewReader(bytes.NewReader(i.data), r.agents.mode).Sections() {
		if err != nil {
			return err
		}
		if at, ok := s.Time(); ok && (i.from.IsZero() || at.Before(i.from)) {
			i.from = at
		}
		if i.n == 0 {
			i.host = cutText(s.Host)
		}
		i.n++
	}
	r.agents.inputs = append(r.agents.inputs, i)
	return nil
}

func (t *agentTrack) sort() {
	sort.SliceStable(t.inputs, func(i, j int) bool {
		a, b := &t.inputs[i], &t.inputs[j]
		return cmp.Or(a.from.Compare(b.from), cmp.Compare(a.name, b.name)) < 0
	})
}

func (t *agentTrack) start() time.Time { return t.inputs[0].from }

func (t *agentTrack) machines(s *machineStarts) {
	for _, i := range t.inputs {
		s.add(startInUTC(i.host, i.from))
	}
}

func (t *agentTrack) len() (n int) {
	for i := range t.inputs {
		n += t.inputs[i].n
	}
	return n
}

type agentCooker struct {
	r      *Recording
	values bool
	last   lastSamples
	key    []byte
}

func (t *agentTrack) frames(r *Recording, values bool, yield func(*Frame, error) bool) bool {
	c := agentCooker{r: r, values: values, last: r.lastSamples()}
	w := r.window()
	frame := Frame{Offset: Offset{Known: true}, Zone: "UTC"}
	seen := map[string]int{} // number of moments of each host
	var now *agentMoment
	skip, at := false, inside
	for s, err := range t.sections(r, values) {
		if err != nil {
			return yield(&Frame{Source: t.inputs[0].name}, err)
		}
		if s.agentMoment != now {
			if now != nil && !skip && at == inside && !yield(&frame, nil) {
				return false
			}
			now = s.agentMoment
			frame.clear()
			frame.Source, frame.Record = t.inputs[now.input].name, int(now.record)
			frame.Host = now.host.name
			frame.Time, _ = s.Time()
			at = w.side(frame.Host, frame.Time, frame.Offset)
			if skip = at == after || at == before && !values; at == inside {
				skip = count(seen, frame.Host)%max(1, r.cook.Every) != 0
			}
		}
		if !skip {
			c.section(&frame, s.Section)
		}
	}
	return now == nil || skip || at != inside || yield(&frame, nil)
}

func (c *agentCooker) section(f *Frame, s *checkmk.Section) {
	g := c.r.table.group(groupKey{host: f.Host, object: c.r.o.Names.object(s.Object)}, s.Object)
	clocks := s.Clocks()
	slots, roles := c.slots(g, s)
	repeats := map[string]int{}
	n := 1
	if s.HasInstances {
		n = len(s.Instances)
	}
	for k := range n {
		name := ""
		if s.HasInstances {
			name = cutText(s.Instances[k])
		}
		var who identity
		for j, r := range roles {
			if values := s.Counters[j].Values; r != noRole && k < len(values) {
				who.set(r, values[k])
			}
		}
		c.key = append(c.key[:0], name...)
		if c.r.cook.ByPID {
			c.key = who.appendKey(c.key)
		}
		repeat := count(repeats, string(c.key))
		c.key = binary.LittleEndian.AppendUint32(c.key, uint32(repeat))
		row, isNew := g.row(c.key)
		if isNew {
			row.owner.describe(name, s.HasInstances, repeat)
			row.owner.follow(&who, c.r.cook.ByPID)
		}
		change := c.last.change(&row.owner, &who)
		for j := range s.Counters {
			if slots[j] < 0 || k >= len(s.Counters[j].Values) {
				continue
			}
			series := c.r.table.at(g, row, slots[j], g.slots[slots[j]])
			if series == nil {
				continue
			}
			cell, tuple, sample := Cell{Series: series}, Tuple{}, countertypes.Sample{}
			if c.values {
				tuple, sample = c.cook(&cell, s, j, k, &clocks, change)
				tuple.PID = who.pid()
			}
			f.add(cell, tuple, c.r.cook.Raw)
			f.addSamples(c.last.older, &sample, &c.r.cook)
		}
	}
}

// slots returns the slot of each counter of a section, -1 for bases, and its role in
// identifying the owner of an instance.
func (c *agentCooker) slots(g *group, s *checkmk.Section) (at []int, roles []role) {
	at, roles = make([]int, len(s.Counters)), make([]role, len(s.Counters))
	names, seen := c.r.o.Names, map[slotKey]int{}
	for j := range s.Counters {
		k := &s.Counters[j]
		of := names.recorded(s.Object, k.Index)
		if k.HasType {
			roles[j] = names.role(of, s.Object, k.Index, k.Type)
		}
		if k.HasType && k.Type.Hidden() {
			at[j] = -1
			continue
		}
		m := Metric{CounterIndex: k.Index, Type: k.Type, HasType: k.HasType}
		names.name(&m, of, s.Object, k.Index)
		at[j] = g.slot(m, count(seen, m.slotKey()))
	}
	return at, roles
}

func (c *agentCooker) cook(cell *Cell, s *checkmk.Section, j, k int, clocks *countertypes.Clocks, change int32) (Tuple, countertypes.Sample) {
	counter := &s.Counters[j]
	if !counter.HasType {
		cell.Status = countertypes.StatusUnsupported
		c.last.older = nil
		return Tuple{First: counter.Values[k], Known: true}, countertypes.Sample{First: counter.Values[k]}
	}
	sample := agentSample(s, j, k, clocks, c.r.cook.Types)
	c.last.cook(cell, &sample, c.r.cook.Types, sample.Status == countertypes.StatusOK, 1, change)
	return tupleOf(&sample), sample
}

// agentSample returns the sample of counter j, whose type is known, in instance k. The base
// of a counter follows it and has the same index.
func agentSample(s *checkmk.Section, j, k int, clocks *countertypes.Clocks, o *countertypes.Options) countertypes.Sample {
	counter := &s.Counters[j]
	sample := countertypes.Sample{Type: counter.Type, First: counter.Values[k]}
	if !s.HasFrequency {
		// An old agent: the time is the clock, and a rate does not need a frequency.
		var rates countertypes.Options
		if o != nil {
			rates = *o
		}
		rates.RateClock = countertypes.RateClock100ns
		o = &rates
	}
	var base bool
	sample.Second, sample.TimeBase, base = counter.Type.Tuple(clocks, o)
	if !base && !counter.Type.Multi() {
		return sample
	}
	switch {
	case j+1 == len(s.Counters) || s.Counters[j+1].Index != counter.Index || k >= len(s.Counters[j+1].Values):
		sample.Status = countertypes.StatusNoBase
	case base:
		sample.Second = s.Counters[j+1].Values[k]
	default:
		sample.Multi = uint32(s.Counters[j+1].Values[k])
	}
	return sample
}

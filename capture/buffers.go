package capture

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/perfdata"
)

// buffers holds the blocks of a recording, of all inputs of the format perfdata.
type buffers struct {
	parts []part
	kept  int    // bytes of inputs in memory
	again []byte // the reopened input called name
	name  string
}

type part struct {
	clock     int64 // 100 ns since 1601, by the block's own clock
	time      time.Time
	host      string
	source    string
	record    int
	data      []byte // of the input; nil if it is to be reopened
	off, size int
}

const keepInputs = 8 << 20

// partCost is the memory for a part, with the start of a machine that has only this one.
const partCost = 300

// add adds the blocks of an input. fault is the first thing that salvage mode skips, nil if
// there is none.
func (s *buffers) add(r *Recording, in *Input) (fault *perfdump.FormatError, err error) {
	data := in.Data
	if s.kept += len(data); r.Reopen != nil && in.Name != "-" && s.kept > keepInputs {
		s.kept -= len(data)
		data = nil
	}
	record := 0
	for b, err := range perfdata.Blocks(in.Data, r.o.Options) {
		if err != nil {
			return nil, err
		}
		p := part{
			clock: b.PerfTime100nSec, host: cutClone(b.ComputerName()), source: in.Name, record: record,
			data: data, off: int(b.Offset()), size: b.Size(),
		}
		p.time, _ = b.Time()
		s.parts = append(s.parts, p)
		r.table.budget.Take(partCost)
		record++
		if fault == nil && b.NumFaults() > 0 {
			fault = b.Fault(0)
		}
	}
	return fault, nil
}

func (s *buffers) sort() {
	slices.SortStableFunc(s.parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.clock, b.clock), cmp.Compare(a.source, b.source), cmp.Compare(a.record, b.record))
	})
}

func (s *buffers) len() int                    { return len(s.parts) }
func (s *buffers) start() time.Time            { return s.parts[0].time }
func (s *buffers) machines(all *machineStarts) { startOfParts(all, s.parts) }

func startOfParts(all *machineStarts, parts []part) {
	for i := range parts {
		all.add(startInUTC(parts[i].host, parts[i].time))
	}
}

// unique returns the sorted parts without duplicates.
func (s *buffers) unique(r *Recording, duplicates *duplicates) []part {
	var all []part
	newest := map[string]*part{} // of each machine
	for i := range s.parts {
		p := &s.parts[i]
		if last := newest[p.host]; last != nil && s.same(r, last, p) {
			duplicates.add(p.source, last.source)
			continue
		}
		newest[p.host] = p
		all = append(all, *p)
	}
	return all
}

func (s *buffers) same(r *Recording, a, b *part) bool {
	if a.clock != b.clock || a.size != b.size {
		return false
	}
	one, err := s.bytes(r, a)
	if err != nil {
		return false
	}
	other, err := s.bytes(r, b)
	return err == nil && bytes.Equal(one, other)
}

// machine is the state of a host between its snapshots.
type machine struct {
	cooker   blockCooker
	decoders [2]perfdata.Decoder
	before   *part // the last one before the requested time, which rates need
	older    *perfdata.Block
	n        int // snapshots that were cooked
	seen     int // snapshots within the requested time
}

// load decodes a part. The previous block stays valid.
func (m *machine) load(s *buffers, r *Recording, p *part) (*perfdata.Block, error) {
	d := &m.decoders[m.n%2]
	d.Options = r.o.Options
	m.n++
	return s.load(r, p, d)
}

func (s *buffers) frames(r *Recording, values bool, yield func(*Frame, error) bool) bool {
	var duplicates duplicates
	parts := s.unique(r, &duplicates)
	if values {
		duplicates.report(r)
	}
	last := map[string]int{} // the last part of each machine, after which its state is dropped
	for i := range parts {
		last[parts[i].host] = i
	}
	machines := map[string]*machine{}
	w := r.window()
	frame := Frame{Offset: Offset{Known: true}, Zone: "UTC"}
	for i := range parts {
		p := &parts[i]
		m := machines[p.host]
		if m == nil {
			m = &machine{cooker: r.cooker(r.o.Names, "")}
			machines[p.host] = m
		}
		if last[p.host] == i {
			delete(machines, p.host)
		}
		switch w.side(p.host, p.time, frame.Offset) {
		case before:
			m.before = p
			continue
		case after:
			continue
		case inside:
		}
		if m.seen++; (m.seen-1)%max(1, r.cook.Every) != 0 {
			continue
		}
		if m.before != nil && values {
			block, err := m.load(s, r, m.before)
			if err != nil {
				return yield(&Frame{Source: m.before.source}, err)
			}
			m.older = block
		}
		m.before = nil
		block, err := m.load(s, r, p)
		if err != nil {
			return yield(&Frame{Source: p.source}, err)
		}
		frame.Time, frame.Host, frame.Source, frame.Record = p.time, p.host, p.source, p.record
		frame.clear()
		if values {
			frame.grow(r.table.n, r.cook.Raw)
		}
		if values && m.older != nil && block.PerfTime < m.older.PerfTime {
			r.reportRestart(p.source, p.record, m.older.PerfTime, block.PerfTime)
			m.cooker.across(&frame, p.host, m.older, block)
		} else {
			m.cooker.cells(&frame, p.host, m.older, block, values)
		}
		m.older = block
		if !yield(&frame, nil) {
			return false
		}
	}
	return true
}

// load decodes a part. If its input is reopened, the previous block keeps its own bytes.
func (s *buffers) load(r *Recording, p *part, d *perfdata.Decoder) (*perfdata.Block, error) {
	data, err := s.bytes(r, p)
	if err != nil {
		return nil, err
	}
	return d.Decode(data)
}

func (s *buffers) bytes(r *Recording, p *part) ([]byte, error) {
	data := p.data
	if data == nil {
		if s.again == nil || s.name != p.source {
			var err error
			if s.again, err = r.Reopen(p.source); err != nil {
				return nil, err
			}
			s.name = p.source
		}
		data = s.again
	}
	if p.off+p.size > len(data) {
		return nil, perfdump.NewError(perfdump.CodeIO, -1, perfdump.Path{}, "%s became shorter while it was read", p.source)
	}
	return data[p.off : p.off+p.size], nil
}

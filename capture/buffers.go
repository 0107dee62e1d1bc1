package capture

import (
	"cmp"
	"slices"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/perfdata"
)

// buffers are the blocks of a recording, of all inputs of the format perfdata.
type buffers struct {
	parts []part
	kept  int // bytes of inputs
	again *detect.Input
}

// part is a snapshot that a recording can load again.
type part struct {
	clock     int64 // 100 ns since 1601, by the block's own clock
	time      time.Time
	host      string
	source    string
	record    int
	data      []byte // of the input; nil if it is to be opened again
	off, size int
}

// keepInputs is how many bytes of inputs are kept where they can be opened
// again.
const keepInputs = 32 << 20

// add adds the blocks of an input. The fault is the first thing that salvage mode
// passes over, nil for none.
func (s *buffers) add(r *Recording, in *detect.Input) (fault *perfdump.FormatError, err error) {
	data := in.Data
	if s.kept += len(data); r.Reopen != nil && in.Name != "-" && s.kept > keepInputs {
		s.kept -= len(data)
		data = nil
	}
	record := 0
	for b, err := range perfdata.Blocks(in.Data, r.o.perfdata()) {
		if err != nil {
			return nil, err
		}
		p := part{
			clock: b.PerfTime100nSec, host: cutOwn(b.ComputerName()), source: in.Name, record: record,
			data: data, off: int(b.Offset()), size: b.Size(),
		}
		p.time, _ = b.Time()
		s.parts = append(s.parts, p)
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

func (s *buffers) len() int { return len(s.parts) }

func (s *buffers) start() time.Time { return s.parts[0].time }

// last tells of each part whether it is the last of its machine.
func (s *buffers) last() []bool {
	all, met := make([]bool, len(s.parts)), map[string]bool{}
	for i := range slices.Backward(s.parts) {
		host := s.parts[i].host
		all[i] = !met[host]
		met[host] = true
	}
	return all
}

// machine is what is remembered of a host between its snapshots.
type machine struct {
	cooker   blockCooker
	decoders [2]*perfdata.Decoder // the second from the second block on
	older    *perfdata.Block
	n        int // snapshots that were cooked
	met      int // snapshots that were met
}

func (s *buffers) frames(r *Recording, values bool, yield func(*Frame, error) bool) bool {
	machines := map[string]*machine{}
	last := s.last() // behind it a machine is forgotten
	past := func(i int) {
		if last[i] {
			delete(machines, s.parts[i].host)
		}
	}
	w := r.window()
	frame := Frame{Offset: Offset{Known: true}, Zone: "UTC"}
	for i := range s.parts {
		p := &s.parts[i]
		if !w.has(p.time) {
			past(i)
			continue
		}
		m := machines[p.host]
		if m == nil {
			m = &machine{cooker: r.cooker(r.o.Names, "")}
			machines[p.host] = m
		}
		if m.met++; (m.met-1)%max(1, r.cook.Every) != 0 {
			past(i)
			continue
		}
		d := &m.decoders[m.n%2]
		if *d == nil {
			*d = &perfdata.Decoder{Options: r.o.perfdata()}
		}
		block, err := s.load(r, p, *d)
		if err != nil {
			return yield(&Frame{Source: p.source}, err)
		}
		m.n++
		frame.Time, frame.Host, frame.Source, frame.Record = p.time, p.host, p.source, p.record
		frame.clear()
		if values {
			frame.grow(r.table.n, r.cook.Raw)
		}
		if values && m.older != nil && block.PerfTime < m.older.PerfTime {
			r.tellRestart(p.source, p.record, m.older.PerfTime, block.PerfTime)
			m.cooker.across(&frame, p.host, m.older, block)
		} else {
			m.cooker.cells(&frame, p.host, m.older, block, values)
		}
		m.older = block
		if !yield(&frame, nil) {
			return false
		}
		past(i)
	}
	return true
}

// load decodes a part. Where its input is opened again for each, the bytes of
// the one before stay with its block.
func (s *buffers) load(r *Recording, p *part, d *perfdata.Decoder) (*perfdata.Block, error) {
	data := p.data
	if data == nil {
		if s.again == nil || s.again.Name != p.source {
			in, err := r.Reopen(p.source)
			if err != nil {
				return nil, err
			}
			s.again = in
		}
		data = s.again.Data
	}
	if p.off+p.size > len(data) {
		return nil, perfdump.NewError(perfdump.CodeIO, -1, perfdump.Path{}, "%s has become shorter while it was read", p.source)
	}
	return d.Decode(data[p.off : p.off+p.size])
}

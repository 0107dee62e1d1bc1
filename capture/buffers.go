package capture

import (
	"bytes"
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

func (s *buffers) machines(all *machineStarts) { startOfParts(all, s.parts) }

// startOfParts takes the beginnings of the machines of parts.
func startOfParts(all *machineStarts, parts []part) {
	for i := range parts {
		all.add(machineStart{host: parts[i].host, time: parts[i].time, offset: Offset{Known: true}, last: Offset{Known: true}, zone: "UTC"})
	}
}

// sides returns where the parts are beside the time that is asked for. Of those
// before it there is the last of each machine alone, which rates need; the others,
// and those that are there twice, are as if they were behind it.
func (s *buffers) sides(r *Recording, values bool) []side {
	w := r.window()
	all := make([]side, len(s.parts))
	newest := map[string]int{} // part of each machine
	var twins twins
	for i := range s.parts {
		p := &s.parts[i]
		all[i] = w.side(p.host, p.time, Offset{Known: true})
		if j, ok := newest[p.host]; ok && s.same(r, &s.parts[j], p) {
			all[i] = behind
			twins.add(p.source, s.parts[j].source)
			continue
		}
		if j, ok := newest[p.host]; ok && all[j] == before && all[i] != inside {
			all[j] = behind
		}
		newest[p.host] = i
	}
	for _, i := range newest {
		if all[i] == before {
			all[i] = behind
		}
	}
	if !values {
		return all
	}
	twins.tell(r)
	return all
}

// once returns the parts, which are in order, without those that are there twice.
func (s *buffers) once(r *Recording, twins *twins) []part {
	var all []part
	newest := map[string]*part{} // of each machine
	for i := range s.parts {
		p := &s.parts[i]
		if last := newest[p.host]; last != nil && s.same(r, last, p) {
			twins.add(p.source, last.source)
			continue
		}
		newest[p.host] = p
		all = append(all, *p)
	}
	return all
}

// same reports whether two parts are one and the same snapshot.
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
	sides := s.sides(r, values)
	frame := Frame{Offset: Offset{Known: true}, Zone: "UTC"}
	for i := range s.parts {
		p := &s.parts[i]
		if sides[i] == behind || sides[i] == before && !values {
			past(i)
			continue
		}
		m := machines[p.host]
		if m == nil {
			m = &machine{cooker: r.cooker(r.o.Names, "")}
			machines[p.host] = m
		}
		if sides[i] == inside {
			if m.met++; (m.met-1)%max(1, r.cook.Every) != 0 {
				past(i)
				continue
			}
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
		if sides[i] == before {
			m.older = block
			continue
		}
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
	data, err := s.bytes(r, p)
	if err != nil {
		return nil, err
	}
	return d.Decode(data)
}

// bytes returns those of a part.
func (s *buffers) bytes(r *Recording, p *part) ([]byte, error) {
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
	return data[p.off : p.off+p.size], nil
}

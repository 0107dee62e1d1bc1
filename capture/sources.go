package capture

import (
	"iter"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/perfdata"
)

// source holds the functions that read a format with counter values.
type source struct {
	open func(*Reader, *lane, *Input) error // sets the raw snapshots of the lane; nil if the format has none
	add  func(*Recording, *Input) error     // adds the values to cook; nil if the format has none
}

var sources = map[detect.Format]source{
	detect.PerfData: {open: openBlocks, add: addBlocks},
	detect.PerfLib2: {open: openSingle(setBlock)},
	detect.BLG:      {open: openLog, add: (*Recording).addLog},
	detect.PDHCSV:   {add: (*Recording).addText},
	detect.PDHTSV:   {add: (*Recording).addText},
	detect.Checkmk:  {open: openAgent, add: (*Recording).addAgent},
	detect.IPCBlock: {open: openSingle(blockTable), add: func(r *Recording, in *Input) error { return r.blocks.add(r, in) }},
	detect.ASPNet2:  {open: openSingle(vector)},
	detect.ASPNet4:  {open: openSingle(vector)},
	detect.Minidump: {open: openImage, add: func(r *Recording, in *Input) error { return r.blocks.addDump(r, in) }},
	detect.Memory:   {open: openImage},
}

func addBlocks(r *Recording, in *Input) error {
	fault, err := r.buffers.add(r, in)
	if fault != nil {
		return fault
	}
	return err
}

func openBlocks(t *Reader, l *lane, in *Input) error {
	l.snapshots = func(c *choices) iter.Seq2[*Snapshot, error] { return blocks(in, t.r.o, c.blocks) }
	return nil
}

func openLog(t *Reader, l *lane, in *Input) error {
	f, err := blg.OpenParts(in.At, in.Size, in.Parts, blg.Options{Options: t.r.o.Options})
	if err != nil {
		return err
	}
	t.r.reportLost(in, f)
	l.machineStart = startOfLog(f)
	l.snapshots = func(c *choices) iter.Seq2[*Snapshot, error] {
		return newLogReader(f, t.r.o).snapshots(l.source, c.newChoice())
	}
	return nil
}

func openAgent(t *Reader, l *lane, in *Input) error {
	l.snapshots = func(c *choices) iter.Seq2[*Snapshot, error] { return agentSections(in, t.r.o, c.newChoice()) }
	for s, err := range l.snapshots(&choices{starts: &machineStarts{}}) {
		if err != nil {
			return err
		}
		l.machineStart = startInUTC(s.Section.Host, s.Time)
		break
	}
	return nil
}

func openImage(t *Reader, l *lane, in *Input) error {
	m, err := OpenImage(in, t.r.o.Options)
	l.snapshots = func(*choices) iter.Seq2[*Snapshot, error] { return m.snapshots(t.r) }
	return err
}

// openSingle opens an input of one snapshot.
func openSingle(read func(*Input, Options) (*Snapshot, error)) func(*Reader, *lane, *Input) error {
	return func(t *Reader, l *lane, in *Input) error {
		s, err := read(in, t.r.o)
		if err != nil {
			return err
		}
		l.machineStart = startInUTC("", s.Time)
		l.snapshots = func(c *choices) iter.Seq2[*Snapshot, error] {
			return func(yield func(*Snapshot, error) bool) {
				if s.Sets == nil || c.newChoice().takes("", "", s.Time, s.Offset) {
					yield(s, nil)
				}
			}
		}
		return nil
	}
}

func blocks(in *Input, o Options, w *choice) iter.Seq2[*Snapshot, error] {
	return func(yield func(*Snapshot, error) bool) {
		record := 0
		for block, err := range perfdata.Blocks(in.Data, o.Options) {
			if err != nil {
				yield(nil, err)
				return
			}
			s := FromBlock(block, o)
			s.Source, s.Record = in.Name, record
			record++
			if w.takes(s.Host, "", s.Time, s.Offset) && !yield(s, nil) {
				return
			}
		}
	}
}

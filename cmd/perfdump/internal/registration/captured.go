package registration

import (
	"maps"
	"slices"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

// captured is the indexes in use in a capture.
type captured struct {
	name     string
	objects  map[uint32]bool
	counters map[uint32]uint32 // the object of each counter
	own      []*titles.Table   // that a log holds
}

// maxIndexes limits the indexes of a capture. Those of Windows are below 2^16 on
// all known machines.
const maxIndexes = 1 << 17

// take adds the indexes of a block.
func (c *captured) take(b *perfdata.Block) {
	for _, o := range b.Objects() {
		if len(c.objects)+len(c.counters) >= maxIndexes {
			return
		}
		c.objects[o.ObjectNameTitleIndex] = true
		for i := range o.Counters() {
			if index := o.Counter(i).CounterNameTitleIndex; c.counters[index] == 0 && index != 0 {
				c.counters[index] = o.ObjectNameTitleIndex
			}
		}
	}
}

func (f *Files) addCapture(in *detect.Input, o Options) error {
	c := &captured{name: in.Name, objects: map[uint32]bool{}, counters: map[uint32]uint32{}}
	read := c.readBlocks
	if in.Format == detect.BLG {
		read = c.readLog
	}
	if err := read(in, o); err != nil {
		return err
	}
	f.captures = append(f.captures, c)
	return nil
}

func (c *captured) readBlocks(in *detect.Input, o Options) error {
	for b, err := range perfdata.Blocks(in.Data, o.Options) {
		if err != nil {
			return err
		}
		c.take(b)
	}
	return nil
}

func (c *captured) readLog(in *detect.Input, o Options) error {
	l, err := blg.Open(in.At, in.Size(), blg.Options{Options: perfdump.Options{Mode: o.Mode, Limits: o.Limits}})
	if err != nil {
		return err
	}
	for _, m := range l.Titles() {
		c.own = append(c.own, m.Table)
	}
	for rec, err := range l.Records() {
		if err != nil {
			return err
		}
		for _, s := range rec.All() {
			// perfdump check reports blocks that cannot be read.
			if b, err := s.Block(); err == nil {
				c.take(b)
			}
		}
	}
	return nil
}

func checkCaptured(x *exam) {
	var given []*titles.Table
	for _, t := range x.tables {
		if t.kind == titles.Counter {
			given = append(given, t.t)
		}
	}
	for _, c := range x.captures {
		all := append(slices.Clone(given), c.own...)
		if len(all) == 0 {
			continue
		}
		names := titles.NewNames(all...)
		for _, index := range slices.Sorted(maps.Keys(c.objects)) {
			if _, ok := names.Lookup(index); !ok {
				x.report(c.name, 0, "object "+names.Name(index), "the object %d has no name", index)
			}
		}
		var lost []uint32
		for _, index := range slices.Sorted(maps.Keys(c.counters)) {
			if _, ok := names.Lookup(index); !ok {
				lost = append(lost, index)
			}
		}
		if len(lost) > 0 {
			x.report(c.name, 0, "counters", "%s no name: %s", plural(len(lost), "counter has", "counters have"), few(lost))
		}
	}
}

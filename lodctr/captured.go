package lodctr

import (
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

// captured is what a capture tells of the indexes in use.
type captured struct {
	name     string
	objects  map[uint32]bool
	counters map[uint32]uint32 // the object of each counter
	own      []*titles.Table   // that a log has with it
}

// maxIndexes bounds the indexes that are kept of a capture. Those of Windows
// are below 2^16 on all machines that were looked at.
const maxIndexes = 1 << 17

func (f *Files) addCapture(in *detect.Input, o Options) error {
	c := &captured{name: in.Name, objects: map[uint32]bool{}, counters: map[uint32]uint32{}}
	po := perfdata.Options{Mode: o.Mode, Limits: o.Limits, CodePage: o.CodePage}
	if in.Format == detect.PerfData {
		for b, err := range perfdata.Blocks(in.Data, po) {
			if err != nil {
				return err
			}
			c.take(b)
		}
	} else if err := c.log(in, o); err != nil {
		return err
	}
	f.captures = append(f.captures, c)
	return nil
}

func (c *captured) log(in *detect.Input, o Options) error {
	l, err := blg.NewFile(in.At, in.Size(), blg.Options{Mode: o.Mode, Limits: o.Limits})
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
			if s.Kind != blg.Object {
				continue
			}
			// A block that cannot be read is for perfdump check to tell.
			if b, err := s.Block(); err == nil {
				c.take(b)
			}
		}
	}
	return nil
}

// take notes the indexes of a block.
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

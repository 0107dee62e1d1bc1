package perfdata_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

// TestSweep damages each place of small blocks: what is told, and all that can
// be read, cooked against the whole block and explained, is what testdata has.
// To review a change, look the lines of text up in docs/perfdata.md.
func TestSweep(t *testing.T) {
	few := perftest.Counter{Title: 8, Type: 0x10410400}
	for name, block := range map[string]*perftest.Block{
		"parents": {Name: "PC", Objects: []perftest.Object{
			{Title: 230, Counters: []perftest.Counter{few}, Instances: []perftest.Instance{
				{Name: "a", Values: []uint64{1}}, {Name: "b", UniqueID: 7, Values: []uint64{2}},
			}},
			{Title: 232, Counters: []perftest.Counter{few, {Title: 10, Type: 0x40000200}}, Instances: []perftest.Instance{
				{Name: "0", ParentTitle: 230, Parent: 1, Values: []uint64{3}}, {Name: "0", ParentTitle: 230, Values: []uint64{4}},
			}},
		}},
		"values": {Objects: []perftest.Object{
			{Title: 2, Single: true, PerfTime: 5, PerfFreq: 1000, BlockExtra: 8, Counters: []perftest.Counter{
				{Title: 6, Type: 0x20510500, Scale: -2},
				{Title: 10, Type: 0x20020400},
				{Title: 10, Type: 0x40030403},
				{Title: 12, Type: 0x00000B00, Size: 6},
				{Title: 14, Type: 0x22410500},
				{Title: 14, Type: 0x42030500},
			}, Instances: []perftest.Instance{{Values: []uint64{9, 8, 7, 0, 5, 2}, Raw: map[int][]byte{3: []byte("a\x00b\x00\x00\x00")}}}},
			{Title: 600, CodePage: 1252, Counters: []perftest.Counter{few}, Instances: []perftest.Instance{{Name: "é", NameGap: 2, NameStale: 3, Values: []uint64{6}}}},
			{Title: 700, NumInstances: -2, HeaderExtra: 4, Counters: []perftest.Counter{few}},
		}, Tail: 8},
	} {
		b := block.Bytes()
		whole, err := parseIn(b, perfdump.Tolerant)
		if err != nil {
			t.Fatal(err)
		}
		golden.Sweep(t, filepath.Join("testdata", "sweep-"+name+".txt"), b, golden.Fields, perftest.Race, func(b []byte) *golden.Reading {
			return reading(whole, b)
		})
	}
}

func reading(whole *perfdata.Block, b []byte) *golden.Reading {
	var r golden.Reading
	_, err := parseIn(b, perfdump.Strict)
	r.Note(err)
	for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Salvage} {
		blk, err := parseIn(b, mode)
		if r.Error(err); err != nil || mode == perfdump.Salvage && blk.NumFaults() == 0 {
			continue
		}
		r.Anomalies(blk.Anomalies())
		r.Faults(slices.Collect(blk.Faults()))
		r.Note(describe(blk))
		r.Spans(blk.Spans())
		noteCooked(&r, whole, blk)
		noteCooked(&r, blk, whole)
	}
	return &r
}

// noteCooked notes what both ways of cooking make of two blocks.
func noteCooked(r *golden.Reading, older, newer *perfdata.Block) {
	var s perfdata.Sampler
	for s.Reset(older, newer, nil); s.Next(); {
		r.Note(s.Counter(), *s.Newer())
		if was := s.Older(); was != nil {
			r.Note(*was)
		}
	}
	var c perfdata.Cooker
	for c.Reset(older, newer, nil); c.Next(); {
		for _, v := range c.Values() {
			r.Note(float32(v))
		}
		r.Note(c.Statuses())
	}
}

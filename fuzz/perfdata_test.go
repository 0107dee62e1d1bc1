package fuzz

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

// FuzzDecode: all that a block offers can be walked and agrees with itself.
func FuzzDecode(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		parse := func(o perfdump.Options) (*perfdata.Block, error) { return perfdata.Parse(b, o) }
		eachMode(t, b, parse, func(blk *perfdata.Block, mode perfdump.Mode) {
			if mode != perfdump.Salvage && blk.NumFaults() > 0 {
				t.Fatalf("%v: faults %v", mode, slices.Collect(blk.Faults()))
			}
			walk(t, blk)
		})
	})
}

// FuzzRoundTrip: whatever strict and tolerant mode accept encodes to the same
// bytes, from the view and from the owned tree, and a clone is no view.
func FuzzRoundTrip(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		for blk, err := range perfdata.Blocks(b, perfdump.Options{}) {
			if err != nil {
				return
			}
			want := blk.Bytes()
			tree, ok := blk.Tree()
			if !ok {
				t.Fatal("no tree of an accepted block")
			}
			got, err := tree.AppendBinary([]byte("prefix"))
			if err != nil || !bytes.Equal(got, append([]byte("prefix"), want...)) {
				t.Fatalf("the tree encodes otherwise: %v", err)
			}
			clone := blk.Clone()
			got, err = clone.AppendBinary(nil)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("the clone encodes otherwise: %v", err)
			}
			if err := tree.Layout(); err != nil {
				continue
			}
			canonical, err := tree.AppendBinary(nil)
			if err != nil {
				continue // lengths that speak of far more bytes than there are values
			}
			again, err := perfdata.Parse(canonical, perfdump.Options{})
			if err != nil {
				t.Fatalf("canonical form does not decode: %v", err)
			}
			if again.NumObjects() != blk.NumObjects() {
				t.Fatalf("canonical form has %d objects of %d", again.NumObjects(), blk.NumObjects())
			}
		}
	})
}

// FuzzSpans: spans and gaps tile the input in every mode: in order, without a
// hole, and overlapping only where they say so.
func FuzzSpans(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		for _, mode := range modes {
			var at int64
			for blk, err := range perfdata.Blocks(b, perfdump.Options{Mode: mode}) {
				if err != nil {
					break
				}
				end := blk.Offset() + int64(len(blk.Bytes()))
				formattest.Cover(t, blk.Spans(), at, end)
				at = end
			}
		}
	})
}

// FuzzNames: the names of instances decode in any code page, the same way by
// each call, and a table of titles resolves any index.
func FuzzNames(f *testing.F) {
	f.Fuzz(func(t *testing.T, b, table []byte) {
		if len(b) > maxInput || len(table) > maxInput {
			return
		}
		blk, err := perfdata.Parse(b, perfdump.Options{Mode: perfdump.Salvage})
		if err != nil {
			return
		}
		var names *titles.Names
		if tab, err := titles.Parse(table, perfdump.Options{}); err == nil {
			names = titles.NewNames(tab)
		} else {
			names = titles.NewNames()
		}
		for _, o := range blk.Objects() {
			if names.Name(o.ObjectNameTitleIndex) == "" {
				t.Fatal("an object without a name")
			}
			for i, display := range o.DisplayNames() {
				in := o.Instance(i)
				full := in.FullName()
				if len(display) < len(full) || display[:len(full)] != full {
					t.Fatalf("display name %q of %q", display, full)
				}
				if got := string(in.AppendName([]byte("x"))); got != "x"+in.Name() {
					t.Fatalf("name %q, appended %q", in.Name(), got)
				}
			}
		}
	})
}

// FuzzCook: the bulk cooker, the sampler and Cook give the same bits for two
// blocks, and a value only where the status is ok.
func FuzzCook(f *testing.F) {
	f.Fuzz(func(t *testing.T, older, newer []byte) {
		if len(older) > maxInput || len(newer) > maxInput {
			return
		}
		b, err := perfdata.Parse(newer, perfdump.Options{})
		if err != nil {
			return
		}
		a, err := perfdata.Parse(older, perfdump.Options{})
		if err != nil {
			a = nil
		}
		var c perfdata.Cooker
		var s perfdata.Sampler
		c.Reset(a, b, nil)
		s.Reset(a, b, nil)
		for c.Next() {
			for j, got := range c.Values() {
				if !s.Next() {
					t.Fatal("the sampler ends first")
				}
				want, status := countertypes.Cook(s.Older(), s.Newer(), nil)
				if status != c.Statuses()[j] || math.Float64bits(want) != math.Float64bits(got) {
					t.Fatalf("%s: cooker %v %v, sampler %v %v", s.Instance().Path(), got, c.Statuses()[j], want, status)
				}
				if status != countertypes.StatusOK && got != 0 {
					t.Fatalf("%s: value %v with status %v", s.Instance().Path(), got, status)
				}
			}
		}
		if s.Next() {
			t.Fatal("the cooker ends first")
		}
	})
}

// FuzzReuse: a decoder that has met another block reads one as a new decoder
// does, down to the last anomaly.
func FuzzReuse(f *testing.F) {
	f.Fuzz(func(t *testing.T, before, b []byte) {
		if len(before) > maxInput || len(b) > maxInput {
			return
		}
		for _, mode := range modes {
			d := perfdata.Decoder{Options: perfdump.Options{Mode: mode}}
			_, _ = d.Decode(b)
			_, _ = d.Decode(before)
			got, errGot := d.Decode(b)
			want, errWant := perfdata.Parse(b, perfdump.Options{Mode: mode})
			if errWant != nil {
				if errGot == nil || errGot.Error() != errWant.Error() {
					t.Fatalf("%v: error %v, anew %v", mode, errGot, errWant)
				}
				continue
			}
			if errGot != nil {
				t.Fatalf("%v: error %v, anew none", mode, errGot)
			}
			sameBlocks(t, got, want)
		}
	})
}

func sameBlocks(t *testing.T, got, want *perfdata.Block) {
	t.Helper()
	if got.NumObjects() != want.NumObjects() || got.NumFaults() != want.NumFaults() {
		t.Fatalf("%d objects, anew %d", got.NumObjects(), want.NumObjects())
	}
	if a, b := got.Anomalies(), want.Anomalies(); a.Len() != b.Len() || !slices.Equal(a.Kept(), b.Kept()) {
		t.Fatalf("anomalies %v, anew %v", a.Kept(), b.Kept())
	}
	for i, w := range want.Objects() {
		o := got.Object(i)
		if o.ObjectType != w.ObjectType || o.Len() != w.Len() || len(o.Counters()) != len(w.Counters()) {
			t.Fatalf("%s differs", w.Path())
		}
		for j := range w.Counters() {
			if c, w := o.Counter(j), w.Counter(j); c.CounterDefinition != w.CounterDefinition || c.Base() != w.Base() {
				t.Fatalf("counter %d: %+v, anew %+v", j, c, w)
			}
		}
		if !slices.Equal(o.AppendUint64s(nil), w.AppendUint64s(nil)) {
			t.Fatalf("%s: values differ", w.Path())
		}
	}
}

package fuzz

import (
	"bytes"
	"testing"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/perflib2"
)

// FuzzPerflib2Block: spans tile; what is accepted encodes to the same bytes, and
// its tree to a block that says the same.
func FuzzPerflib2Block(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return
		}
		parse := func(o perfdump.Options) (*perflib2.Block, error) { return perflib2.Parse(b, o) }
		eachMode(t, b, parse, func(blk *perflib2.Block, _ perfdump.Mode) {
			formattest.Tile(t, blk.Spans(), 0, int64(len(b)))
			if again, err := blk.Clone().AppendBinary(nil); err != nil || !bytes.Equal(again, b) {
				t.Fatalf("encodes otherwise: %v", err)
			}
			perflib2Tree(t, blk)
		})
	})
}

// perflib2Tree encodes the tree of a block twice and wants the same.
func perflib2Tree(t *testing.T, blk *perflib2.Block) {
	t.Helper()
	tree := blk.Tree()
	first, err := tree.AppendBinary(nil)
	if err != nil {
		return // a result of a type that is not known, or one that was salvaged in part
	}
	again, err := perflib2.Parse(first, perfdump.Options{})
	if err != nil {
		t.Fatalf("the tree encodes to what cannot be read: %v", err)
	}
	second, err := again.Tree().AppendBinary(nil)
	if err != nil || !bytes.Equal(first, second) {
		t.Fatalf("encoded twice it differs: %v", err)
	}
	if blk.Len() != again.Len() {
		t.Fatalf("%d results, then %d", blk.Len(), again.Len())
	}
	for i, r := range blk.Results() {
		q := again.Result(i)
		if r.Type != q.Type || r.NumCounters() != q.NumCounters() || r.Len() != q.Len() || r.Status != q.Status {
			t.Fatalf("result %d differs", i)
		}
		for j := range r.NumCounters() {
			if r.ID(j) != q.ID(j) {
				t.Fatalf("id %d of result %d differs", j, i)
			}
		}
		for k, in := range r.Instances() {
			other := q.Instance(k)
			if in.Named && (in.ID != other.ID || in.Name() != other.Name()) {
				t.Fatalf("instance %q %d is %q %d", in.Name(), in.ID, other.Name(), other.ID)
			}
			values := other.AppendValues(nil)
			for j, v := range in.Values() {
				if !bytes.Equal(v.Raw, values[j].Raw) {
					t.Fatalf("value %x is %x", v.Raw, values[j].Raw)
				}
			}
		}
	}
}

// FuzzPerflib2Registration: the same of registrations, and any of them gives
// any block samples, the same by a used sampler as by a new one.
func FuzzPerflib2Registration(f *testing.F) {
	f.Fuzz(func(t *testing.T, b, block []byte) {
		if len(b) > maxInput || len(block) > maxInput {
			return
		}
		blk, _ := perflib2.Parse(block, perfdump.Options{Mode: perfdump.Salvage})
		var used perflib2.Sampler
		parse := func(o perfdump.Options) (*perflib2.Registration, error) { return perflib2.ParseRegistration(b, o) }
		eachMode(t, b, parse, func(r *perflib2.Registration, _ perfdump.Mode) {
			formattest.Cover(t, r.Spans(), 0, int64(len(b)))
			if again, err := r.AppendBinary(nil); err != nil || !bytes.Equal(again, b) {
				t.Fatalf("encodes otherwise: %v", err)
			}
			first, err := r.Tree().AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			again, err := perflib2.ParseRegistration(first, perfdump.Options{Limits: perfdump.Limits{Values: 1 << 30}})
			if err != nil {
				t.Fatalf("the tree encodes to what cannot be read: %v", err)
			}
			if r.Name() != again.Name() || r.Len() != again.Len() {
				t.Fatalf("%q of %d counters is %q of %d", r.Name(), r.Len(), again.Name(), again.Len())
			}
			if blk != nil {
				perflib2Samples(t, &used, r, blk)
			}
		})
	})
}

func perflib2Samples(t *testing.T, used *perflib2.Sampler, r *perflib2.Registration, blk *perflib2.Block) {
	t.Helper()
	var values []perflib2.Value
	for _, res := range blk.Results() {
		var fresh perflib2.Sampler
		fresh.Reset(r, res, nil)
		used.Reset(r, res, nil)
		for _, in := range res.Instances() {
			values = in.AppendValues(values[:0])
			for j := range fresh.Len() {
				s, again := fresh.Sample(values, j), used.Sample(values, j)
				if s != again {
					t.Fatalf("sample %+v, by a used sampler %+v", s, again)
				}
				if c := fresh.Counter(j); c != nil && c.Type != s.Type || c == nil && s.Status != countertypes.StatusUnsupported {
					t.Fatalf("sample %+v of counter %+v", s, c)
				}
				countertypes.Cook(&s, &s, nil)
			}
		}
	}
}

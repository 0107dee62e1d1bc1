package perflib2_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/perflib2"
)

// show is a block as text, by all that is exported.
func show(b *perflib2.Block) []string {
	var out []string
	for i, r := range b.Results() {
		line := fmt.Sprintf("%d %s 0x%x", i, r.Type, r.Status)
		for j := range r.NumCounters() {
			line += fmt.Sprintf(" %d", int32(r.ID(j)))
		}
		out = append(out, line)
		for k, in := range r.Instances() {
			line := fmt.Sprintf(" %d %v %q %d", k, in.Named, in.Name(), in.ID)
			for _, v := range in.Values() {
				if n, ok := v.Uint64(); ok {
					line += fmt.Sprintf(" %d", n)
				} else {
					line += fmt.Sprintf(" %q", v.Text())
				}
			}
			out = append(out, line)
		}
	}
	return out
}

// TestEveryType reads results of all types in one way.
func TestEveryType(t *testing.T) {
	require.Equal(t, []string{
		"0 single-counter 0x0 -1", ` 0 false "" 0 17`,
		"1 error 0xe8",
		"2 multi-counters 0x0 1 2", ` 0 false "" 0 18 "text"`,
		"3 multi-instance 0x0 -1", ` 0 true "C:" 1 19`, ` 1 true "" 4 20`,
		"4 counter-set 0x0 0 3 7",
		` 0 true "_Total" 2 1099511627776 7 "busy"`, ` 1 true "Ω,0" 0 5 6 ""`, ` 2 true "_Total" 2 8 9 "ȁ"`,
		"5 error 0xe8",
	}, show(parse(t, samples(t)["several-headers"])))
}

// TestBytesByHand compares the encoder with bytes that are written down by the
// tables of the format.
func TestBytesByHand(t *testing.T) {
	h := header()
	var want []byte
	want = append(want, u32(48+16+16+8+16+16+16)...) // block: header, counter header, ids, instances, instance header, two values
	want = append(want, u32(1)...)
	want = append(want, u64(uint64(h.PerfTime))...)
	want = append(want, u64(uint64(h.PerfTime100ns))...)
	want = append(want, u64(uint64(h.PerfFreq))...)
	for _, w := range h.SystemTime {
		want = le.AppendUint16(want, w)
	}
	for _, w := range []uint32{
		0, 6, 16 + 16 + 8 + 16 + 16 + 16, 0,
		16, 2, 3, 1,
		8 + 16 + 16 + 16, 1,
		16, 9, 'a' | 'b'<<16, 0,
		8, 16, 5, 0,
		4, 16, 6, 0,
	} {
		want = append(want, u32(w)...)
	}
	require.Equal(t, want, encode(t, perflib2.TreeResult{Type: perflib2.CounterSet, IDs: []uint32{3, 1}, Instances: []perflib2.TreeInstance{
		{Name: "ab", ID: 9, Values: [][]byte{u64(5), u32(6)}},
	}}))
}

// TestRoundTrip encodes blocks and registrations, and their trees.
func TestRoundTrip(t *testing.T) {
	type view interface {
		AppendBinary(dst []byte) ([]byte, error)
		Spans() iter.Seq[perfdump.Span]
	}
	check := func(b []byte, v view, err error, tree interface {
		AppendBinary(dst []byte) ([]byte, error)
	},
	) {
		require.NoError(t, err)
		again, err := tree.AppendBinary([]byte("x"))
		require.NoError(t, err)
		require.Equal(t, append([]byte("x"), b...), again)
		again, err = v.AppendBinary([]byte("x"))
		require.NoError(t, err)
		require.Equal(t, append([]byte("x"), b...), again)
		formattest.Tile(t, v.Spans(), 0, int64(len(b)))
		formattest.Stops(t, v.Spans())
	}
	strict := perfdump.Options{Mode: perfdump.Strict}
	for _, b := range samples(t) {
		blk, err := perflib2.Parse(b, strict)
		check(b, blk, err, blk.Tree())
	}
	for _, b := range [][]byte{smallSet(t), register(t), register(t, counter(0, 0, "Ω"))} {
		r, err := perflib2.ParseRegistration(b, strict)
		check(b, r, err, r.Tree())
	}
	blk := parse(t, samples(t)["several-headers"])
	formattest.Stops(t, formattest.Firsts(blk.Results()))
	formattest.Stops(t, formattest.Firsts(blk.Result(4).Instances()))
	formattest.Stops(t, formattest.Firsts(blk.Result(4).Instance(0).Values()))
	formattest.Stops(t, formattest.Firsts(parseRegistration(t, smallSet(t)).Counters()))
}

func TestTime(t *testing.T) {
	blk := parse(t, encode(t))
	at, ok := blk.Time()
	require.True(t, ok)
	require.Equal(t, "2021-04-01T12:08:52.7780023Z", at.Format(time.RFC3339Nano))
	for _, ticks := range []int64{0, -1, 1<<63 - 1} {
		blk.PerfTime100ns = ticks
		_, ok = blk.Time()
		require.False(t, ok)
	}
}

// TestTruncation cuts blocks and registrations at every length: an error that
// says so, or in salvage mode the whole instances and counters before.
func TestTruncation(t *testing.T) {
	check := func(n int, err error) {
		require.True(t, n == 0 && errors.Is(err, perfdump.ErrEmpty) || errors.Is(err, perfdump.ErrTruncated), "cut at %d: %v", n, err)
	}
	salvage := perfdump.Options{Mode: perfdump.Salvage}
	for name, b := range samples(t) {
		whole := show(parse(t, b))
		for n := range b {
			_, err := perflib2.Parse(b[:n:n], perfdump.Options{})
			check(n, err)
			blk, err := perflib2.Parse(b[:n:n], salvage)
			require.Equal(t, n < 48, err != nil, n)
			if err != nil {
				continue
			}
			require.NotEmpty(t, slices.Collect(blk.Faults()))
			for _, line := range show(blk) {
				if line[0] == ' ' { // an instance
					require.Contains(t, whole, line, "%s cut at %d", name, n)
				}
			}
			for _, r := range blk.Results() {
				new(perflib2.Sampler).Reset(nil, r, nil)
			}
		}
	}
	b := samples(t)["several-headers"]
	blk, err := perflib2.Parse(b[:len(b)-16-8], salvage)
	require.NoError(t, err)
	got := show(blk)
	require.Equal(t, ` 1 true "Ω,0" 0 5 6 ""`, got[len(got)-1])

	b = smallSet(t)
	for n := range b {
		_, err := perflib2.ParseRegistration(b[:n:n], perfdump.Options{})
		check(n, err)
		r, err := perflib2.ParseRegistration(b[:n:n], salvage)
		require.Equal(t, n < 48, err != nil, n)
		if err == nil {
			require.NotEmpty(t, slices.Collect(r.Faults()))
			require.Equal(t, min(3, (n-48)/48), r.Len(), "cut at %d", n)
		}
	}
}

// TestLongNames: a name that no UNICODE_STRING can hold is refused; salvage mode
// leaves out its instance alone.
func TestLongNames(t *testing.T) {
	r := counterSet()
	r.Instances[1].Name = strings.Repeat("x", 65535/2)
	_, err := perflib2.Parse(encode(t, r), perfdump.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	r.Instances[1].Name += "x"
	b := encode(t, r)
	_, err = perflib2.Parse(b, perfdump.Options{})
	require.EqualError(t, err, "counter[0].instance[1].Name: 0x10000 bytes, more than the 0xffff that a name can have (offset 0xb8)")
	blk, err := perflib2.Parse(b, perfdump.Options{Mode: perfdump.Salvage})
	require.NoError(t, err)
	require.Len(t, slices.Collect(blk.Faults()), 1)
	require.Equal(t, 2, blk.Result(0).Len())
	formattest.Tile(t, blk.Spans(), 0, int64(len(b)))
}

// TestCountsThatMultiply: counts that the bytes do not back are refused before
// anything is allocated for them. The sweep has their errors.
func TestCountsThatMultiply(t *testing.T) {
	b, reg := encode(t, counterSet()), smallSet(t)
	for off := 0; off < len(b); off += 4 {
		bad := patched(b, off, 0xffffffff)
		require.Less(t, testing.AllocsPerRun(1, func() { _, _ = perflib2.Parse(bad, perfdump.Options{}) }), 30.0, off)
	}
	for off := 0; off < len(reg); off += 4 {
		bad := patched(reg, off, 0xffffffff)
		require.Less(t, testing.AllocsPerRun(1, func() { _, _ = perflib2.ParseRegistration(bad, perfdump.Options{}) }), 60.0, off)
	}
	// More ids than values, by one.
	_, err := perflib2.Parse(patched(b, 0x44, 4), perfdump.Options{})
	require.EqualError(t, err, "counter[0].instance[0].value[3].Size: 0x0 is less than the 8 bytes of the header (offset 0xb4)")
}

// TestDecoderAllocatesNothing reads blocks as a log does.
func TestDecoderAllocatesNothing(t *testing.T) {
	b := encode(t, counterSet())
	r := parseRegistration(t, smallSet(t))
	var d perflib2.Decoder
	var s perflib2.Sampler
	var values []perflib2.Value
	var name []byte
	sum := uint64(0)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		blk, err := d.Decode(b)
		if err != nil {
			panic(err)
		}
		for _, res := range blk.Results() {
			s.Reset(r, res, nil)
			for _, in := range res.Instances() {
				name = in.AppendName(name[:0])
				values = in.AppendValues(values[:0])
				for j := range s.Len() {
					sum += s.Sample(values, j).First
				}
				for _, v := range in.Values() {
					sum += uint64(len(v.Raw))
				}
			}
		}
	}))
	require.NotZero(t, sum)
}

// TestCloneIsNoView: a clone outlives the decoder's next block.
func TestCloneIsNoView(t *testing.T) {
	var d perflib2.Decoder
	b := samples(t)["several-headers"]
	blk, err := d.Decode(b)
	require.NoError(t, err)
	want, clone := show(blk), blk.Clone()
	clear(b)
	_, err = d.Decode(samples(t)["counter-set"])
	require.NoError(t, err)
	require.Equal(t, want, show(clone))
}

// TestTreeErrors: what does not fit its type is not encoded.
func TestTreeErrors(t *testing.T) {
	two := []perflib2.TreeInstance{{Values: [][]byte{u32(1)}}, {Values: [][]byte{u32(1)}}}
	for want, r := range map[string]perflib2.TreeResult{
		"counter[0]: 2 instances in a result of type error, not 0":             {Type: perflib2.ErrorResult, Instances: two},
		"counter[0]: 2 instances in a result of type single-counter, not 1":    {Type: perflib2.SingleCounter, Instances: two},
		"counter[0].instance[0]: 1 values, not 2":                              {Type: perflib2.CounterSet, IDs: []uint32{1, 2}, Instances: two},
		"counter[0]: 1 ids in a result of type multi-instance, which has none": {Type: perflib2.MultiInstance, IDs: []uint32{1}, Instances: two},
		"counter[0]: results of type 5 cannot be encoded":                      {Type: 5},
	} {
		_, err := (&perflib2.Tree{Results: []perflib2.TreeResult{r}}).AppendBinary(nil)
		require.EqualError(t, err, want)
	}
}

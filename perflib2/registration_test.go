package perflib2_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/formattest"
	"github.com/perfdump/perfdump/perflib2"
)

// showSet is a registration as text.
func showSet(r *perflib2.Registration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s\n", r.Name(), r.GUIDString(), r.InstanceType)
	for _, c := range r.Counters() {
		fmt.Fprintf(&b, "%+v %q %v\n", c.CounterInfo, c.Name(), c.Hidden())
	}
	return b.String()
}

func TestRegistration(t *testing.T) {
	r := parseRegistration(t, smallSet(t))
	require.Equal(t, "Fantasy Set", r.Name())
	require.Equal(t, "{389fb4bd-1226-5149-9f3e-695b2e674d42}", r.GUIDString())
	require.False(t, r.Single())
	require.Equal(t, 3, r.Len())
	var names []string
	var hidden []bool
	for _, c := range r.Counters() {
		names, hidden = append(names, c.Name()), append(hidden, c.Hidden())
	}
	require.Equal(t, []string{"% Full", "", "Not for you"}, names)
	require.Equal(t, []bool{false, true, true}, hidden)
	c, ok := r.ByID(3)
	require.True(t, ok)
	require.Equal(t, countertypes.PERF_RAW_BASE, c.Type)
	_, ok = r.ByID(4)
	require.False(t, ok)
	blk := parse(t, encode(t, counterSet(), perflib2.TreeResult{Type: perflib2.CounterSet, IDs: []uint32{0, 4}}))
	require.True(t, r.Covers(blk.Result(0)))
	require.False(t, r.Covers(blk.Result(1)))
}

// TestRegistrationByHand holds the encoder against bytes that are written down
// by the tables of the format.
func TestRegistrationByHand(t *testing.T) {
	tree := registrationTree(based(counter(5, countertypes.PERF_RAW_FRACTION, "AB"), 6), counter(6, countertypes.PERF_RAW_BASE, ""))
	tree.Name = "Set"
	var want []byte
	for _, w := range []uint32{16 + 128 + 32 + 8, 32 + 2*48, 32, 8} { // 8 + 2*8 + "AB" and its NUL is 30
		want = append(want, u32(w)...)
	}
	want = append(want, tree.GUID[:]...)
	for _, w := range []uint32{
		0, 100, 2, 2,
		5, 0x20020400, 0, 0, 100, 0, 6, 0xffffffff, 0xffffffff, 0xffffffff, 0, 0,
		6, 0x40030403, 0, 0, 100, 0, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0, 0,
		30, 2, 5, 24, 6, 0xffffffff, 'A' | 'B'<<16, 0,
		'S' | 'e'<<16, 't',
	} {
		want = append(want, u32(w)...)
	}
	got, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestRegistrationRoundTrip(t *testing.T) {
	for _, b := range [][]byte{smallSet(t), register(t), register(t, counter(0, 0, "Ω"))} {
		r, err := perflib2.ParseRegistration(b, perflib2.Options{Mode: perfdump.Strict})
		require.NoError(t, err)
		again, err := r.Tree().AppendBinary([]byte("x"))
		require.NoError(t, err)
		require.Equal(t, append([]byte("x"), b...), again)
		again, err = r.AppendBinary(nil)
		require.NoError(t, err)
		require.Equal(t, b, again)
		formattest.Tile(t, r.Spans(), 0, int64(len(b)))
		formattest.Stops(t, r.Spans())
	}
	formattest.Stops(t, formattest.Firsts(parseRegistration(t, smallSet(t)).Counters()))
}

func TestRegistrationTruncation(t *testing.T) {
	b := smallSet(t)
	for n := range b {
		cut := b[:n:n]
		_, err := perflib2.ParseRegistration(cut, perflib2.Options{})
		require.True(t, n == 0 && errors.Is(err, perfdump.ErrEmpty) || errors.Is(err, perfdump.ErrTruncated), "cut at %d: %v", n, err)
		r, err := perflib2.ParseRegistration(cut, perflib2.Options{Mode: perfdump.Salvage})
		if n < 48 {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		require.NotEmpty(t, r.Faults())
		require.Equal(t, min(3, (n-48)/48), r.Len(), "cut at %d", n)
		formattest.Cover(t, r.Spans(), 0, int64(n))
	}
}

// TestRegistrationCounts: counts and sizes that the bytes do not back.
func TestRegistrationCounts(t *testing.T) {
	b := smallSet(t)
	for off, want := range map[int]string{
		0:    "TotalSize: 0xffffffff is past the 0x120 bytes present; the input is cut short (offset 0x0)",
		4:    "RegistrationSize: 0xffffffff is past the 0x110 bytes that are left (offset 0x4)",
		8:    "TextsSize: 0xffffffff is past the 0x60 bytes that are left (offset 0x8)",
		12:   "NameSize: 0xffffffff is past the 0x18 bytes that are left (offset 0xc)",
		0x28: "CounterSet.NumCounters: 4294967295 counters do not fit 0x90 bytes (offset 0x28)",
		0xc0: "Texts.Size: 0xffffffff is past the 0x48 bytes of the texts (offset 0xc0)",
		0xc4: "Texts.NumTexts: 4294967295 entries do not fit 0x3e bytes (offset 0xc4)",
	} {
		bad := patched(b, off, 0xffffffff)
		_, err := perflib2.ParseRegistration(bad, perflib2.Options{})
		require.EqualError(t, err, want)
		r, err := perflib2.ParseRegistration(bad, perflib2.Options{Mode: perfdump.Salvage})
		require.NoError(t, err)
		formattest.Cover(t, r.Spans(), 0, int64(len(b)))
	}
}

// TestTextsThatShareBytes: texts may overlap, but not come to more than the
// limit.
func TestTextsThatShareBytes(t *testing.T) {
	const n = 400
	var counters []perflib2.TreeCounter
	for i := range uint32(n) {
		counters = append(counters, counter(i, 0, "x"))
	}
	counters[n-1].Name = strings.Repeat("long", 1000)
	b := register(t, counters...)
	r := parseRegistration(t, b)
	texts := 16 + int(r.RegistrationSize)
	at := le.Uint32(b[texts+8+8*(n-1)+4:])
	for i := range n - 1 {
		le.PutUint32(b[texts+8+8*i+4:], at+uint32(i%2)*2)
	}
	_, err := perflib2.ParseRegistration(b, perflib2.Options{})
	require.EqualError(t, err, "text[8].Offset: texts that share bytes come to more than the limit of 65536 (offset 0x4b7c)")
	r, err = perflib2.ParseRegistration(b, perflib2.Options{Limits: perfdump.Limits{Values: 1 << 30}})
	require.NoError(t, err)
	require.Equal(t, "onglonglong", r.Counter(1).Name()[:11])
	formattest.Cover(t, r.Spans(), 0, int64(len(b)))
}

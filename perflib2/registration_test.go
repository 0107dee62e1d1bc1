package perflib2_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
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
	for i, c := range r.Counters() {
		require.Equal(t, []string{"% Full", "", "Not for you"}[i], c.Name())
		require.Equal(t, i > 0, c.Hidden())
	}
	require.Equal(t, countertypes.PERF_RAW_BASE, r.Counter(1).Type)
	blk := parse(t, encode(t, counterSet(), perflib2.TreeResult{Type: perflib2.CounterSet, IDs: []uint32{0, 4}}))
	require.True(t, r.Covers(blk.Result(0)))
	require.False(t, r.Covers(blk.Result(1)))
}

// TestRegistrationByHand compares the encoder with bytes that are written down
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
	texts := 16 + int(r.Head().RegistrationSize)
	at := le.Uint32(b[texts+8+8*(n-1)+4:])
	for i := range n - 1 {
		le.PutUint32(b[texts+8+8*i+4:], at+uint32(i%2)*2)
	}
	_, err := perflib2.ParseRegistration(b, perfdump.Options{})
	require.EqualError(t, err, "text[8].Offset: texts that share bytes come to more than the limit of 65536 (offset 0x4b7c)")
	r, err = perflib2.ParseRegistration(b, perfdump.Options{Limits: perfdump.Limits{Values: 1 << 30}})
	require.NoError(t, err)
	require.Equal(t, "onglonglong", r.Counter(1).Name()[:11])
	formattest.Cover(t, r.Spans(), 0, int64(len(b)))
}

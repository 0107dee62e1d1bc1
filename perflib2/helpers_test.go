package perflib2_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perflib2"
)

var le = binary.LittleEndian

func u32(v uint32) []byte { return le.AppendUint32(nil, v) }

func u64(v uint64) []byte { return le.AppendUint64(nil, v) }

// utf16 is s with its NUL.
func utf16(s string) []byte {
	var b []byte
	for _, r := range s + "\x00" {
		b = le.AppendUint16(b, uint16(r))
	}
	return b
}

// header is a sound header: 2021-04-01 12:08:52.778 UTC.
func header() perflib2.DataHeader {
	return perflib2.DataHeader{
		PerfTime: 6618187010636, PerfTime100ns: 132617525327780023, PerfFreq: 10000000,
		SystemTime: [8]uint16{2021, 4, 4, 1, 12, 8, 52, 778},
	}
}

func encode(t testing.TB, results ...perflib2.TreeResult) []byte {
	t.Helper()
	b, err := (&perflib2.Tree{DataHeader: header(), Results: results}).AppendBinary(nil)
	require.NoError(t, err)
	return b
}

func parse(t testing.TB, b []byte) *perflib2.Block {
	t.Helper()
	blk, err := perflib2.Parse(b, perfdump.Options{})
	require.NoError(t, err)
	return blk
}

// counterSet has two instances of one name and id, and values of all sizes.
func counterSet() perflib2.TreeResult {
	return perflib2.TreeResult{Type: perflib2.CounterSet, IDs: []uint32{0, 3, 7}, Instances: []perflib2.TreeInstance{
		{Name: "_Total", ID: 2, Values: [][]byte{u64(1 << 40), u32(7), utf16("busy")}},
		{Name: "Ω,0", ID: 0, Values: [][]byte{u64(5), u32(6), {}}},
		{Name: "_Total", ID: 2, Values: [][]byte{u64(8), u32(9), {1, 2, 3}}},
	}}
}

// samples are a block of each type, and one of all.
func samples(t testing.TB) map[string][]byte {
	single := perflib2.TreeResult{Type: perflib2.SingleCounter, Instances: []perflib2.TreeInstance{{Values: [][]byte{u32(17)}}}}
	several := perflib2.TreeResult{Type: perflib2.MultiCounters, IDs: []uint32{1, 2}, Instances: []perflib2.TreeInstance{{Values: [][]byte{u64(18), utf16("text")}}}}
	instances := perflib2.TreeResult{Type: perflib2.MultiInstance, Instances: []perflib2.TreeInstance{
		{Name: "C:", ID: 1, Values: [][]byte{u64(19)}},
		{Name: "", ID: 4, Values: [][]byte{u32(20)}},
	}}
	failed := perflib2.TreeResult{Type: perflib2.ErrorResult, Status: 0xE8}
	return map[string][]byte{
		"empty":           encode(t),
		"error":           encode(t, failed),
		"single-counter":  encode(t, single),
		"multi-counters":  encode(t, several),
		"multi-instance":  encode(t, instances),
		"counter-set":     encode(t, counterSet()),
		"no-instances":    encode(t, perflib2.TreeResult{Type: perflib2.CounterSet, IDs: []uint32{5, 6, 7}}),
		"several-headers": encode(t, single, failed, several, instances, counterSet(), failed),
	}
}

// counter is a counter without anything that it depends on.
func counter(id uint32, typ countertypes.Type, name string) perflib2.TreeCounter {
	return perflib2.TreeCounter{CounterInfo: perflib2.CounterInfo{
		ID: id, Type: typ, DetailLevel: 100,
		BaseID: perflib2.NoID, PerfTimeID: perflib2.NoID, PerfFreqID: perflib2.NoID, MultiID: perflib2.NoID,
	}, Name: name}
}

func based(c perflib2.TreeCounter, base uint32) perflib2.TreeCounter {
	c.BaseID = base
	return c
}

func registrationTree(counters ...perflib2.TreeCounter) *perflib2.RegistrationTree {
	return &perflib2.RegistrationTree{
		CounterSetInfo: perflib2.CounterSetInfo{
			GUID:        [16]uint8{0xbd, 0xb4, 0x9f, 0x38, 0x26, 0x12, 0x49, 0x51, 0x9f, 0x3e, 0x69, 0x5b, 0x2e, 0x67, 0x4d, 0x42},
			DetailLevel: 100, InstanceType: perflib2.MultipleInstances,
		},
		Name: "Fantasy Set", Counters: counters,
	}
}

func register(t testing.TB, counters ...perflib2.TreeCounter) []byte {
	t.Helper()
	b, err := registrationTree(counters...).AppendBinary(nil)
	require.NoError(t, err)
	return b
}

func parseRegistration(t testing.TB, b []byte) *perflib2.Registration {
	t.Helper()
	r, err := perflib2.ParseRegistration(b, perfdump.Options{})
	require.NoError(t, err)
	return r
}

// smallSet has a counter with a base, and one that is not displayed.
func smallSet(t testing.TB) []byte {
	notDisplayed := counter(7, countertypes.PERF_COUNTER_RAWCOUNT, "Not for you")
	notDisplayed.Attrib = 2
	return register(t, based(counter(0, countertypes.PERF_RAW_FRACTION, "% Full"), 3), counter(3, countertypes.PERF_RAW_BASE, ""), notDisplayed)
}

func patched(b []byte, off int, v uint32) []byte {
	b = append([]byte{}, b...)
	le.PutUint32(b[off:], v)
	return b
}

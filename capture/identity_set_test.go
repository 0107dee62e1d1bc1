package capture_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perflib2"
)

// member is an instance of a version 2 counter set: it has used so much processor
// time. A pid of 0 is not known.
type member struct {
	name string
	id   uint32
	cpu  uint64
	pid  uint64
}

// sets is a log of a set, with Process ID where pids is true.
func sets(t testing.TB, pids bool, records ...[]member) *detect.Input {
	none := perflib2.CounterInfo{BaseID: perflib2.NoID, PerfTimeID: perflib2.NoID, PerfFreqID: perflib2.NoID, MultiID: perflib2.NoID}
	tree := perflib2.RegistrationTree{Name: "Set", CounterSetInfo: perflib2.CounterSetInfo{InstanceType: 2}}
	ids := []uint32{1}
	cpu := none
	cpu.ID, cpu.Type = 1, countertypes.PERF_100NSEC_TIMER
	tree.Counters = append(tree.Counters, perflib2.TreeCounter{CounterInfo: cpu, Name: "CPU"})
	if pids {
		ids = append(ids, 2)
		pid := none
		pid.ID, pid.Type = 2, countertypes.PERF_COUNTER_LARGE_RAWCOUNT
		tree.Counters = append(tree.Counters, perflib2.TreeCounter{CounterInfo: pid, Name: "Process ID"})
	}
	registration, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	w := blg.NewWriter(blg.WriterOptions{})
	w.Items(identityStart-10, blg.NewItem{Path: pdhpath.Path{Machine: "M", Object: "Set", Instance: "*", HasInstance: true, Counter: "*"}, Set: true})
	w.Registration(identityStart-5, registration)
	for i, members := range records {
		local := identityStart + int64(i)*10_000_000
		result := perflib2.TreeResult{Type: perflib2.CounterSet, IDs: ids}
		for _, m := range members {
			in := perflib2.TreeInstance{Name: m.name, ID: m.id, Values: [][]byte{binary.LittleEndian.AppendUint64(nil, m.cpu)}}
			if pids {
				in.Values = append(in.Values, binary.LittleEndian.AppendUint64(nil, m.pid))
			}
			result.Instances = append(result.Instances, in)
		}
		body, err := (&perflib2.Tree{DataHeader: perflib2.DataHeader{PerfTime: int64(i), PerfTime100ns: local, PerfFreq: 1}, Results: []perflib2.TreeResult{result}}).AppendBinary(nil)
		require.NoError(t, err)
		w.Sample(local, blg.NewSeries{Kind: blg.CounterSet, Body: body})
	}
	return written(t, "sets.blg", w)
}

// The id of an instance says who it is, and Process ID where the set has it.
func TestInstancesOfSets(t *testing.T) {
	moved := [][]member{
		{{"a", 0, 9_000_000, 4}, {"a", 1, 1_000_000, 8}, {"b", 2, 0, 12}},
		{{"a", 1, 5_000_000, 8}, {"b", 3, 2_500_000, 12}},
	}
	for _, raw := range []bool{false, true} {
		require.Equal(t, []string{"a instance-changed", "b instance-changed"}, shown(t, capture.CookOptions{Raw: raw}, "CPU", sets(t, false, moved...)))
		require.Equal(t, []string{"a negative-delta", "b 25"}, shown(t, capture.CookOptions{Raw: raw, Pairing: capture.PairName}, "CPU", sets(t, false, moved...)))
		// b is the same process, whatever its id.
		require.Equal(t, []string{"a instance-changed", "b 25"}, shown(t, capture.CookOptions{Raw: raw}, "CPU", sets(t, true, moved...)))
		require.Equal(t, []string{"a:8 40", "b:12 25"}, shown(t, capture.CookOptions{Raw: raw, ByPID: true}, "CPU", sets(t, true, moved...)))
	}
	require.Equal(t, []string{"a 8", "b 12"}, shown(t, capture.CookOptions{}, "Process ID", sets(t, true, moved...)))
	require.Equal(t, []string{"a instance-changed", "b instance-changed"}, shown(t, capture.CookOptions{ByPID: true}, "CPU", sets(t, false, moved...)), "the id is no process ID")
	// Windows itself calls the instances of Process V2 by their process IDs.
	require.Equal(t, []string{"a:8 10"}, shown(t, capture.CookOptions{ByPID: true}, "CPU", sets(t, true, []member{{"a:8", 0, 0, 8}}, []member{{"a:8", 0, 1_000_000, 8}})))
}

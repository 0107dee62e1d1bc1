package blg_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perflib2"
)

// TestWrittenLogsReadBack makes logs of both bitnesses, of buffers from the
// smallest on, with events of one part and of many. testdata/written.txt has what
// one holds, which is what the builders say.
func TestWrittenLogsReadBack(t *testing.T) {
	for _, s := range []shape{
		{records: 3, instances: 1},
		{bits32: true, records: 5, instances: 400},
		{size: 0x400, records: 7, instances: 30},
		{size: 0x4400, bits32: true, records: 40, instances: 300},
		{size: 0x1000000, records: 3, instances: 3000},
	} {
		b := s.bytes(t)
		f := openWith(t, b, strictly)
		r := streamed(t, b)
		text := dump(t, f.Records())
		require.Equal(t, text, dump(t, r.Records()))
		require.Empty(t, r.Anomalies().Kept())
		require.Equal(t, f.Titles(), r.Titles())
		require.EqualValues(t, s.records, f.NumRecords())
		h := f.Header()
		require.Equal(t, map[bool]int{true: 32, false: 64}[s.bits32], h.Bits)
		for i, it := range sampleItems() {
			require.Equal(t, it.Path, f.Items()[i].Path)
		}
		i := int64(0)
		for rec, err := range f.Records() {
			require.NoError(t, err)
			require.Equal(t, block(t, noon+i*second, 2*hour, s.instances), rec.Series(2).BlockBytes())
			i++
		}
		if s.instances == 1 {
			text += fmt.Sprintln(h.LoggerName, h.FileName)
			for _, m := range f.Titles() {
				text += fmt.Sprintln(m.Machine, maps.Collect(m.Table.All()))
			}
			golden.File(t, "testdata/written.txt", []byte(text))
		}
	}
}

// TestTitlesOfSeveralRecords: each record of titles holds whole pairs and the
// next one of the machine goes on; the last name of each may end with the data.
func TestTitlesOfSeveralRecords(t *testing.T) {
	f := open(t, written(t, blgwriter.Options{}, func(w *blgwriter.Writer) {
		w.Titles(noon, `\\TWO`)
		w.Titles(noon, `\\ONE`, "1", "1847", "4", "Memory")
		w.Titles(noon, `\\ONE`)
		w.Event(0x24, noon, wire.EncodeUTF16(nil, "\\\\ONE\x006\x00% Processor Time"))
		w.Titles(noon, `\\one`, "24", "Available Bytes")
		w.Titles(noon, `\\ONE`, "28", "Page Faults/sec")
		w.Items(noon, sampleItems()...)
	}))
	require.Len(t, f.Titles(), 2)
	for _, m := range f.Titles() {
		if m.Machine != `\\ONE` {
			require.Zero(t, m.Table.Len())
			continue
		}
		require.Equal(t, map[uint32]string{
			4: "Memory", 6: "% Processor Time", 24: "Available Bytes", 28: "Page Faults/sec",
		}, maps.Collect(m.Table.All()))
		require.Empty(t, m.Table.Anomalies().Kept())
	}
}

// TestOneInstance: a series of all instances may have one, or none.
func TestOneInstance(t *testing.T) {
	for n := range 3 {
		values := []blgwriter.Value{{Name: "x", First: 7, Second: 9, Multi: 2}, {Name: "y", First: 8, Second: 10, Multi: 3}}[:n]
		series := sampleSeries(t, noon, 1)
		series[1].Values = values
		rec, err := next(streamed(t, written(t, blgwriter.Options{}, func(w *blgwriter.Writer) {
			w.Items(noon-10, sampleItems()...)
			w.Sample(noon, series...)
		})))
		require.NoError(t, err)
		got := []blgwriter.Value{}
		for _, v := range rec.Series(1).Values() {
			got = append(got, blgwriter.Value{Name: v.Name(), First: v.Sample.First, Second: v.Sample.Second, Multi: v.Sample.Multi})
		}
		require.Equal(t, values, got)
	}
}

// counter is one of a set, whose base is none where base is NoID.
func counter(id uint32, name string, typ countertypes.Type, base uint32) perflib2.TreeCounter {
	return perflib2.TreeCounter{Name: name, CounterInfo: perflib2.CounterInfo{
		ID: id, Type: typ, DetailLevel: 100, BaseID: base, PerfTimeID: perflib2.NoID, PerfFreqID: perflib2.NoID, MultiID: perflib2.NoID,
	}}
}

func encodeSet(t testing.TB, tree interface{ AppendBinary([]byte) ([]byte, error) }) []byte {
	t.Helper()
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	return b
}

// setRegistration is the registration of the set that setBody is of.
func setRegistration(t testing.TB, name string) []byte {
	r := perflib2.RegistrationTree{Name: name, Counters: []perflib2.TreeCounter{
		counter(1, "Share", countertypes.PERF_AVERAGE_BULK, 2), counter(2, "", countertypes.PERF_AVERAGE_BASE, perflib2.NoID),
	}}
	r.Counters[0].DetailLevel, r.Counters[1].DetailLevel, r.InstanceType = 0, 0, perflib2.MultipleInstances
	return encodeSet(t, &r)
}

func setBody(t testing.TB, n int64, instances ...string) []byte {
	tree := perflib2.Tree{Results: []perflib2.TreeResult{{Type: perflib2.CounterSet, IDs: []uint32{1, 2}}}}
	tree.PerfTime, tree.PerfTime100ns, tree.PerfFreq = n, noon+n, 1e7
	tree.SystemTime = [8]uint16{2020, 6, 1, 15, 12, 0, 0, 0}
	for i, name := range instances {
		tree.Results[0].Instances = append(tree.Results[0].Instances, perflib2.TreeInstance{Name: name, ID: uint32(i), Values: [][]byte{{byte(n), 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0}}})
	}
	return encodeSet(t, &tree)
}

// setLog makes a log of a set and a single value, the lists behind the samples
// or before them. parts makes its events so long that they come in parts.
func setLog(t testing.TB, before, parts bool) []byte {
	t.Helper()
	o := closed()
	o.BufferSize, o.Header.EndTime = 0x4000, noon+hour
	return written(t, o, func(w *blgwriter.Writer) {
		lists := func(at int64) {
			w.Registration(at, setRegistration(t, "Engine"))
			w.Items(at,
				blgwriter.Item{Path: pdhpath.Path{Machine: "ONE", Object: "System", Counter: "Threads"}, Type: countertypes.PERF_COUNTER_RAWCOUNT},
				blgwriter.Item{Path: pdhpath.Path{Machine: "ONE", Object: "engine", Instance: "*", HasInstance: true, Counter: "*"}, Type: 0x10, Set: true})
		}
		if before {
			lists(noon - 10)
		}
		instances := []string{"a", "b"}
		if parts {
			instances = slices.Repeat([]string{strings.Repeat("x", 1000)}, 10)
		}
		for i := range int64(3) {
			at := noon + i*second
			w.Sample(at, single(at, uint64(i), 0), blgwriter.Series{Kind: blg.CounterSet, Body: setBody(t, i, instances...)})
		}
		if !before {
			lists(noon + 2*second + 20)
		}
	})
}

func TestCounterSets(t *testing.T) {
	for which := range 4 {
		before, parts := which&1 != 0, which&2 != 0
		b := setLog(t, before, parts)
		f := openWith(t, b, strictly)
		assert.Equal(t, before, f.InOrder())
		require.Len(t, f.Registrations(), 1)
		items := f.Items()
		require.Len(t, items, 2)
		assert.Equal(t, blg.Single, items[0].Kind)
		assert.Equal(t, blg.CounterSet, items[1].Kind)
		assert.Same(t, f.Registrations()[0], f.Registration(&items[1]))
		assert.Nil(t, f.Registration(&items[0]))
		n := int64(0)
		for rec, err := range f.Records() {
			require.NoError(t, err)
			s := rec.Series(1)
			require.Equal(t, blg.CounterSet, s.Kind)
			assert.Zero(t, s.Len())
			assert.Equal(t, 1, s.Position())
			block, err := s.SetBlock()
			require.NoError(t, err)
			assert.Equal(t, n, block.PerfTime)
			assert.Equal(t, s.BlockBytes(), block.Bytes())
			assert.Equal(t, s.BlockBytes()[48], b[s.FileOffset(48)])
			assert.Equal(t, "Engine", s.Registration(block).Name())
			_, err = rec.Series(0).SetBlock()
			require.Error(t, err)
			_, err = s.Block()
			require.Error(t, err)
			n++
		}
		assert.Equal(t, int64(3), n)
		_, fields := checkSpans(t, b)
		for _, field := range []string{"PerfTime100ns", "Name", "Data", "CounterID", "RegistrationSize", "Text", "BaseID"} {
			assert.Positive(t, fields[field], "%s, before %v, parts %v", field, before, parts)
		}
	}
}

// TestCounterSetsDamaged: what is wrong with sets is reported at its place, each
// thing once.
func TestCounterSetsDamaged(t *testing.T) {
	good := setLog(t, false, false)
	at := bytes.Index(good, setRegistration(t, "Engine"))
	for _, c := range []struct {
		at    int
		to    byte
		code  perfdump.Code
		place bool
		lost  int64
	}{
		{at + 4, 0xFF, "registration", false, 1},
		{at + 16 + 28, 3, "instance-type", true, 0},
		{bytes.Index(good, []byte("E\x00n\x00g\x00")), 'A', blg.CodeNoRegistration, false, 0}, // another set
	} {
		b := bytes.Clone(good)
		b[c.at] = c.to
		f := open(t, b)
		i := slices.Index(codes(f.Anomalies()), c.code)
		require.GreaterOrEqual(t, i, 0, "%s: %v", c.code, f.Anomalies().Kept())
		require.True(t, !c.place || f.Anomalies().Kept()[i].Off == int64(c.at))
		require.Equal(t, c.lost, lostOf(f.Lost(), "registrations"))
	}

	// More than 8 MB of registrations are not kept.
	one := setRegistration(t, strings.Repeat("x", 1<<20))
	f := open(t, written(t, blgwriter.Options{BufferSize: 1 << 20}, func(w *blgwriter.Writer) {
		w.Sample(noon, blgwriter.Series{Kind: blg.CounterSet, Body: setBody(t, 1, "a")})
		for i := range int64(6) {
			w.Registration(noon+i+1, one)
		}
	}))
	assert.Len(t, f.Registrations(), 3)
	assert.Equal(t, int64(3), lostOf(f.Lost(), "registrations"))
}

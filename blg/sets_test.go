package blg_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perflib2"
)

// setRegistration is the registration of the set that setBody is of.
func setRegistration(t testing.TB, name string) []byte {
	t.Helper()
	r := perflib2.RegistrationTree{Name: name, Counters: []perflib2.TreeCounter{
		{Name: "Share", CounterInfo: perflib2.CounterInfo{ID: 1, Type: countertypes.PERF_AVERAGE_BULK, BaseID: 2, PerfTimeID: perflib2.NoID, PerfFreqID: perflib2.NoID, MultiID: perflib2.NoID}},
		{CounterInfo: perflib2.CounterInfo{ID: 2, Type: countertypes.PERF_AVERAGE_BASE, BaseID: perflib2.NoID, PerfTimeID: perflib2.NoID, PerfFreqID: perflib2.NoID, MultiID: perflib2.NoID}},
	}}
	r.InstanceType = perflib2.MultipleInstances
	b, err := r.AppendBinary(nil)
	require.NoError(t, err)
	return b
}

func setBody(t testing.TB, n int64, instances ...string) []byte {
	t.Helper()
	tree := perflib2.Tree{Results: []perflib2.TreeResult{{Type: perflib2.CounterSet, IDs: []uint32{1, 2}}}}
	tree.PerfTime, tree.PerfTime100ns, tree.PerfFreq = n, noon+n, 1e7
	tree.SystemTime = [8]uint16{2020, 6, 1, 15, 12, 0, 0, 0}
	for i, name := range instances {
		tree.Results[0].Instances = append(tree.Results[0].Instances, perflib2.TreeInstance{Name: name, ID: uint32(i), Values: [][]byte{{byte(n), 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0}}})
	}
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	return b
}

// setLog makes a log of a set beside a single value, the lists behind the samples
// or before them. parts makes its events so long that they come in parts.
func setLog(t testing.TB, before, parts bool) *blg.Writer {
	t.Helper()
	w := blg.NewWriter(blg.WriterOptions{BufferSize: 0x4000, Header: blg.LogHeader{EndTime: noon + hour}})
	lists := func(at int64) {
		w.Registration(at, setRegistration(t, "Engine"))
		w.Items(at,
			blg.NewItem{Path: pdhpath.Path{Machine: "ONE", Object: "System", Counter: "Threads"}, Type: countertypes.PERF_COUNTER_RAWCOUNT},
			blg.NewItem{Path: pdhpath.Path{Machine: "ONE", Object: "engine", Instance: "*", HasInstance: true, Counter: "*"}, Type: 0x10, Set: true})
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
		w.Sample(at, blg.NewSeries{Kind: blg.Single, Local: at, Values: []blg.NewValue{{Multi: 1, First: uint64(i)}}}, blg.NewSeries{Kind: blg.CounterSet, Body: setBody(t, i, instances...)})
	}
	if !before {
		lists(noon + 2*second + 20)
	}
	return w
}

func logBytes(t testing.TB, w *blg.Writer) []byte {
	t.Helper()
	b, err := w.Bytes()
	require.NoError(t, err)
	return b
}

func openBytes(t testing.TB, b []byte) *blg.File {
	t.Helper()
	f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{})
	require.NoError(t, err)
	return f
}

func TestCounterSets(t *testing.T) {
	for _, before := range []bool{false, true} {
		for _, parts := range []bool{false, true} {
			b := logBytes(t, setLog(t, before, parts))
			f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{Mode: perfdump.Strict})
			require.NoError(t, err)
			assert.Equal(t, before, f.InOrder())
			require.Len(t, f.Registrations(), 1)
			items := f.Items()
			require.Len(t, items, 2)
			assert.Equal(t, blg.Single, items[0].Kind)
			assert.Equal(t, blg.CounterSet, items[1].Kind)
			assert.Equal(t, uint32(0x110), items[1].Flags)
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
}

// What is wrong with sets is told at its place, each thing once.
func TestCounterSetsDamaged(t *testing.T) {
	good := logBytes(t, setLog(t, false, false))
	at := bytes.Index(good, setRegistration(t, "Engine"))
	require.Positive(t, at)
	for name, c := range map[string]struct {
		change func(b []byte)
		code   perfdump.Code
		off    int
		lost   int64
	}{
		"too long":  {func(b []byte) { b[at+4] = 0xFF }, blg.CodeRegistration, at, 1},
		"odd":       {func(b []byte) { b[at+16+28] = 3 }, perflib2.CodeInstanceType, at + 16 + 28, 0},
		"other set": {func(b []byte) { b[bytes.Index(b, []byte("E\x00n\x00g\x00"))] = 'A' }, blg.CodeNoRegistration, 0, 0},
	} {
		b := bytes.Clone(good)
		c.change(b)
		f := openBytes(t, b)
		codes := map[perfdump.Code]int64{}
		for _, a := range f.Anomalies().Kept() {
			codes[a.Code] = a.Off
		}
		off, ok := codes[c.code]
		assert.True(t, ok, "%s: %v", name, codes)
		if c.off > 0 {
			assert.Equal(t, int64(c.off), off, name)
		}
		assert.Equal(t, c.lost, f.Lost()[blg.LostRegistrations], name)
		_, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{Mode: perfdump.Strict})
		require.Error(t, err, name)
	}

	// More than 8 MB of registrations are not kept.
	w := blg.NewWriter(blg.WriterOptions{BufferSize: 1 << 20})
	w.Sample(noon, blg.NewSeries{Kind: blg.CounterSet, Body: setBody(t, 1, "a")})
	one := setRegistration(t, strings.Repeat("x", 1<<20))
	for i := range int64(6) {
		w.Registration(noon+i+1, one)
	}
	f := openBytes(t, logBytes(t, w))
	assert.Len(t, f.Registrations(), 3)
	assert.Equal(t, int64(3), f.Lost()[blg.LostRegistrations])
}

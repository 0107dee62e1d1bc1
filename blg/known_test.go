package blg_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

// corpus returns a real log, which stands beside the checkout.
func corpus(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "shared", "corpus", "blg", name))
	if os.IsNotExist(err) {
		t.Skip("the real logs are not beside the checkout")
	}
	require.NoError(t, err)
	return b
}

const (
	txLog  = "Tx_BasicPerfCounters.blg"
	palLog = "PAL_SampleLog.blg"
	// server2019 has its lists behind the samples, and counter sets.
	server2019 = "jagilber_PerfLog-Short_04011208.blg"
)

func open(t testing.TB, b []byte) *blg.File {
	t.Helper()
	f, err := blg.NewFile(bytes.NewReader(b), int64(len(b)), blg.Options{})
	require.NoError(t, err)
	return f
}

// series is what a test keeps of a series: its samples, by the record.
type series struct {
	name    string
	samples []countertypes.Sample
}

// collect gathers all samples of kinds 1 and 2 by item and instance.
func collect(t testing.TB, f *blg.File) (out []*series) {
	t.Helper()
	byName := map[string]*series{}
	for rec, err := range f.Records() {
		require.NoError(t, err)
		for _, s := range rec.All() {
			for _, v := range s.Values() {
				path := s.Item.Path
				path.Instance, path.Index = v.Name(), v.Occurrence
				name := path.String()
				if byName[name] == nil {
					byName[name] = &series{name: name}
					out = append(out, byName[name])
				}
				byName[name].samples = append(byName[name].samples, v.Sample)
			}
		}
	}
	return out
}

func TestKnownTx(t *testing.T) {
	b := corpus(t, txLog)
	f := open(t, b)
	assert.Empty(t, f.Anomalies().Kept())
	assert.False(t, f.Lost().Any())
	assert.True(t, f.InOrder())
	h := f.Header()
	assert.EqualValues(t, 6, h.Buffers)
	assert.Equal(t, 64, h.Bits())
	assert.EqualValues(t, 480, h.Zone.Bias)
	assert.Equal(t, [2]uint8{6, 2}, [2]uint8{h.MajorVersion, h.MinorVersion})
	assert.EqualValues(t, 601, f.NumRecords())
	assert.Empty(t, f.Titles())
	assert.Nil(t, f.Catalogue())
	assert.Equal(t, time.Date(2013, 2, 19, 18, 50, 17, 844e6, time.UTC), f.Start().LocalTime())
	assert.Equal(t, time.Date(2013, 2, 19, 19, 0, 17, 840e6, time.UTC), f.End().LocalTime())
	assert.Equal(t, blg.OffsetSample, f.Start().Source)
	assert.Equal(t, 8*time.Hour, f.Start().Offset)
	assert.Equal(t, time.Date(2013, 2, 20, 2, 50, 17, 844e6, time.UTC), f.Start().Time())

	var items []string
	for _, it := range f.Items() {
		items = append(items, it.Path.String())
		assert.Equal(t, `\\GEORGIS3`, it.Machine)
	}
	assert.Equal(t, []string{
		`\\GEORGIS3\PhysicalDisk(0 C:)\Avg. Disk Bytes/Read`, `\\GEORGIS3\PhysicalDisk(0 C:)\Avg. Disk Bytes/Write`,
		`\\GEORGIS3\PhysicalDisk(0 C:)\Avg. Disk Queue Length`, `\\GEORGIS3\PhysicalDisk(0 C:)\Avg. Disk Read Queue Length`,
		`\\GEORGIS3\PhysicalDisk(0 C:)\Avg. Disk Write Queue Length`, `\\GEORGIS3\Processor(*)\% Processor Time`,
	}, items)
	for i, want := range []struct {
		typ   countertypes.Type
		base  int64
		scale int32
		kind  blg.SeriesKind
	}{
		{0x40020500, 2725536, -2, blg.Single},
		{0x40020500, 2725536, -2, blg.Single},
		{0x00550500, 1e7, 2, blg.Single},
		{0x00550500, 1e7, 2, blg.Single},
		{0x00550500, 1e7, 2, blg.Single},
		{0x21510500, 1e7, 0, blg.Instances},
	} {
		it := f.Items()[i]
		assert.Equal(t, want.typ, it.CounterType)
		assert.Equal(t, want.base, it.TimeBase)
		assert.Equal(t, want.scale, it.DefaultScale)
		assert.Equal(t, want.kind, it.Kind)
	}

	all := collect(t, f)
	require.Len(t, all, 10)
	raw, cooked, zeroBoth := 0, 0, 0
	var total []float64
	for k, s := range all {
		raw += len(s.samples)
		for i := 1; i < len(s.samples); i++ {
			v, status := countertypes.Cook(&s.samples[i-1], &s.samples[i], nil)
			require.Equal(t, countertypes.StatusOK, status, "%s at %d", s.name, i)
			cooked++
			if k == 9 {
				total = append(total, v)
			}
			if s.samples[i].Type == 0x40020500 && s.samples[i] == s.samples[i-1] {
				zeroBoth++
			}
		}
	}
	assert.Equal(t, 6010, raw)
	assert.Equal(t, 6000, cooked)
	assert.Equal(t, 453, zeroBoth)
	tuple := func(s countertypes.Sample) [2]uint64 { return [2]uint64{s.First, s.Second} }
	assert.Equal(t, [2]uint64{16964053504, 852665}, tuple(all[0].samples[0]))
	assert.Equal(t, [2]uint64{59518247936, 7028975}, tuple(all[1].samples[0]))
	assert.Equal(t, [2]uint64{9295050349000, 130058022178447225}, tuple(all[2].samples[0]))
	last := all[9]
	assert.Equal(t, `\\GEORGIS3\Processor(_Total)\% Processor Time`, last.name)
	assert.Equal(t, [2]uint64{1170374257812, 130058022178447225}, tuple(last.samples[0]))
	assert.Equal(t, [2]uint64{1170383320312, 130058022188447585}, tuple(last.samples[1]))
	assert.Equal(t, [2]uint64{1175682578125, 130058028178407102}, tuple(last.samples[600]))
	assert.Equal(t, []float64{9.378262382554226, 5.865413440457123, 8.204103036507815, 3.128380819509402}, total[:4])
	sum, low, high := 0.0, total[0], total[0]
	for _, v := range total {
		sum, low, high = sum+v, min(low, v), max(high, v)
	}
	assert.InDelta(t, 32.816, total[599], 0.0005)
	assert.InDelta(t, 11.527, sum/600, 0.0005)
	assert.InDelta(t, 1.569, low, 0.0005)
	assert.InDelta(t, 53.908, high, 0.0005)
}

func TestKnownPAL(t *testing.T) {
	b := corpus(t, palLog)
	f := open(t, b)
	assert.Empty(t, f.Anomalies().Kept())
	assert.False(t, f.Lost().Any())
	h := f.Header()
	assert.Equal(t, 32, h.Bits())
	assert.EqualValues(t, 300, h.Zone.Bias)
	assert.EqualValues(t, -60, h.Zone.DaylightBias)
	assert.EqualValues(t, 7, h.Buffers)
	assert.EqualValues(t, 11, f.NumRecords())
	assert.Equal(t, time.Date(2007, 8, 14, 15, 40, 38, 659e6, time.UTC), f.Start().LocalTime())
	assert.Equal(t, time.Date(2007, 8, 14, 15, 50, 38, 599e6, time.UTC), f.End().LocalTime())
	assert.Equal(t, blg.OffsetBlock, f.Start().Source)
	assert.Equal(t, 4*time.Hour, f.Start().Offset)

	require.Len(t, f.Items(), 8)
	tables := f.Titles()
	require.Len(t, tables, 1)
	assert.Equal(t, `\\ZACH-PC`, tables[0].Machine)
	var entries []titles.Entry
	for e := range tables[0].Table.Entries() {
		entries = append(entries, e)
	}
	require.Len(t, entries, 1839)
	assert.EqualValues(t, 1, entries[0].Index)
	assert.Equal(t, "1847", entries[0].Text)
	assert.EqualValues(t, 4658, entries[1838].Index)
	want := []struct {
		name              string
		title             uint32
		counters, nonBase int
	}{
		{"LogicalDisk", 236, 34, 23},
		{"TCPv4", 638, 9, 9},
		{"Memory", 4, 36, 35},
		{"Network Interface", 510, 17, 17},
		{"PhysicalDisk", 234, 31, 21},
		{"Process", 230, 28, 28},
		{"Processor", 238, 15, 15},
		{"System", 2, 18, 17},
	}
	process := []int{51, 51, 50, 51, 51, 51, 52, 50, 50, 50, 49}
	var older []*perfdata.Block
	var total, idle []float64
	blocks, raw, rawFirst, record, back := 0, 0, 0, 0, 0
	series, processSeries := map[string]bool{}, map[string]bool{}
	for rec, err := range f.Records() {
		require.NoError(t, err)
		require.Equal(t, 8, rec.Len())
		assert.Equal(t, 4*time.Hour, rec.Offset)
		var newer []*perfdata.Block
		for i, s := range rec.All() {
			require.Equal(t, blg.Object, s.Kind)
			assert.Equal(t, `\\ZACH-PC`, s.Item.Machine)
			assert.Equal(t, want[i].name, s.Item.Path.Object)
			assert.EqualValues(t, 0x10, s.Item.CounterType)
			view, err := s.Block()
			require.NoError(t, err)
			assert.Empty(t, view.Anomalies().Kept())
			blk := view.Clone()
			newer = append(newer, blk)
			blocks++
			require.Equal(t, 1, blk.NumObjects())
			o := blk.Object(0)
			assert.Equal(t, want[i].title, o.ObjectNameTitleIndex)
			name, _ := tables[0].Table.Lookup(o.ObjectNameTitleIndex)
			assert.Equal(t, want[i].name, name)
			plain := 0
			for j := range o.Counters() {
				if !o.Counter(j).CounterType.IsBase() {
					plain++
				}
			}
			assert.Len(t, o.Counters(), want[i].counters)
			assert.Equal(t, want[i].nonBase, plain)
			if want[i].title == 230 {
				assert.Equal(t, process[record], o.Len())
			}
			if want[i].title == 4 && record == 0 {
				assert.EqualValues(t, 3579545, blk.PerfFreq)
				assert.Equal(t, time.Date(2007, 8, 14, 19, 40, 38, 659e6, time.UTC), perfdata.Filetime(blk.PerfTime100nSec).Truncate(time.Millisecond))
				vals := map[uint64]bool{}
				for _, in := range o.Instances() {
					for _, v := range in.Values() {
						vals[v.Uint] = true
					}
				}
				for _, v := range []uint64{1613340, 83587072, 571310080} {
					assert.True(t, vals[v], v)
				}
			}
			seen := map[string]int{}
			for _, in := range o.Instances() {
				k := seen[in.Name()]
				seen[in.Name()]++
				for j := range o.Counters() {
					if o.Counter(j).CounterType.IsBase() {
						continue
					}
					raw++
					if record == 0 {
						rawFirst++
					}
					key := name + "|" + in.Name() + "#" + string(rune('0'+k)) + "|" + string(rune(j))
					series[key] = true
					if name == "Process" {
						processSeries[key] = true
					}
				}
			}
		}
		if older != nil {
			for i := range newer {
				var s perfdata.Sampler
				s.Reset(older[i], newer[i], nil)
				for s.Next() {
					in := s.Instance().Name()
					if c := s.Object().Counter(s.Counter()); c.CounterNameTitleIndex != 6 {
						continue
					}
					v, status := countertypes.Cook(s.Older(), s.Newer(), nil)
					switch {
					case i == 6 && in == "_Total":
						require.Equal(t, countertypes.StatusOK, status)
						total = append(total, v)
					case i == 5 && in == "Idle":
						require.Equal(t, countertypes.StatusOK, status)
						idle = append(idle, v)
					case i == 5 && in == "_Total" && status == countertypes.StatusNegativeDelta:
						back++
					}
				}
			}
		}
		older = newer
		record++
	}
	assert.Equal(t, 88, blocks)
	assert.Len(t, series, 1832)
	assert.Len(t, processSeries, 1596)
	assert.Equal(t, 18164, raw)
	assert.Equal(t, 1664, rawFirst)
	assert.Equal(t, []float64{
		82.1481131553226, 86.8978575184901, 48.3065072179137, 56.51046450515571, 60.338585294222845,
		31.041742520749892, 29.869868809810974, 19.713629981673687, 32.552157525960055, 24.635499567617146,
	}, total)
	for i := range idle {
		assert.InDelta(t, 100, idle[i]+total[i], 0.6) // the two are sampled a moment apart
	}
	assert.Equal(t, 1, back)

	c := f.Catalogue()
	require.NotNil(t, c)
	assert.EqualValues(t, 11, c.Records)
	assert.EqualValues(t, 8, c.Entries)
	require.Len(t, c.Objects, 8)
	for i, o := range c.Objects {
		assert.Len(t, o.Counters, want[i].counters)
	}
	assert.Len(t, c.Objects[5].Instances, 57)
	assert.Equal(t, f.Start().Local, c.First)
	assert.Equal(t, f.End().Local, c.Last)
}

// TestStreamEqualsFile reads the real logs both ways.
func TestStreamEqualsFile(t *testing.T) {
	for _, name := range []string{txLog, palLog} {
		b := corpus(t, name)
		f := open(t, b)
		r, err := blg.NewReader(bytes.NewReader(b), blg.Options{Mode: perfdump.Strict})
		require.NoError(t, err)
		require.Equal(t, dump(t, f.Records()), dump(t, r.Records()))
		assert.Equal(t, f.Lost(), r.Lost())
		assert.Equal(t, f.Catalogue(), r.Catalogue())
		assert.Equal(t, f.Header(), r.Header())
		assert.Equal(t, f.Items(), r.Items())
	}
}

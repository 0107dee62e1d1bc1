package blg_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/perfdata"
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

// known opens a real log, which is in order and whole, and gives the same as a
// stream. What it holds is what its file in testdata has: the numbers of the
// specification, which were computed by other programs.
func known(t *testing.T, name string) {
	b := corpus(t, name)
	f := openWith(t, b, strictly)
	assert.False(t, f.Lost().Any())
	assert.True(t, f.InOrder())
	r := streamed(t, b)
	require.Equal(t, dump(t, f.Records()), dump(t, r.Records()))
	assert.Equal(t, f.Lost(), r.Lost())
	assert.Equal(t, f.Header(), r.Header())
	assert.Equal(t, f.Items(), r.Items())

	var out strings.Builder
	h := f.Header()
	fmt.Fprintf(&out, "%d bits, Windows %d.%d, %s, %s, %s\n", h.Bits, h.MajorVersion, h.MinorVersion, h.ZoneBias, h.ZoneName(h.ZoneBias), h.ZoneName(h.ZoneBias-time.Hour))
	fmt.Fprintf(&out, "%d records from %s to %s, %s %s\n", f.NumRecords(), stamp(f.Start().Local), stamp(f.End().Local), f.Start().Source, f.Start().Offset)
	for _, m := range f.Titles() {
		entries := slices.Collect(m.Table.Entries())
		fmt.Fprintf(&out, "titles of %s: %d from %v to %v\n", m.Machine, len(entries), entries[0], entries[len(entries)-1])
	}
	for i := range f.Items() {
		it := &f.Items()[i]
		fmt.Fprintf(&out, "%s %s 0x%08x %d %d\n", it.Path, it.Kind, uint32(it.CounterType), it.TimeBase, it.DefaultScale)
		count(t, f, i, &out)
	}
	golden.File(t, "testdata/known-"+strings.TrimSuffix(name, ".blg")+".txt", []byte(out.String()))
}

// count writes what the values of item i come to: of its counters, with the
// objects that it has, how many cook to which status, and their sum.
func count(t *testing.T, f *blg.File, i int, out *strings.Builder) {
	type line struct {
		samples, same int
		cooked        map[countertypes.Status]int
		sum           float64
		first, last   countertypes.Sample
		values        []float64
	}
	lines := map[string]*line{}
	var names []string
	add := func(name string, older, newer *countertypes.Sample) {
		l := lines[name]
		if l == nil {
			l = &line{cooked: map[countertypes.Status]int{}, first: *newer}
			lines[name], names = l, append(names, name)
		}
		l.samples++
		l.last = *newer
		if older == nil {
			return
		}
		v, status := countertypes.Cook(older, newer, nil)
		if l.cooked[status]++; *older == *newer {
			l.same++
		}
		if status == countertypes.StatusOK {
			l.sum += v
			l.values = append(l.values, v)
		}
	}
	var older *perfdata.Block
	var instances []int
	object := ""
	last := map[string]countertypes.Sample{}
	for rec, err := range f.Records() {
		require.NoError(t, err)
		s := rec.Series(i)
		for _, v := range s.Values() {
			var before *countertypes.Sample
			if old, ok := last[v.Name()]; ok {
				before = &old
			}
			add(v.Name(), before, &v.Sample)
			last[v.Name()] = v.Sample
		}
		if s.Kind != blg.Object {
			continue
		}
		view, err := s.Block()
		require.NoError(t, err)
		require.Empty(t, view.Anomalies().Kept())
		blk := view.Clone()
		if older != nil {
			var sampler perfdata.Sampler
			sampler.Reset(older, blk, nil)
			for sampler.Next() {
				add(fmt.Sprint("counter ", sampler.Object().Counter(sampler.Counter()).CounterNameTitleIndex), sampler.Older(), sampler.Newer())
			}
		}
		older = blk
		o := blk.Object(0)
		instances = append(instances, o.Len())
		object = fmt.Sprintf("\tobject %d: %d counters, %v instances\n", o.ObjectNameTitleIndex, len(o.Counters()), instances)
	}
	out.WriteString(object)
	for _, name := range names {
		l := lines[name]
		fmt.Fprintf(out, "\t%s: %d samples, %d the same, %v, sum %.9g", name, l.samples, l.same, l.cooked, l.sum)
		if older == nil {
			fmt.Fprintf(out, ", %d/%d to %d/%d, %.9g to %.9g", l.first.First, l.first.Second, l.last.First, l.last.Second, slices.Min(l.values), slices.Max(l.values))
		}
		out.WriteByte('\n')
	}
}

func TestKnownTx(t *testing.T)  { known(t, txLog) }
func TestKnownPAL(t *testing.T) { known(t, palLog) }

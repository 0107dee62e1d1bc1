package blg_test

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/testkit/blgwriter"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

const (
	second = 10_000_000
	// noon of 2020-06-15, local.
	noon = 132366960000000000
	hour = 3600 * second
)

func ticks(t time.Time) int64 { return t.Unix()*second + 116444736000000000 }

// sampleItems are a single value, all instances of a counter, a whole object,
// and a value of another machine.
func sampleItems() []blgwriter.Item {
	return []blgwriter.Item{
		{Path: pdhpath.Path{Machine: "ONE", Object: "System", Counter: "Context Switches/sec"}, Type: countertypes.PERF_COUNTER_COUNTER, TimeBase: 1e6, Scale: -2},
		{Path: pdhpath.Path{Machine: "ONE", Object: "Processor", Instance: "*", HasInstance: true, Counter: "% Processor Time"}, Type: countertypes.PERF_100NSEC_TIMER_INV, TimeBase: 1e7},
		{Path: pdhpath.Path{Machine: "ONE", Object: "Memory", Counter: "*"}, Type: 0x10},
		{Path: pdhpath.Path{Machine: "TWO", Object: "Process", Instance: "svc", HasInstance: true, Index: 1, Parent: "P", Counter: "Handle Count"}, Type: countertypes.PERF_COUNTER_RAWCOUNT},
	}
}

// block makes a block of perfdata as a log holds it, of a size by its
// instances.
func block(t testing.TB, local, offset int64, instances int) []byte {
	t.Helper()
	tree := perfdata.Tree{SystemName: "ONE"}
	tree.SystemTime = perfdata.NewSystemTime(perfdata.Filetime(local))
	tree.PerfTime, tree.PerfFreq, tree.PerfTime100nSec, tree.DefaultObject = local/10, 1e6, local+offset, 4
	o := perfdata.TreeObject{Counters: []perfdata.CounterDefinition{{CounterNameTitleIndex: 24, CounterType: countertypes.PERF_COUNTER_LARGE_RAWCOUNT, DetailLevel: 100}}}
	o.ObjectNameTitleIndex, o.DetailLevel, o.DefaultCounter, o.PerfFreq = 4, 100, -1, 1e6
	for i := range instances {
		in := perfdata.TreeInstance{Name: fmt.Sprint("i", i), Values: []perfdata.TreeValue{{Kind: perfdata.Uint64, Uint: uint64(local) + uint64(i)}}}
		in.UniqueID = -1
		o.Instances = append(o.Instances, in)
	}
	return encode(t, &tree, o)
}

func encode(t testing.TB, tree *perfdata.Tree, o perfdata.TreeObject) []byte {
	t.Helper()
	tree.Objects = []perfdata.TreeObject{o}
	require.NoError(t, tree.Layout())
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	return b
}

// single is a series of one value.
func single(local int64, first, clock uint64) blgwriter.Series {
	return blgwriter.Series{Kind: blg.Single, Local: local, Values: []blgwriter.Value{{Multi: 1, First: first, Second: clock}}}
}

// sampleSeries are what sampleItems have at a time.
func sampleSeries(t testing.TB, local int64, instances int) []blgwriter.Series {
	n, utc := uint64(local-noon), uint64(local+2*hour)
	return []blgwriter.Series{
		single(local, n, n/10),
		{Kind: blg.Instances, Local: local, Values: []blgwriter.Value{
			{Name: "0", First: n / 2, Second: utc},
			{Name: "ä", First: n / 3, Second: utc},
			{Name: "0", Multi: 4, First: n / 4, Second: utc},
		}},
		{Kind: blg.Object, Body: block(t, local, 2*hour, instances)},
		{Kind: blg.Single, Status: 0x800007D0, Local: local, Values: []blgwriter.Value{{Multi: 1}}},
	}
}

// sample writes what sampleItems have at each of the times.
func sample(t testing.TB, w *blgwriter.Writer, instances int, times ...int64) {
	for _, local := range times {
		w.Sample(local, sampleSeries(t, local, instances)...)
	}
}

// closed are the options of a log of small buffers that was closed.
func closed() blgwriter.Options {
	return blgwriter.Options{BufferSize: 0x1000, Header: etl.LogHeader{EndTime: noon + 3*hour}}
}

// written makes a log of whatever write puts into it.
func written(t testing.TB, o blgwriter.Options, write func(w *blgwriter.Writer)) []byte {
	t.Helper()
	w := blgwriter.New(o)
	write(w)
	b, err := w.Bytes()
	require.NoError(t, err)
	return b
}

// shape is what a log is to be like.
type shape struct {
	size      int // of buffers
	bits32    bool
	records   int
	instances int // of the whole object: about 60 bytes each
}

// bytes makes a log with all kinds of events, a record a second.
func (s shape) bytes(t testing.TB) []byte {
	t.Helper()
	o := closed()
	o.BufferSize, o.Bits32, o.Tail.StartTime = s.size, s.bits32, noon+2*hour
	o.FileName, o.LoggerName = `C:\PerfLogs\a.blg`, "01234567-89ab-cdef-0123-456789abcdef"
	return written(t, o, func(w *blgwriter.Writer) {
		w.Titles(noon-20, `\\ONE`, "1", "1847", "4", "Memory")
		w.Titles(noon-20, `\\TWO`, "1", "1847", "230", "Process")
		w.Titles(noon-20, `\\ONE`, "24", "Available Bytes")
		w.Items(noon-10, sampleItems()...)
		for i := range int64(s.records) {
			sample(t, w, s.instances, noon+i*second)
		}
		last := noon + int64(s.records-1)*second
		w.Catalogue(last+30, &blgwriter.Catalogue{First: noon, Last: last, Records: uint32(s.records), Entries: 2, Objects: sampleCatalogue()})
	})
}

func sampleCatalogue() []blgwriter.CatalogueEntry {
	return []blgwriter.CatalogueEntry{
		{HasInstances: true, Counters: []blgwriter.CatalogueCounter{{Title: 24, Type: 0x10100, TimeBase: 1e6, Scale: -6}, {Title: 26, Type: 0x10400, TimeBase: 1e7, Scale: 0}, {Title: 28, Type: 0x10100, TimeBase: 1e6, Scale: 3}}, Instances: []blgwriter.CatalogueName{{Name: "i0"}, {Name: "i0", Duplicate: 1}}},
		{Counters: []blgwriter.CatalogueCounter{{Title: 6, Type: 0x20510500, TimeBase: 1e7, Scale: 0}}},
	}
}

// permuted returns the log with its buffers, but for the header's, in another
// order.
func permuted(b []byte, stride int, order func(i, n int) int) []byte {
	n := len(b)/stride - 1
	out := bytes.Clone(b[:stride])
	for i := range n {
		k := 1 + order(i, n)
		out = append(out, b[k*stride:(k+1)*stride]...)
	}
	return out
}

var strictly = blg.Options{Options: perfdump.Options{Mode: perfdump.Strict}}

func open(t testing.TB, b []byte) *blg.File { return openWith(t, b, blg.Options{}) }

func openWith(t testing.TB, b []byte, o blg.Options) *blg.File {
	t.Helper()
	f, err := blg.Open(bytes.NewReader(b), int64(len(b)), o)
	require.NoError(t, err)
	return f
}

// streamed starts to read a log as a stream.
func streamed(t testing.TB, b []byte) *blg.Reader {
	t.Helper()
	r, err := blg.NewReader(bytes.NewReader(b), blg.Options{})
	require.NoError(t, err)
	return r
}

// stamps reads all records for their times.
func stamps(t testing.TB, records iter.Seq2[*blg.Record, error]) (all []blg.Stamp) {
	t.Helper()
	for rec, err := range records {
		require.NoError(t, err)
		all = append(all, rec.Stamp)
	}
	return all
}

// locals reads all records of a log for their seconds after noon.
func locals(t testing.TB, f *blg.File) (all []int64) {
	t.Helper()
	for _, s := range stamps(t, f.Records()) {
		all = append(all, (s.Local-noon)/second)
	}
	return all
}

func codes(of *perfdump.Anomalies) (all []perfdump.Code) {
	for _, a := range of.Kept() {
		all = append(all, a.Code)
	}
	return all
}

// dump writes all that records hold.
func dump(t testing.TB, records iter.Seq2[*blg.Record, error]) string {
	t.Helper()
	var b strings.Builder
	for rec, err := range records {
		if err != nil {
			fmt.Fprintf(&b, "error %v\n", err)
			continue
		}
		fmt.Fprintf(&b, "record %s %s %s\n", stamp(rec.Local), rec.Offset, rec.Source)
		for i, s := range rec.All() {
			path := "-"
			if s.Item != nil {
				path = s.Item.Path.String()
			}
			fmt.Fprintf(&b, "  %d %s %s 0x%x %d\n", i, s.Kind, path, s.Status, s.Local)
			for k, v := range s.Values() {
				fmt.Fprintf(&b, "    %d %q#%d %+v\n", k, v.Name(), v.Occurrence, v.Sample)
			}
			if s.Kind == blg.Object {
				blk, err := s.Block()
				if err != nil {
					fmt.Fprintf(&b, "    error %v\n", err)
					continue
				}
				for _, o := range blk.Objects() {
					fmt.Fprintf(&b, "    object %d, %v\n", o.ObjectNameTitleIndex, o.AppendUint64s(nil))
				}
			}
		}
	}
	return b.String()
}

func stamp(local int64) string {
	return blg.Stamp{Local: local}.LocalTime().Format("2006-01-02 15:04:05.000")
}

// next returns the next record of a reader, or io.EOF after the last one.
func next(r *blg.Reader) (*blg.Record, error) {
	for rec, err := range r.Records() {
		return rec, err
	}
	return nil, io.EOF
}

// lostOf returns how many were lost for a reason.
func lostOf(l *blg.Lost, reason string) int64 {
	for r, n := range l.All() {
		if r == reason {
			return n
		}
	}
	return 0
}

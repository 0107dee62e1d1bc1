package capture_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/perflib2"
)

// A generator of logs of version 2 counter sets, of the shapes that no log of
// Windows that we have shows.

const (
	setStart = 132366960000000000 // noon of 2020-06-15
	setFreq  = 1000               // ticks a second of the performance counter
)

// counter makes the registration of a counter, without a base. change may be nil.
func counter(id uint32, name string, typ countertypes.Type, change func(*perflib2.TreeCounter)) perflib2.TreeCounter {
	c := perflib2.TreeCounter{Name: name}
	c.ID, c.Type, c.DetailLevel = id, typ, 100
	c.BaseID, c.PerfTimeID, c.PerfFreqID, c.MultiID = perflib2.NoID, perflib2.NoID, perflib2.NoID, perflib2.NoID
	if change != nil {
		change(&c)
	}
	return c
}

func based(id uint32) func(*perflib2.TreeCounter) {
	return func(c *perflib2.TreeCounter) { c.BaseID = id }
}

func registration(t testing.TB, name string, instances perflib2.InstanceType, counters ...perflib2.TreeCounter) []byte {
	t.Helper()
	r := perflib2.RegistrationTree{Name: name, Counters: counters}
	r.InstanceType, r.DetailLevel = instances, 100
	b, err := r.AppendBinary(nil)
	require.NoError(t, err)
	return b
}

// setBlock makes the block of a set, seconds after the start.
func setBlock(t testing.TB, seconds int64, results ...perflib2.TreeResult) blg.NewSeries {
	t.Helper()
	tree := perflib2.Tree{Results: results}
	at := int64(setStart) + seconds*10_000_000
	tree.PerfTime, tree.PerfTime100ns, tree.PerfFreq = setFreq*(100+seconds), at, setFreq
	tree.SystemTime = perfdata.NewSystemTime(perfdata.Filetime(at))
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	return blg.NewSeries{Kind: blg.CounterSet, Body: b}
}

func u64(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

func u32(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }

func textOf(s string) []byte { return append(wire.EncodeUTF16(nil, s), 0, 0) }

func instance(name string, id uint32, values ...[]byte) perflib2.TreeInstance {
	return perflib2.TreeInstance{Name: name, ID: id, Values: values}
}

func setItem(machine, name string) blg.NewItem {
	return blg.NewItem{Path: pdhpath.Path{Machine: machine, Object: name, Instance: "*", HasInstance: true, Counter: "*"}, Type: 0x10, Set: true}
}

// setLog is a log of sets, a sample a second.
type setLog struct {
	items         []blg.NewItem // none where the log was cut off before them
	registrations [][]byte
	before        bool // the lists stand before the samples
	samples       [][]blg.NewSeries
}

func (l setLog) bytes(t testing.TB) []byte {
	t.Helper()
	w := blg.NewWriter(blg.WriterOptions{Header: blg.LogHeader{EndTime: setStart + 1e9}, Zone: blg.TimeZone{}})
	lists := func(at int64) {
		for _, r := range l.registrations {
			w.Registration(at, r)
		}
		if l.items != nil {
			w.Items(at, l.items...)
		}
	}
	if l.before {
		lists(setStart - 20)
	}
	for i, s := range l.samples {
		w.Sample(setStart+int64(i)*10_000_000, s...)
	}
	if !l.before {
		lists(setStart + int64(len(l.samples))*10_000_000 + 20)
	}
	b, err := w.Bytes()
	require.NoError(t, err)
	return b
}

func logInput(name string, b []byte) *detect.Input {
	return &detect.Input{Name: name, Format: detect.BLG, At: detect.NewFile(name, detect.BLG, bytes.NewReader(b), int64(len(b)))}
}

// cookedLog returns the values of a log by record and path: a number, or the status
// where there is none.
func cookedLog(t testing.TB, b []byte, o capture.Options) []string {
	t.Helper()
	var all []string
	for f, err := range record(t, o, capture.CookOptions{Texts: true, Raw: true}, logInput("x.blg", b)).Frames() {
		require.NoError(t, err)
		for i, c := range f.Cells {
			text := c.Status.String()
			switch {
			case c.Status == countertypes.StatusOK:
				text = fmt.Sprint(c.Value)
			case c.PDH != 0:
				text += fmt.Sprintf(" 0x%x", c.PDH)
			case c.Status == countertypes.StatusText:
				text = fmt.Sprintf("%q", f.Texts[c.Series])
			}
			require.True(t, c.Status == countertypes.StatusOK || c.Value == 0)
			require.Zero(t, c.Series.ObjectIndex)
			require.Zero(t, c.Series.CounterIndex)
			_ = f.Tuple(i)
			all = append(all, fmt.Sprintf("%d %s = %s", f.Record, c.Series.Path(), text))
		}
	}
	return all
}

// rawRows returns the raw values of a log by record and path.
func rawRows(t testing.TB, b []byte, o capture.Options) []string {
	t.Helper()
	l, err := capture.OpenLog(logInput("x.blg", b), o)
	require.NoError(t, err)
	var all []string
	for rec, err := range l.Records() {
		require.NoError(t, err)
		for row := range rec.Rows(func(err error) { all = append(all, "error "+err.Error()) }) {
			require.Zero(t, row.ObjectIndex)
			require.Zero(t, row.CounterIndex)
			path := pdhpath.Path{Machine: row.Host, Object: row.Object, Instance: row.Instance, Index: row.InstanceIndex, HasInstance: row.HasInstance, Counter: row.Counter}
			text := fmt.Sprintf("%d %d %d /%d", row.First, row.Second, row.Multi, row.TimeBase)
			switch {
			case row.HasText:
				text = fmt.Sprintf("%q", row.Text)
			case row.NoType:
				text = fmt.Sprintf("%d ?", row.First)
			case row.NoFirst:
				text = fmt.Sprintf("none 0x%x", row.PDH)
			}
			all = append(all, fmt.Sprintf("%d %s = %s", row.Record, path.String(), text))
		}
	}
	return all
}

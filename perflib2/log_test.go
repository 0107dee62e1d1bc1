package perflib2_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/perflib2"
)

// events returns the data of the events of a type in a log, joined from their
// parts.
func events(t *testing.T, name string, typ byte) [][]byte {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "corpus", "blg", name)
	log, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the log %s is not there: %v", path, err)
	}
	var all [][]byte
	stride := int(le.Uint32(log))
	for ; len(log) > 0; log = log[min(stride, len(log)):] {
		buf := log[:le.Uint32(log[0x30:])]
		for at := 0x48; at < len(buf); {
			size := int(le.Uint16(buf[at:]))
			if kind := buf[at+2]; kind == 1 || kind == 2 {
				size = int(le.Uint16(buf[at+4:]))
			} else if buf[at+4] == typ {
				data := buf[at+0x48 : at+size]
				if le.Uint32(buf[at+0x40:]) == 1 {
					all = append(all, nil)
				}
				last := &all[len(all)-1]
				*last = append(*last, data...)
			}
			at += (size + 7) &^ 7
		}
	}
	return all
}

const serverLog = "jagilber_PerfLog-Short_04011208.blg"

// logBlocks returns the blocks of each sample.
func logBlocks(t *testing.T) [][][]byte {
	t.Helper()
	var all [][][]byte
	for _, sample := range events(t, serverLog, 0x22) {
		var blocks [][]byte
		for at := 8; at < len(sample); {
			size := int(le.Uint32(sample[at+4:]))
			if sample[at+3] == 0x15 {
				blocks = append(blocks, sample[at+8:at+size])
			}
			at += size
		}
		all = append(all, blocks)
	}
	return all
}

// TestRealBlocks: the blocks of a log of Windows Server 2019 are in order,
// byte for byte what the encoder writes.
func TestRealBlocks(t *testing.T) {
	samples := logBlocks(t)
	require.Len(t, samples, 44)
	for _, blocks := range samples {
		require.Len(t, blocks, 2)
		for _, b := range blocks {
			blk, err := perflib2.Parse(b, perfdump.Options{Mode: perfdump.Strict})
			require.NoError(t, err)
			again, err := blk.Tree().AppendBinary(nil)
			require.NoError(t, err)
			require.Equal(t, b, again)
			formattest.Tile(t, blk.Spans(), 0, int64(len(b)))
			require.Equal(t, 1, blk.Len())
		}
		netlogon, processor := parse(t, blocks[0]).Result(0), parse(t, blocks[1]).Result(0)
		require.Equal(t, perflib2.ErrorResult, netlogon.Type)
		require.EqualValues(t, 0xE8, netlogon.Status)

		require.Len(t, blocks[1], 48+16+144+2208)
		require.Equal(t, perflib2.CounterSet, processor.Type)
		require.Equal(t, 33, processor.NumCounters())
		ids := map[string]uint32{}
		for _, in := range processor.Instances() {
			ids[in.Name()] = in.ID
		}
		require.Equal(t, map[string]uint32{"0,0": 0, "0,1": 1, "0,_Total": 2, "_Total": 3}, ids)
	}
}

// TestRealRegistrations: so are its registrations.
func TestRealRegistrations(t *testing.T) {
	all := events(t, serverLog, 0x26)
	require.Len(t, all, 2)
	for i, want := range []struct {
		name                  string
		size, counters, shown int
		head                  perflib2.RegistrationHeader
	}{
		{"Netlogon", 888, 8, 6, perflib2.RegistrationHeader{TotalSize: 16 + 416 + 432 + 24, RegistrationSize: 416, TextsSize: 432, NameSize: 18}},
		{"Processor Information", 2912, 33, 28, perflib2.RegistrationHeader{TotalSize: 16 + 1616 + 1232 + 48, RegistrationSize: 1616, TextsSize: 1232, NameSize: 44}},
	} {
		b := all[i]
		require.Len(t, b, want.size)
		r, err := perflib2.ParseRegistration(b, perfdump.Options{Mode: perfdump.Strict})
		require.NoError(t, err)
		require.Equal(t, want.head, r.Head())
		require.Equal(t, want.name, r.Name())
		require.Equal(t, want.counters, r.Len())
		shown := 0
		for _, c := range r.Counters() {
			if !c.Hidden() {
				shown++
			}
		}
		require.Equal(t, want.shown, shown)
		again, err := r.Tree().AppendBinary(nil)
		require.NoError(t, err)
		require.Equal(t, b, again)
		formattest.Tile(t, r.Spans(), 0, int64(len(b)))
	}
}

// TestRealValues cooks a counter of the log as its V1 counterpart, which is
// logged beside it, comes out where both were read at the same tick.
func TestRealValues(t *testing.T) {
	samples := logBlocks(t)
	r := parseRegistration(t, events(t, serverLog, 0x26)[1])
	raw := func(record int) map[string]countertypes.Sample {
		res := parse(t, samples[record][1]).Result(0)
		var s perflib2.Sampler
		s.Reset(r, res, nil)
		out := map[string]countertypes.Sample{}
		for _, in := range res.Instances() {
			values := in.AppendValues(nil)
			for j := range s.Len() {
				if s.Counter(j).Name() == "% Processor Time" {
					out[in.Name()] = s.Sample(values, j)
				}
			}
		}
		return out
	}
	want := []map[string]float64{
		{"0,0": 1.5796185850074473, "0,1": 2.1003613438169366, "_Total": 1.839989964412192},
		{"0,0": 0.8314657358225119, "0,1": 1.8753450438664832},
	}
	for i := range want {
		older, newer := raw(i), raw(i+1)
		for name, v := range want[i] {
			was, is := older[name], newer[name]
			got, status := countertypes.Cook(&was, &is, nil)
			require.Equal(t, countertypes.StatusOK, status)
			require.InDelta(t, v, got, 1e-12, "%s of sample %d", name, i+2)
		}
	}
}

package perflib2_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/doctest"
	"github.com/perfdump/perfdump/internal/formattest"
	"github.com/perfdump/perfdump/internal/golden"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perflib2"
)

// TestAnomalies has a block or a registration for each code: it is read, and
// refused in strict mode.
func TestAnomalies(t *testing.T) {
	set := encode(t, counterSet())
	reg := smallSet(t)
	seen := map[string]bool{}
	for _, c := range []struct {
		want string
		b    []byte
	}{
		{"15 bytes behind the block's end (offset 0x130)", append(set[:len(set):len(set)], make([]byte, 15)...)},
		{"PerfFreq: a frequency of 0 (offset 0x18)", patched(set, 24, 0)},
		{"SystemTime: no time of a calendar (offset 0x20)", patched(set, 32, 0x000d07e5)},
		{"counter[0].Reserved: 0x7, not 0 (offset 0x3c)", patched(set, 0x3c, 7)},
		{"counter[0].Status: status 0xe8, and yet values (offset 0x30)", patched(set, 0x30, 0xe8)},
		{"counter[0].Type: type 9 is not known; its 240 bytes are kept (offset 0x34)", patched(set, 0x34, 9)},
		{"counter[0].id[2]: id 0 again; the first one counts (offset 0x50)", patched(set, 0x50, 0)},
		{"counter[0]: 12 bytes that nothing explains (offset 0x4c)", patched(set, 0x44, 1)[:0x130]},
		{"counter[0]: 240 bytes that nothing explains (offset 0x40)", patched(set, 0x34, 0)},
		{"counter[0].instance[0].value[1].Size: 12 is no multiple of 8 (offset 0x8c)", patched(set, 0x8c, 12)},
		{"counter[0].instance[0].Name: the name has no NUL in its 16 bytes (offset 0x68)", patched(patched(set, 0x74, 'l'|'x'<<16), 0x60, 24)},
		{"counter[0].instance[0].Name: the name is not valid UTF-16 (offset 0x68)", patched(set, 0x68, 0xd800d800)},
		{"CounterSet.InstanceType: instance type 3 is not known (offset 0x2c)", patched(reg, 0x2c, 3)},
		{"counter[0].BaseID: the set has no counter 4 (offset 0x48)", patched(reg, 0x48, 4)},
		{"counter[1].ID: id 0 again; the first one counts (offset 0x60)", patched(patched(reg, 0x60, 0), 0x48, 0)},
		{"counter[0].Type: type 0x8000000 has bits that nobody defines (offset 0x34)", patched(reg, 0x34, 0x08000000)},
		{"text[0].Offset: 0x1000 is outside the texts (offset 0xcc)", patched(reg, 0xcc, 0x1000)},
		{"text[0].Offset: 0x1f is outside the texts (offset 0xcc)", patched(reg, 0xcc, 0x1f)},
		{"text[1].CounterID: id 0 again; the first one counts (offset 0xd0)", patched(reg, 0xd0, 0)},
		{"1 bytes behind the registration's end (offset 0x120)", append(reg[:len(reg):len(reg)], 0)},
	} {
		var anomalies *perfdump.Anomalies
		if le.Uint32(c.b[4:]) == 1 {
			blk, err := perflib2.Parse(c.b, perflib2.Options{})
			if err != nil { // what follows does not fit any more; the anomaly stands all the same
				blk, err = perflib2.Parse(c.b, perflib2.Options{Mode: perfdump.Salvage})
			}
			require.NoError(t, err, c.want)
			anomalies = blk.Anomalies()
			formattest.Tile(t, blk.Spans(), 0, int64(len(c.b)))
			_, err = perflib2.Parse(c.b, perflib2.Options{Mode: perfdump.Strict})
			require.Error(t, err, c.want)
		} else {
			r, err := perflib2.ParseRegistration(c.b, perflib2.Options{})
			require.NoError(t, err, c.want)
			anomalies = r.Anomalies()
			formattest.Cover(t, r.Spans(), 0, int64(len(c.b)))
			_, err = perflib2.ParseRegistration(c.b, perflib2.Options{Mode: perfdump.Strict})
			require.EqualError(t, err, c.want)
		}
		require.NotZero(t, anomalies.Len(), c.want)
		require.Equal(t, c.want, anomalies.Kept()[0].String())
		for _, a := range anomalies.Kept() {
			seen[string(a.Code)] = true
		}
	}
	for _, c := range doctest.Codes(t, "anomalies.go") {
		require.Contains(t, seen, c.Code)
	}
}

// TestSweep damages each place of a block and of a registration: what is told,
// and all that can be read, is what testdata has.
func TestSweep(t *testing.T) {
	golden.Sweep(t, filepath.Join("testdata", "sweep-block.txt"), samples(t)["several-headers"], golden.Fields, perftest.Race, func(b []byte) *golden.Reading {
		var r golden.Reading
		for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Salvage} {
			blk, err := perflib2.Parse(b, perflib2.Options{Mode: mode})
			if r.Error(err); err != nil || mode == perfdump.Salvage && blk.NumFaults() == 0 {
				continue
			}
			r.Anomalies(blk.Anomalies())
			r.Faults(blk.Faults())
			r.Note(blk.DataHeader)
			for _, line := range show(blk) {
				r.Note(line)
			}
			r.Spans(blk.Spans())
		}
		return &r
	})
	reg := register(t, based(counter(0, countertypes.PERF_RAW_FRACTION, "% Full"), 3), counter(3, countertypes.PERF_RAW_BASE, ""))
	golden.Sweep(t, filepath.Join("testdata", "sweep-registration.txt"), reg, golden.Fields, perftest.Race, func(b []byte) *golden.Reading {
		var r golden.Reading
		for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Salvage} {
			set, err := perflib2.ParseRegistration(b, perflib2.Options{Mode: mode})
			if r.Error(err); err != nil || mode == perfdump.Salvage && len(set.Faults()) == 0 {
				continue
			}
			r.Anomalies(set.Anomalies())
			r.Faults(set.Faults())
			r.Note(showSet(set))
			r.Spans(set.Spans())
		}
		return &r
	})
}

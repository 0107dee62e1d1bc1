package perflib2_test

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/testkit/doctest"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perflib2"
)

// view is what a block and a registration have in common.
type view interface {
	Anomalies() *perfdump.Anomalies
	Faults() iter.Seq[*perfdump.FormatError]
	Spans() iter.Seq[perfdump.Span]
}

// TestSweep damages each place of a block and of a registration: what is
// reported, and all that can be read, is what testdata has.
func TestSweep(t *testing.T) {
	sweep := func(name string, input []byte, parse func(b []byte, o perfdump.Options) (v view, shown string, err error)) {
		golden.Sweep(t, filepath.Join("testdata", name), input, golden.Fields, perftest.Race, func(b []byte) *golden.Reading {
			var r golden.Reading
			_, _, err := parse(b, perfdump.Options{Mode: perfdump.Strict})
			r.Note(err)
			for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Salvage} {
				v, shown, err := parse(b, perfdump.Options{Mode: mode})
				if r.Error(err); err != nil || mode == perfdump.Salvage && len(slices.Collect(v.Faults())) == 0 {
					continue
				}
				r.Anomalies(v.Anomalies())
				r.Faults(slices.Collect(v.Faults()))
				r.Note(shown)
				r.Spans(v.Spans())
				formattest.Cover(t, v.Spans(), 0, int64(len(b)))
			}
			return &r
		})
	}
	sweep("sweep-block.txt", samples(t)["several-headers"], func(b []byte, o perfdump.Options) (view, string, error) {
		blk, err := perflib2.Parse(b, o)
		if err != nil {
			return nil, "", err
		}
		return blk, fmt.Sprint(blk.DataHeader, show(blk)), nil
	})
	reg := register(t, based(counter(0, countertypes.PERF_RAW_FRACTION, "% Full"), 3), counter(3, countertypes.PERF_RAW_BASE, ""))
	sweep("sweep-registration.txt", reg, func(b []byte, o perfdump.Options) (view, string, error) {
		r, err := perflib2.ParseRegistration(b, o)
		if err != nil {
			return nil, "", err
		}
		return r, showSet(r), nil
	})
}

// TestAnomalies: the sweep has all codes but those of what its input lacks.
func TestAnomalies(t *testing.T) {
	var sweeps []byte
	for _, name := range []string{"block", "registration"} {
		b, err := os.ReadFile("testdata/sweep-" + name + ".txt")
		require.NoError(t, err)
		sweeps = append(sweeps, b...)
	}
	seen := map[string]bool{}
	set, reg := encode(t, counterSet()), smallSet(t)
	for _, c := range []struct {
		want string
		b    []byte
	}{
		{"15 bytes behind the block's end (offset 0x130)", append(set, make([]byte, 15)...)},
		{"counter[0].instance[0].Name: the name is not valid UTF-16 (offset 0x68)", patched(set, 0x68, 0xd800d800)},
		{"counter[0].id[2]: id 0 again; the first one counts (offset 0x50)", patched(set, 0x50, 0)},
		{"counter[1].ID: id 0 again; the first one counts (offset 0x60)", patched(patched(reg, 0x60, 0), 0x48, 0)},
		{"text[0].Offset: 0x1f is outside the texts (offset 0xcc)", patched(reg, 0xcc, 0x1f)},
		{"1 bytes behind the registration's end (offset 0x120)", append(reg[:len(reg):len(reg)], 0)},
	} {
		var v view
		var err, strictErr error
		if le.Uint32(c.b[4:]) == 1 {
			v, err = perflib2.Parse(c.b, perfdump.Options{})
			_, strictErr = perflib2.Parse(c.b, perfdump.Options{Mode: perfdump.Strict})
		} else {
			v, err = perflib2.ParseRegistration(c.b, perfdump.Options{})
			_, strictErr = perflib2.ParseRegistration(c.b, perfdump.Options{Mode: perfdump.Strict})
		}
		require.NoError(t, err)
		require.EqualError(t, strictErr, c.want)
		require.Equal(t, c.want, v.Anomalies().Kept()[0].String())
		seen[string(v.Anomalies().Kept()[0].Code)] = true
	}
	for _, c := range doctest.Codes(t, "anomalies.go") {
		require.True(t, seen[c.Code] || bytes.Contains(sweeps, []byte(": "+c.Code+": ")), c.Code)
	}
}

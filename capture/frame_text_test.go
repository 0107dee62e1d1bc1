package capture_test

import (
	"fmt"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/perftest"
)

// labels is a block whose instances have a text each, the text of the second
// being empty and that of the last not there.
func labels(name, suffix string, clock int64) *detect.Input {
	o := perftest.Object{Title: 2, Counters: []perftest.Counter{
		{Title: 4, Type: uint32(countertypes.PERF_COUNTER_TEXT), Size: 32},
		{Title: 6, Type: uint32(countertypes.PERF_COUNTER_RAWCOUNT)},
	}}
	for i, text := range []string{"a ä漢" + suffix, "", "b" + suffix} {
		var raw []byte
		for _, u := range append(utf16.Encode([]rune(text)), 0) {
			raw = append(raw, byte(u), byte(u>>8))
		}
		o.Instances = append(o.Instances, perftest.Instance{
			Name: fmt.Sprint("i", i), Values: []uint64{0, uint64(i)}, Raw: map[int][]byte{0: append(raw, make([]byte, 32-len(raw))...)},
		})
	}
	return bytesOf(name, (&perftest.Block{Name: "H", PerfTime: clock, PerfTime100nSec: perftest.DefaultTime + clock, Objects: []perftest.Object{o}}).Bytes())
}

// TestTextsOfCells wants the texts of text counters where they are asked for,
// with raw tuples or without, alone or beside another track, across a restart
// of the machine too; and of the other counters none.
func TestTextsOfCells(t *testing.T) {
	for _, want := range []capture.CookOptions{{Texts: true}, {Texts: true, Raw: true}, {}, {Raw: true}} {
		for _, beside := range []bool{false, true} {
			inputs := []*detect.Input{labels("a", "1", 20), labels("b", "2", 30), labels("c", "3", 40)}
			copy(inputs[2].Data[56:64], []byte{1, 0, 0, 0, 0, 0, 0, 0}) // a clock that counts anew
			if beside {
				inputs = append(inputs, opened(t, "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\G\\O\\C\"\r\n\"08/18/2025 14:13:20.000\",\"1\"\r\n"))
			}
			r := record(t, capture.Options{}, want, inputs...)
			var got []string
			var kept []map[*capture.Series]string
			for f, err := range r.Frames() {
				require.NoError(t, err)
				if f.Host != "H" {
					require.Empty(t, f.Texts)
					continue
				}
				kept = append(kept, f.Texts)
				require.Len(t, f.Cells, 6)
				for i := range f.Cells {
					c := &f.Cells[i]
					text, ok := f.Texts[c.Series]
					require.Equal(t, want.Texts && c.Series.CounterIndex == 4, ok, c.Series.Path())
					if ok {
						require.Equal(t, countertypes.StatusText, c.Status)
						got = append(got, text)
					}
				}
			}
			if !want.Texts {
				require.Empty(t, got)
				continue
			}
			require.Equal(t, []string{"a ä漢1", "", "b1", "a ä漢2", "", "b2", "a ä漢3", "", "b3"}, got)
			for _, texts := range kept { // each frame has its own
				require.Len(t, texts, 3)
			}
			require.NoError(t, r.Close())
		}
	}
}

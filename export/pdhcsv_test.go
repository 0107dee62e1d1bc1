package export_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/pdhcsv"
)

// TestPDHReadsBack reads what was written by the format's own reader, also a log
// whose header and rows are longer than what is written at a time.
func TestPDHReadsBack(t *testing.T) {
	ss, frames := log()
	wide, wideFrames := grid(3, 3000)
	pacific, utc := pdhcsv.Zone{Name: "Pacific Daylight Time", Bias: 420, HasBias: true}, pdhcsv.Zone{Name: "UTC", HasBias: true}
	for _, x := range []struct {
		series []*capture.Series
		frames []capture.Frame
		o      export.Options
		zone   pdhcsv.Zone
	}{
		{ss, frames, export.Options{}, pacific},
		{ss, frames, export.Options{Zone: time.UTC}, utc},
		{ss, frames, export.Options{CodePage: 1200}, pacific},
		{ss, frames, export.Options{CodePage: 932}, pacific},
		{wide, wideFrames, export.Options{Zone: time.UTC}, utc},
		{wide, wideFrames, export.Options{Zone: time.UTC, CodePage: 1200}, utc},
		{wide, wideFrames, export.Options{Zone: time.UTC, CodePage: 1252}, utc},
	} {
		x.o.Series = x.series
		r, err := pdhcsv.NewReader(strings.NewReader(cooked(t, "pdh-csv", x.o, x.frames)), pdhcsv.Options{Options: perfdump.Options{CodePage: x.o.CodePage}})
		require.NoError(t, err)
		require.Equal(t, len(x.series), r.Header().Len())
		assert.Equal(t, x.zone, r.Header().Zone)
		for i, s := range x.series {
			require.Equal(t, s.Path(), r.Header().Column(i))
		}
		n := 0
		for row, err := range r.Rows() {
			require.NoError(t, err)
			assert.Equal(t, x.frames[n].Time, row.Time)
			want := make([]float64, len(x.series))
			for i := range want {
				want[i] = math.NaN()
			}
			for i := range x.frames[n].Cells {
				c := &x.frames[n].Cells[i]
				if v, ok := c.Number(); ok {
					want[c.Series.ID] = v
				}
			}
			require.Equal(t, fmt.Sprint(want), fmt.Sprint(row.Values))
			n++
		}
		require.Equal(t, len(x.frames), n)
	}
	// A series that was not announced is counted.
	_, left := cookedOf(t, "pdh-csv", export.Options{Series: ss[:2]}, frames)
	assert.Equal(t, []int{7}, left)
}

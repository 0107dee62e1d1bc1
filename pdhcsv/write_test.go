package pdhcsv_test

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/pdhcsv"
)

// TestRoundTrip writes what it read and gets the same bytes, which the standard
// library reads, too.
func TestRoundTrip(t *testing.T) {
	r, err := pdhcsv.NewReader(strings.NewReader(pacific), pdhcsv.Options{})
	require.NoError(t, err)
	h := r.Header()
	out := pdhcsv.AppendHeader(nil, h.Separator, h.Zone, h.Columns())
	for row, err := range r.Rows() {
		require.NoError(t, err)
		out = pdhcsv.AppendTime(out, row.Local)
		for _, v := range row.Values {
			out = pdhcsv.AppendValue(out, h.Separator, v)
		}
		out = append(out, pdhcsv.RowEnd...)
	}
	assert.Equal(t, pacific, string(out))
	records, err := csv.NewReader(strings.NewReader(pacific)).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, h.Column(0), records[0][1])
	formattest.Stops(t, h.Columns())
}

func TestZones(t *testing.T) {
	for _, c := range []struct {
		recorded string
		east     time.Duration
		name     string
		bias     int
	}{
		{"Pacific Standard Time", -8 * time.Hour, "Pacific Standard Time", 480},
		{"@tzres.dll,-211", -7 * time.Hour, "Pacific Daylight Time", 420},
		{"@tzres.dll,-112", -5 * time.Hour, "Eastern Standard Time", 300},
		{"@tzres.dll,-999", 330 * time.Minute, "UTC+05:30", -330},
		{"", -150 * time.Minute, "UTC-02:30", 150},
		{"", 0, "UTC+00:00", 0},
	} {
		assert.Equal(t, pdhcsv.Zone{Name: c.name, Bias: c.bias, HasBias: true}, pdhcsv.ZoneOf(c.recorded, c.east))
	}
}

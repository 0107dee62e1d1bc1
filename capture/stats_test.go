package capture_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/countertypes"
)

func TestStats(t *testing.T) {
	var s capture.Stats
	for _, c := range []capture.Cell{
		{Value: 7, Status: countertypes.StatusNeedsSecondSample},
		{Value: 3},
		{Value: -1},
		{Value: 9, PDH: 0xC0000BBA},
		{Value: math.NaN()},
		{Value: math.Inf(1)},
		{Value: 4, PDH: 1},
	} {
		s.Add(&c)
	}
	assert.Equal(t, capture.Stats{Count: 3, Missing: 4, Min: -1, Max: 4, Mean: 2, Last: 4}, s)

	s = capture.Stats{}
	for range 4 {
		s.Add(&capture.Cell{Value: math.MaxFloat64})
	}
	assert.InEpsilon(t, math.MaxFloat64, s.Mean, 1e-9)
}

package perflib2_test

import (
	"testing"

	"github.com/perfdump/perfdump/internal/testkit/golden"
)

// TestSeeds holds the seeds of the fuzz targets equal to the samples.
func TestSeeds(t *testing.T) {
	for name, b := range samples(t) {
		golden.Seed(t, "../fuzz", "FuzzPerflib2Block", name, b)
	}
	golden.Seed(t, "../fuzz", "FuzzPerflib2Registration", "set", smallSet(t), samples(t)["counter-set"])
	golden.Seed(t, "../fuzz", "FuzzPerflib2Registration", "one", register(t, counter(7, 0x10410500, "Ω")), samples(t)["several-headers"])
}

// TestFixture holds the file that the tests of the command read.
func TestFixture(t *testing.T) {
	golden.File(t, "../testdata/perflib2/sets.bin", samples(t)["several-headers"])
}

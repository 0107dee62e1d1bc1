package perfdata

import (
	"testing"

	"github.com/perfdump/perfdump/internal/testkit/formattest"
)

// CounterBlock is a struct of the wire, of which the docs have a byte table.
type CounterBlock = counterBlock

// FuzzHandEqualsStruc checks the hand-written loads against what struc reads by
// the tags, and the packed headers against the bytes they came from.
func FuzzHandEqualsStruc(f *testing.F) {
	f.Add(formattest.Pattern(blockSize))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < blockSize {
			return
		}
		formattest.Struc(t, b, blockSize, (*DataBlock).load)
		formattest.Struc(t, b, objectSize, (*ObjectType).load)
		formattest.Struc(t, b, counterSize, (*CounterDefinition).load)
		formattest.Struc(t, b, instanceSize, (*InstanceDefinition).load)
	})
}

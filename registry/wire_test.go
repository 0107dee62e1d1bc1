package registry

import (
	"testing"

	"github.com/perfdump/perfdump/internal/formattest"
)

// TestHandEqualsStruc holds the hand-written loads against what struc reads by
// the tags.
func TestHandEqualsStruc(t *testing.T) {
	b := formattest.Pattern(baseBlockSize)
	formattest.Struc(t, b, baseBlockSize, (*BaseBlock).load)
	formattest.Struc(t, b, binSize, (*Bin).load)
	formattest.Struc(t, b, keyNodeSize, (*KeyNode).load)
	formattest.Struc(t, b, keyValueSize, (*KeyValue).load)
	formattest.Struc(t, b, listHeadSize, (*ListHead).load)
}

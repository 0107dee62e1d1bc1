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
	formattest.Struc(t, b, binSize, (*bin).load)
	formattest.Struc(t, b, keyNodeSize, (*keyNode).load)
	formattest.Struc(t, b, keyValueSize, (*keyValue).load)
	formattest.Struc(t, b, listHeadSize, (*listHead).load)
}

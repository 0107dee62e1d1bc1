package registry

import (
	"testing"

	"github.com/perfdump/perfdump/internal/testkit/doctest"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/wire"
)

// TestStructs compares the declared structs with what struc reads by their tags
// and with the tables of the format's page, and the codes with its rows.
func TestStructs(t *testing.T) {
	const page = "../docs/registry.md"
	b := formattest.Pattern(baseBlockSize)
	formattest.Struc(t, b, baseBlockSize, wire.LoadStruct[baseBlock])
	formattest.Struc(t, b, binSize, wire.LoadStruct[bin])
	formattest.Struc(t, b, keyNodeSize, wire.LoadStruct[keyNode])
	formattest.Struc(t, b, keyValueSize, wire.LoadStruct[keyValue])
	formattest.Struc(t, b, listHeadSize, wire.LoadStruct[listHead])
	p := doctest.Open(t, page)
	p.Struct("HBASE_BLOCK", baseBlock{})
	p.Struct("HBIN", bin{})
	p.Struct("CM_KEY_NODE, `nk`", keyNode{})
	p.Struct("CM_KEY_VALUE, `vk`", keyValue{})
	p.Struct("The head of `lf`, `lh`, `li`, `ri` and `db`", listHead{})
	p.Close()
	doctest.Anomalies(t, page)
}

package registry_test

import (
	"testing"

	"github.com/perfdump/perfdump/internal/doctest"
	"github.com/perfdump/perfdump/registry"
)

const (
	hivePage = "../docs/hive.md"
	regPage  = "../docs/reg.md"
)

// TestDocsHoldTheByteTables makes the tables of the format's page from the
// structs, so that they cannot differ.
func TestDocsHoldTheByteTables(t *testing.T) {
	p := doctest.Open(t, hivePage)
	p.Struct("HBASE_BLOCK", registry.BaseBlock{})
	p.Struct("HBIN", registry.Bin{})
	p.Struct("CM_KEY_NODE, `nk`", registry.KeyNode{})
	p.Struct("CM_KEY_VALUE, `vk`", registry.KeyValue{})
	p.Struct("The head of `lf`, `lh`, `li`, `ri` and `db`", registry.ListHead{})
	p.Close()
}

// TestDocsTellEveryAnomaly reads the codes out of the source. A code stands in
// one of the pages, in its table.
func TestDocsTellEveryAnomaly(t *testing.T) {
	doctest.Anomalies(t, hivePage, regPage)
}

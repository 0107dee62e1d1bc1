package blg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/etl"
	"github.com/perfdump/perfdump/internal/testkit/doctest"
)

const page = "../docs/blg.md"

// TestDocsHoldTheByteTables makes the tables of the format's page from the
// structs, so that they cannot differ.
func TestDocsHoldTheByteTables(t *testing.T) {
	p := doctest.Open(t, page)
	for _, v := range []any{
		etl.BufferHeader{},
		etl.SystemHeader{},
		etl.LogHeader{},
		etl.TimeZone{},
		etl.LogTail{},
		etl.EventHeader{},
		etl.PartHeader{},
		etl.ItemListHeader{},
		etl.ItemHeader{},
		etl.SubHeader{},
		etl.ValueBody{},
		etl.InstancesBody{},
		etl.InstanceEntry{},
		etl.CatalogueHeader{},
		etl.CatalogueObject{},
		etl.CatalogueInstance{},
	} {
		p.Struct("", v)
	}
	p.Close()
}

// TestDocsTellEveryAnomaly reads the codes out of the source.
func TestDocsTellEveryAnomaly(t *testing.T) {
	doctest.Anomalies(t, page)
	lost := doctest.Section(t, page, "What is lost")
	for _, reason := range blg.Reasons {
		require.Contains(t, lost, "`"+reason+"`")
	}
}

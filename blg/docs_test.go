package blg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/blg"
	"github.com/perfdump/perfdump/internal/doctest"
)

const page = "../docs/blg.md"

// TestDocsHoldTheByteTables makes the tables of the format's page from the
// structs, so that they cannot differ.
func TestDocsHoldTheByteTables(t *testing.T) {
	p := doctest.Open(t, page)
	for _, v := range []any{
		blg.BufferHeader{},
		blg.SystemHeader{},
		blg.LogHeader{},
		blg.TimeZone{},
		blg.LogTail{},
		blg.EventHeader{},
		blg.PartHeader{},
		blg.ItemListHeader{},
		blg.ItemHeader{},
		blg.SubHeader{},
		blg.ValueBody{},
		blg.InstancesBody{},
		blg.InstanceEntry{},
		blg.CatalogueHeader{},
		blg.CatalogueObject{},
		blg.CatalogueInstance{},
	} {
		p.Struct("", v)
	}
	p.Close()
}

// TestDocsTellEveryAnomaly reads the codes out of the source.
func TestDocsTellEveryAnomaly(t *testing.T) {
	doctest.Anomalies(t, page)
	lost := doctest.Section(t, page, "What is lost")
	for r := blg.Reason(0); r.String() != "unknown"; r++ {
		require.Contains(t, lost, "`"+r.String()+"`")
	}
}

package perfdata_test

import (
	"testing"

	"github.com/perfdump/perfdump/internal/testkit/doctest"
	"github.com/perfdump/perfdump/perfdata"
)

const page = "../docs/perfdata.md"

// TestDocsHoldTheByteTables makes the tables of the format's page from the
// structs, so that they cannot differ.
func TestDocsHoldTheByteTables(t *testing.T) {
	p := doctest.Open(t, page)
	p.Struct("PERF_DATA_BLOCK", perfdata.DataBlock{})
	p.Struct("PERF_OBJECT_TYPE", perfdata.ObjectType{})
	p.Struct("PERF_COUNTER_DEFINITION", perfdata.CounterDefinition{})
	p.Struct("PERF_INSTANCE_DEFINITION", perfdata.InstanceDefinition{})
	p.Struct("PERF_COUNTER_BLOCK", perfdata.CounterBlock{})
	p.Close()
}

// TestDocsTellEveryAnomaly reads the codes out of the source.
func TestDocsTellEveryAnomaly(t *testing.T) {
	doctest.Anomalies(t, page)
}

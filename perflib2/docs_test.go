package perflib2_test

import (
	"testing"

	"github.com/perfdump/perfdump/internal/testkit/doctest"
	"github.com/perfdump/perfdump/perflib2"
)

const page = "../docs/perflib2.md"

// TestDocsHoldTheByteTables makes the tables of the format's page from the
// structs, so that they cannot differ.
func TestDocsHoldTheByteTables(t *testing.T) {
	p := doctest.Open(t, page)
	p.Struct("PERF_DATA_HEADER", perflib2.DataHeader{})
	p.Struct("PERF_COUNTER_HEADER", perflib2.CounterHeader{})
	p.Struct("PERF_MULTI_COUNTERS", perflib2.MultiCountersHeader{})
	p.Struct("PERF_MULTI_INSTANCES", perflib2.MultiInstancesHeader{})
	p.Struct("PERF_INSTANCE_HEADER", perflib2.InstanceHeader{})
	p.Struct("PERF_COUNTER_DATA", perflib2.CounterData{})
	p.Struct("Head of a registration", perflib2.RegistrationHeader{})
	p.Struct("PERF_COUNTERSET_REG_INFO", perflib2.CounterSetInfo{})
	p.Struct("PERF_COUNTER_REG_INFO", perflib2.CounterInfo{})
	p.Struct("PERF_STRING_BUFFER_HEADER", perflib2.TextsHeader{})
	p.Struct("PERF_STRING_COUNTER_HEADER", perflib2.TextEntry{})
	p.Close()
}

// TestDocsTellEveryAnomaly reads the codes out of the source.
func TestDocsTellEveryAnomaly(t *testing.T) { doctest.Anomalies(t, page) }

// Package manifest reads the counters of instrumentation manifests (.man), by
// which providers of version 2 register counter sets. docs/registration.md says
// what is read and lists every anomaly.
//
//	m, err := manifest.Parse(b, perfdump.Options{})
//	if err != nil {
//		return err
//	}
//	for _, p := range m.Providers {
//		fmt.Println(p.Name, len(p.CounterSets))
//	}
//
// A Manifest is a copy of what counts; elements of other kinds, such as events,
// are skipped. Nothing is fetched: a document type or an entity that is
// not one of XML's own is an error.
//
// No input makes this package panic (FuzzManifest) or take more than 64 MiB
// plus 24 times the input: above 2 MiB, 65,536 elements or a depth of 64 a
// manifest is refused. Time is linear.
package manifest

import (
	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
)

// Manifest is the counters of a manifest.
type Manifest struct {
	SchemaVersion string // of the element counters, "" where it has none
	Providers     []Provider

	anomalies perfdump.Anomalies
	encoding  string
}

// Anomalies returns the anomalies of the manifest. They belong to m.
func (m *Manifest) Anomalies() *perfdump.Anomalies { return &m.anomalies }

// Encoding returns how the file is written: "utf-8", "utf-16le-bom".
func (m *Manifest) Encoding() string { return m.encoding }

// Provider is a provider of counter sets. Its texts are those of the
// attributes of the same names, "" where one is missing.
type Provider struct {
	Name        string // providerName; "Counters" where it is missing
	GUID        string // providerGuid, as spelled
	Application string // applicationIdentity
	Type        string // providerType: userMode, kernelMode
	Symbol      string
	Callback    string // custom, default
	CounterSets []CounterSet
	Line        int
}

// CounterSet is a set of counters, an object of Performance Monitor.
type CounterSet struct {
	GUID, URI, Name, Description, Symbol string

	Instances string // single, multiple, globalAggregate ...
	Counters  []Counter
	Line      int
}

// Counter is a counter of a set.
type Counter struct {
	ID                             uint32 // 0 where it is missing or no number, which is an anomaly
	URI, Name, Description, Symbol string

	TypeName    string            // as spelled: perf_counter_rawcount
	Type        countertypes.Type // what it names, if Known
	Known       bool
	DetailLevel string // standard, advanced
	Aggregate   string // sum, avg, max ...
	Scale       string // defaultScale
	Struct      string
	Field       string

	Base, PerfTime, PerfFreq, MultiCounter Reference

	Attributes []string // of counterAttribute: reference, noDisplay ...
	Line       int
}

// Reference is the id of another counter of the set.
type Reference struct {
	ID    uint32
	Given bool
}

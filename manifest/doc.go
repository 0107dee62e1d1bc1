// Package manifest reads the counters of instrumentation manifests (.man), by
// which providers of version 2 register counter sets. docs/manifest.md tells
// what is read and every anomaly.
//
//	m, err := manifest.Parse(b, manifest.Options{})
//	if err != nil {
//		return err
//	}
//	for _, p := range m.Providers {
//		fmt.Println(p.Name, len(p.CounterSets))
//	}
//
// A Manifest is a copy of what counts; elements of other kinds, such as events,
// are passed over. Nothing is fetched: a document type or an entity that is
// none of XML's own is an error.
//
// No input makes this package panic (FuzzManifest) or take more than 64 MiB
// plus four times the input: above 2 MiB, 65,536 elements or a depth of 64 a
// manifest is refused. Time is linear.
package manifest

// Package checkmk reads and writes the sections of a Checkmk agent that hold
// performance counters of Windows: raw values in text, as the agent took them
// from the registry. The format's page is docs/text-logs.md.
//
//	r := checkmk.NewReader(file, perfdump.Options{})
//	for s, err := range r.Sections() {
//		if err != nil {
//			return err
//		}
//		for _, c := range s.Counters {
//			fmt.Println(s.Name, s.Object, c.Index, c.Values)
//		}
//	}
//
// [Append] writes a [Section].
//
// # Promise
//
// No input makes this package panic or hang. A [Reader] holds one section;
// memory stays below 64 MiB plus four times the input, time is linear. What was
// read is written again with the same meaning. The tests named Hostile and
// RoundTrip and the target FuzzCheckmk hold this.
package checkmk

package bounds_test

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/perfdump/perfdump/perflib2"
)

// worstSets are the worst blocks of version 2 counter sets.
func worstSets() (all []worst) {
	add := func(name string, f func(n int) []byte) {
		all = append(all, worst{name: "perflib2/" + name, flags: "--format perflib2", make: f})
	}
	results := func(words ...uint32) func(n int) []byte {
		return func(n int) []byte { return manyResults(n, words) }
	}
	add("errors", results(0xE8, 0, 16, 0))
	add("single counters", results(0, 1, 32, 0, 4, 16, 7, 0))
	add("faults", results(0, 1, 16, 0))
	add("anomalies", results(0xE8, 9, 16, 1))
	add("instances", func(n int) []byte { return oneSet(n, 1) })
	add("counters", func(n int) []byte { return oneSet(n, n/24) })
	add("square", func(n int) []byte { return oneSet(n, 50) })
	return all
}

// manyResults is a block of n bytes of one result again and again.
func manyResults(n int, words []uint32) []byte {
	var unit []byte
	for _, w := range words {
		unit = binary.LittleEndian.AppendUint32(unit, w)
	}
	count := n / len(unit)
	b, err := (&perflib2.Tree{DataHeader: perflib2.DataHeader{PerfTime100ns: 132617525327780023, PerfFreq: 10000000}}).AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	b = append(b, bytes.Repeat(unit, count)...)
	binary.LittleEndian.PutUint32(b, uint32(len(b)))
	binary.LittleEndian.PutUint32(b[4:], uint32(count))
	return b
}

// oneSet is a block of some n bytes with one set of so many counters.
func oneSet(n, counters int) []byte {
	r := perflib2.TreeResult{Type: perflib2.CounterSet}
	var values [][]byte
	for j := range counters {
		r.IDs = append(r.IDs, uint32(j))
		values = append(values, []byte{1, 2, 3, 4})
	}
	for i := range max(1, n/(24+16*counters)) {
		r.Instances = append(r.Instances, perflib2.TreeInstance{Name: fmt.Sprintf("%x", i), ID: uint32(i), Values: values})
	}
	tree := perflib2.Tree{DataHeader: perflib2.DataHeader{PerfTime100ns: 132617525327780023, PerfFreq: 10000000}, Results: []perflib2.TreeResult{r}}
	b, err := tree.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
}

package perflib2_test

import (
	"fmt"
	"log"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perflib2"
)

// A block has ids and values; the registration of the set says what they mean.
func ExampleSampler() {
	block, registration := exampleBlock(), exampleRegistration()

	var s perflib2.Sampler
	var values []perflib2.Value
	for _, res := range block.Results() {
		s.Reset(registration, res, nil)
		for _, in := range res.Instances() {
			values = in.AppendValues(values[:0])
			for j := range s.Len() {
				c := s.Counter(j)
				if c == nil || c.Hidden() {
					continue
				}
				sample := s.Sample(values, j)
				v, status := countertypes.Cook(nil, &sample, nil)
				fmt.Printf(`\%s(%s)\%s = %v (%s)`+"\n", registration.Name(), in.Name(), c.Name(), v, status)
			}
		}
	}
	// Output: \Tanks(north)\% Full = 25 (ok)
}

func ExampleTree_AppendBinary() {
	b, err := (&perflib2.Tree{
		DataHeader: perflib2.DataHeader{PerfTime: 1, PerfTime100ns: 132617525327780023, PerfFreq: 10000000},
		Results: []perflib2.TreeResult{{
			Type: perflib2.CounterSet, IDs: []uint32{1},
			Instances: []perflib2.TreeInstance{{Name: "north", Values: [][]byte{{10, 0, 0, 0}}}},
		}},
	}).AppendBinary(nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(b), "bytes")
	// Output: 128 bytes
}

func exampleBlock() *perflib2.Block {
	b, err := (&perflib2.Tree{Results: []perflib2.TreeResult{{
		Type: perflib2.CounterSet, IDs: []uint32{1, 2},
		Instances: []perflib2.TreeInstance{{Name: "north", Values: [][]byte{u32(10), u32(40)}}},
	}}}).AppendBinary(nil)
	if err != nil {
		log.Fatal(err)
	}
	block, err := perflib2.Parse(b, perfdump.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return block
}

func exampleRegistration() *perflib2.Registration {
	tree := registrationTree(based(counter(1, countertypes.PERF_RAW_FRACTION, "% Full"), 2), counter(2, countertypes.PERF_RAW_BASE, ""))
	tree.Name = "Tanks"
	b, err := tree.AppendBinary(nil)
	if err != nil {
		log.Fatal(err)
	}
	r, err := perflib2.ParseRegistration(b, perfdump.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return r
}

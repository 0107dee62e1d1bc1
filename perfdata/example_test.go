package perfdata_test

import (
	"fmt"
	"log"
	"os"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

// Decode a capture and print one counter of each processor.
func ExampleParse() {
	data, err := os.ReadFile("../testdata/captures/sys-238-x86_64-1.bin")
	if err != nil {
		log.Fatal(err)
	}
	block, err := perfdata.Parse(data, perfdump.Options{})
	if err != nil {
		log.Fatal(err)
	}
	names := titles.NewNames()
	for _, object := range block.Objects() {
		for _, instance := range object.Instances() {
			value, _ := instance.Uint64(0)
			counter := object.Counter(0)
			fmt.Printf("%s(%s) %s: %d %v\n", names.Name(object.ObjectNameTitleIndex), instance.Name(),
				names.Name(counter.CounterNameTitleIndex), value, counter.CounterType)
		}
	}
	// Output:
	// Processor(0) % Processor Time: 16521900000 PERF_100NSEC_TIMER_INV
	// Processor(1) % Processor Time: 15343700000 PERF_100NSEC_TIMER_INV
	// Processor(_Total) % Processor Time: 15932800000 PERF_100NSEC_TIMER_INV
}

// Read one counter of one instance again and again, as an exporter does. The decoder is
// used again, so that later answers cost no memory.
func ExampleDecoder() {
	const processor, processorTime = 238, 6
	var decoder perfdata.Decoder
	for _, name := range []string{"sys-238-x86_64-1.bin", "sys-238-x86_64-2.bin"} {
		data, err := os.ReadFile("../testdata/captures/" + name) // stands for RegQueryValueEx(…, "238")
		if err != nil {
			log.Fatal(err)
		}
		block, err := decoder.Decode(data)
		if err != nil {
			log.Fatal(err)
		}
		object, ok := block.ObjectByIndex(processor)
		if !ok {
			continue
		}
		counter, ok := object.CounterByIndex(processorTime)
		total, okTotal := object.InstanceByName("_Total")
		if ok && okTotal {
			value, _ := total.Uint64(counter)
			fmt.Println(value)
		}
	}
	// Output:
	// 15932800000
	// 15938500000
}

// Read all values of an object at once: the fastest way.
func ExampleObject_AppendUint64s() {
	data, err := os.ReadFile("../testdata/captures/sys-238-x86_64-1.bin")
	if err != nil {
		log.Fatal(err)
	}
	block, err := perfdata.Parse(data, perfdump.Options{})
	if err != nil {
		log.Fatal(err)
	}
	object := block.Object(0)
	values := object.AppendUint64s(nil) // with the same slice each time, this costs no memory
	n := len(object.Counters())
	for i, instance := range object.Instances() {
		fmt.Println(instance.Name(), values[i*n:(i+1)*n])
	}
	// Output:
	// 0 [16521900000 6349400000 3443500000 16521900000]
	// 1 [15343700000 6667200000 4309800000 15343700000]
	// _Total [15932800000 6508300000 3876650000 15932800000]
}

// Cook two samples into what a performance monitor shows.
func ExampleCooker() {
	var blocks []*perfdata.Block
	for _, name := range []string{"sys-238-x86_64-1.bin", "sys-238-x86_64-2.bin"} {
		data, err := os.ReadFile("../testdata/captures/" + name)
		if err != nil {
			log.Fatal(err)
		}
		block, err := perfdata.Parse(data, perfdump.Options{})
		if err != nil {
			log.Fatal(err)
		}
		blocks = append(blocks, block)
	}
	var cooker perfdata.Cooker
	cooker.Reset(blocks[0], blocks[1], nil)
	for cooker.Next() {
		fmt.Printf("%s: %.2f%% %v\n", cooker.Instance().Name(), cooker.Values()[0], cooker.Statuses()[0])
	}
	// Output:
	// 0: 43.93% ok
	// 1: 43.93% ok
	// _Total: 43.93% ok
}

// Build a block from values.
func ExampleTree() {
	t := perfdata.Tree{SystemName: "HOST"}
	t.PerfFreq = 10_000_000
	t.Objects = []perfdata.TreeObject{{
		ObjectType: perfdata.ObjectType{ObjectNameTitleIndex: 238, DetailLevel: 100},
		Counters: []perfdata.CounterDefinition{
			{CounterNameTitleIndex: 6, DetailLevel: 100, CounterType: countertypes.PERF_100NSEC_TIMER_INV},
		},
		Instances: []perfdata.TreeInstance{{
			InstanceDefinition: perfdata.InstanceDefinition{UniqueID: -1},
			Name:               "_Total",
			Values:             []perfdata.TreeValue{{Kind: perfdata.Uint64, Uint: 12345}},
		}},
	}}
	if err := t.Layout(); err != nil {
		log.Fatal(err)
	}
	data, err := t.AppendBinary(nil)
	fmt.Println(len(data), err)
	// Output: 264 <nil>
}

// Read what a damaged capture still holds, and tell what it has lost.
func ExampleBlock_Fault() {
	data, err := os.ReadFile("../testdata/captures/inst-x86_64-1.bin")
	if err != nil {
		log.Fatal(err)
	}
	block, err := perfdata.Parse(data, perfdump.Options{})
	if err != nil {
		log.Fatal(err)
	}
	object := block.Object(1)
	data[object.Offset()+4] = 1 // its DefinitionLength

	block, err = perfdata.Parse(data, perfdump.Options{Mode: perfdump.Salvage})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(block.NumObjects(), "of", block.NumObjectTypes, "objects")
	for fault := range block.Faults() {
		fmt.Println(fault.Code, fault)
	}
	// Output:
	// 7 of 8 objects
	// length object[1].DefinitionLength: the header (0x40 bytes) and definitions (0x1) do not fit in the object's 0x1a0 bytes (offset 0xbb4)
}

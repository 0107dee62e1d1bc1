package reference

import (
	"slices"
	"strings"
	"sync"

	"github.com/perfdump/perfdump/pdhpath"
)

// The objects whose counters are explained.
const (
	activity    = "Per Processor Network Interface Card Activity"
	cycles      = "Per Processor Network Activity Cycles"
	physical    = "Physical Network Interface Card Activity"
	adapter     = "Network Adapter"
	netIf       = "Network Interface"
	processor   = "Processor Information"
	rdma        = "RDMA Activity"
	perCPUScope = "the meaning is that of Windows 8 and Server 2012 on"
)

// objects are those whose counters mislead in a common way.
var objects = []Meaning{
	object(adapter, "The counters of Network Interface, for more kinds of adapters: prefer it to that one. They come from the interface table, and so from the driver's statistics in the end; those of RSC come from TCPIP.",
		"Output Queue Length is not implemented"),
	object(netIf, "The older twin of Network Adapter, with the same counters for fewer kinds of adapters.",
		"Output Queue Length is not implemented; Network Adapter shows adapters that are missing here"),
	object(activity, "How often things happen, for each processor and adapter. Per Processor Network Activity Cycles has what they cost: the quotient of the two is cycles an operation.",
		"counters of interrupts and DPCs stay 0 for adapters that are not on PCI, and for drivers that handle interrupts through WDM and not through NDIS; "+perCPUScope),
	object(cycles, "How many cycles of the processor things cost, for each processor and adapter. Per Processor Network Interface Card Activity has how often they happen.",
		"cycles are ticks of the nominal clock (rdtsc, on 32-bit ARM pmccntr): not comparable between different processors, and doubtful where the processor throttles. Interrupts and DPCs cost 0 for adapters that are not on PCI, and for drivers that handle interrupts through WDM; "+perCPUScope),
	object(physical, "How much of the time an adapter spends in low power.", ""),
	object(rdma, "What RDMA does, straight from the driver.", ""),
	object(processor, "Time and events of each processor. % Interrupt Time, % DPC Time and Interrupts/sec help to see what the network costs.", ""),
}

// counters are those of the network that people misread. The file counters.txt
// has those that people meet most.
var counters = []Meaning{
	counter("Interrupts/sec", "Calls of the interrupt handler that claimed the interrupt.", "", activity),
	counter("Interrupt Cycles/sec", "Cycles in the interrupt handler.", "", cycles),
	counter("Interrupt DPC Latency Cycles/sec", "Cycles from the end of the interrupt handler to the start of its DPC.", "where it is high, other DPCs or interrupts starve it", cycles),
	counter("DPCs Queued/sec", "DPCs that were executed.", "the name misleads: it is not those that were queued", activity),
	counter("DPCs Queued on Other CPUs/sec", "Processors that a queued DPC was for, without the current one.", "near 0 is good; where it is high, RSS works badly", activity),
	counter("DPCs Deferred/sec", "DPCs that receive-side throttling moved to passive level.", "0 is expected on servers", activity),
	counter("Interrupt DPC Cycles/sec", "Cycles in the handler of the DPC.", "completing sends and receiving are mixed in it", cycles),
	counter("Received Packets/sec", "Packets indicated, once for every protocol that is bound.", "a driver that captures packets doubles it; protocols that do not take a packet count 0", activity),
	counter("Receive Indications/sec", "Calls that indicate packets.", "", activity),
	counter("Low Resource Received Packets/sec", "Received packets with the flag that resources are low.", lowResource, activity),
	counter("Low Resource Receive Indications/sec", "Calls that indicate packets with the flag that resources are low.", lowResource, activity),
	counter("Stack Receive Indication Cycles/sec", "Cycles in the receive handlers of protocols.", "", cycles),
	counter("NDIS Receive Indication Cycles/sec", "Cycles in the miniport's call that indicates packets, with filters and protocols.", "filters that defer packets hide the part of the protocols", cycles),
	counter("Returned Packets/sec", "Packets given back to the driver.", "it is about Received less Low Resource Received, whose packets are not given back", activity),
	counter("Return Packet Calls/sec", "Calls that give packets back to the driver.", "", activity),
	counter("NDIS Return Packet Cycles/sec", "Cycles of giving packets back: filters, NDIS and driver together.", returned, cycles),
	counter("Miniport Return Packet Cycles/sec", "Cycles of giving packets back: filters, NDIS and driver together.", "it is not the driver alone, despite the name; "+returned, cycles),
	counter("Sent Packets/sec", "Packets at the top of the stack of filters.", "filters may drop or add packets below", activity),
	counter("Send Request Calls/sec", "Calls that send packets, at the top of the stack of filters.", "filters may drop or add packets below", activity),
	counter("Miniport Send Cycles/sec", "Cycles in the driver's send handler.", "what the driver does in timers and DMA callbacks is missing: not comparable between drivers", cycles),
	counter("NDIS Send Cycles/sec", "Cycles of the whole send call.", "filters that put packets in again, as the QoS pacer does, hide parts", cycles),
	counter("Sent Complete Packets/sec", "Packets whose completion was given to protocols.", "", activity),
	counter("Send Complete Calls/sec", "Calls that give completions to protocols.", "", activity),
	counter("Stack Send Complete Cycles/sec", "Cycles in the completion handlers of protocols.", "", cycles),
	counter("NDIS Send Complete Cycles/sec", "Cycles of the call that completes sends. Less the Stack counter, it is filters and NDIS.", "", cycles),
	counter("Build Scatter Gather List Calls/sec", "Scatter-gather lists that were built.", "", activity),
	counter("Build Scatter Gather Cycles/sec", "Cycles of building scatter-gather lists.", "hard to interpret: the driver's handler may be in it or not", cycles),
	counter("RSS Indirection Table Change Calls/sec", "Updates of the table of RSS by a protocol.", "low is good; many short TCP connections raise it", activity),
	counter("Miniport RSS Indirection Table Change Cycles", "Cycles of the request that changes the table of RSS.", "not reliable where the clocks of the processors are not in step", cycles),
	counter("Packets Coalesced/sec", "Packets that the coalescing filter matched.", "", activity),

	counter("Low Power Transitions (Lifetime)", "How many times the device went to D2 or D3, for whatever cause: selective suspend, standby, sleep, or no link.", "it restarts when the device halts", physical),
	counter("% Time Suspended (Lifetime)", "The share of time in low power since the start.", "", physical),
	counter("% Time Suspended (Instantaneous)", "The share of time in low power between the two samples.", "", physical),
	counter("Device Power State", "0 is D0, at work; 2 is D2, 3 is D3.", "", physical),
}

const (
	lowResource = "0 or nearly is good; some drivers always set the flag; a rise from 0 means that processing is slow or packets leak"
	returned    = "deferring and low power hide parts of it"
)

func counter(name, text, beware string, objects ...string) Meaning {
	return Meaning{Source: Counter, Name: name, Text: text, Beware: beware, Objects: objects}
}

func object(name, text, beware string) Meaning {
	return Meaning{Source: Object, Name: name, Text: text, Beware: beware}
}

var allCounters = sync.OnceValue(func() []Meaning { return slices.Concat(counters, catalog()) })

// counterIndex finds counters by object and name in lower case: a page asks for
// hundreds of thousands.
var counterIndex = sync.OnceValue(func() map[[2]string]int {
	index := map[[2]string]int{}
	for i, m := range allCounters() {
		for _, object := range m.Objects {
			index[[2]string{strings.ToLower(object), strings.ToLower(m.Name)}] = i
		}
	}
	return index
})

// OfCounter returns what there is to say of a counter of an object, by their
// English names in any case.
func OfCounter(object, counter string) (Meaning, bool) {
	i, ok := counterIndex()[[2]string{strings.ToLower(generalObject(object)), strings.ToLower(counter)}]
	if !ok {
		return Meaning{}, false
	}
	return allCounters()[i], true
}

// OfObject returns what there is to say of the counters of an object.
func OfObject(name string) (Meaning, bool) {
	return first(objects, func(m Meaning) bool { return strings.EqualFold(m.Name, name) })
}

// first returns the first meaning that is right.
func first(all []Meaning, right func(Meaning) bool) (Meaning, bool) {
	if i := slices.IndexFunc(all, right); i >= 0 {
		return all[i], true
	}
	return Meaning{}, false
}

// ofWord returns the counters and objects of a name, or of a counter path.
func ofWord(word string) []Meaning {
	var all []Meaning
	for _, m := range slices.Concat(objects, allCounters()) {
		if strings.EqualFold(m.Name, word) {
			all = append(all, m)
		}
	}
	if strings.Contains(word, `\`) {
		path, err := pdhpath.Parse(`\` + strings.TrimPrefix(word, `\`))
		if m, ok := OfCounter(path.Object, path.Counter); err == nil && ok {
			all = append(all, m)
		}
	}
	return all
}

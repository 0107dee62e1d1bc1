package perftest

import (
	"encoding/binary"
	"fmt"
)

// Sized returns a block of close to n bytes and never more, from 1 KB up to
// 2 GB: the objects of a small server over and over, so that bytes of all
// sizes are of the same kind. It is free of anomalies.
func Sized(seed uint64, n int) []byte {
	src := Busy(seed, Small)
	header := int(binary.LittleEndian.Uint32(src[24:]))
	out := append(make([]byte, 0, n), src[:header]...)
	objects, process := uint32(0), false
	for {
		before := len(out)
		for at := header; at < len(src); {
			size := int(binary.LittleEndian.Uint32(src[at:]))
			title := binary.LittleEndian.Uint32(src[at+12:])
			if len(out)+size <= n && (title != 232 || process) { // threads name processes
				out = append(out, src[at:at+size]...)
				objects++
				process = process || title == 230
			}
			at += size
		}
		if len(out) == before {
			break
		}
	}
	binary.LittleEndian.PutUint32(out[20:], uint32(len(out)))
	binary.LittleEndian.PutUint32(out[28:], objects)
	return out
}

// Wide returns a block of one object with the given number of counters and
// instances. It is free of anomalies.
func Wide(counters, instances int) []byte {
	o := Object{Title: 5000, Counters: make([]Counter, counters), Instances: make([]Instance, instances)}
	for i := range o.Counters {
		o.Counters[i] = Counter{Title: uint32(5002 + 2*i), Type: 0x10410500}
		if i%3 == 2 {
			o.Counters[i].Type = 0x00010000
		}
	}
	values := make([]uint64, counters)
	for i := range values {
		values[i] = uint64(i) * 1_000_003
	}
	for i := range o.Instances {
		o.Instances[i] = Instance{Name: fmt.Sprintf("instance %d", i), Values: values}
	}
	b := Block{Name: "WIDE", Objects: []Object{o}}
	return b.Bytes()
}

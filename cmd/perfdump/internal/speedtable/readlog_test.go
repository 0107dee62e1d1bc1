package speedtable

import (
	"bytes"
	"encoding/binary"

	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

// The structs of docs/blg.md that a reader of samples needs.
type (
	bufferHeader struct {
		BufferSize  uint32
		_           [44]byte
		FilledBytes uint32
		_           [20]byte
	}
	eventHeader struct {
		Size      uint16
		Kind      uint8
		Marker    uint8
		EventType uint8
		_         [11]byte
		Time      int64
		_         [24]byte
	}
	partHeader struct {
		LogID       [16]byte
		Part, Parts uint32
	}
	subHeader struct {
		Signature [3]byte
		Kind      uint8
		Length    uint32
	}
	instancesBody struct {
		Length, Count, Status, Padding uint32
		SampleTime                     int64
	}
	instanceEntry struct {
		NameOffset, MultiCount uint32
		First, Second          uint64
	}
)

// readLog reads all values of a log as one would write it who trusts its input,
// and returns how many there are.
func readLog(b []byte) (n int) {
	read := func(b []byte, v any) {
		if err := binary.Read(bytes.NewReader(b), binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	var data []byte
	for len(b) > 0 {
		var h bufferHeader
		read(b, &h)
		for at := 72; at < int(h.FilledBytes); {
			var e eventHeader
			read(b[at:], &e)
			if e.Kind != 0x14 { // the log header, whose length is elsewhere
				at += (int(binary.LittleEndian.Uint16(b[at+4:])) + 7) &^ 7
				continue
			}
			if e.EventType == 0x22 {
				var p partHeader
				read(b[at+48:], &p)
				if data = append(data, b[at+72:at+int(e.Size)]...); p.Part == p.Parts {
					n += readSample(data, read)
					data = nil
				}
			}
			at += (int(e.Size) + 7) &^ 7
		}
		b = b[h.BufferSize:]
	}
	return n
}

func readSample(b []byte, read func([]byte, any)) (n int) {
	for b = b[8:]; len(b) >= 8; {
		var s subHeader
		read(b, &s)
		switch body := b[8:s.Length]; s.Kind {
		case 2:
			var in instancesBody
			read(body, &in)
			values := map[string]uint64{}
			for i := range in.Count {
				var e instanceEntry
				read(body[24+24*i:], &e)
				name := body[e.NameOffset:]
				end := 0
				for name[end] != 0 || name[end+1] != 0 {
					end += 2
				}
				values[perftest.UTF16Text(name[:end])] = e.First
			}
			n += len(values)
		case 5:
			objects, err := perftest.Export(body)
			if err != nil {
				panic(err)
			}
			for _, o := range objects {
				for _, in := range o.Instances {
					n += len(in.Counters)
				}
			}
		}
		b = b[s.Length:]
	}
	return n
}

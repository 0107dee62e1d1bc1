package carve_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/carve"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
)

const benchSize = 64 << 20

// noise returns n bytes without blocks.
func noise(kind string, n int) []byte {
	b := make([]byte, n)
	switch kind {
	case "zeros":
	case "random":
		_, _ = rand.NewChaCha8([32]byte{1}).Read(b)
	case "text": // in UTF-16, with many words that begin as a signature does
		const words = `The PERFORMANCE of \PhysicalDisk(_Total)\% Processor Time, PERF  `
		for i := 0; i+1 < n; i += 2 {
			b[i] = words[i/2%len(words)]
		}
	case "signatures":
		for i := 0; i < n; i += 8 {
			copy(b[i:], "P\x00E\x00R\x00F\x00")
		}
	case "headers": // each leads into a chain of thousands of objects
		hostile(b)
	}
	return b
}

// hostile fills b with headers one behind the other, each of which is followed
// by the first of thousands of objects and by no end.
func hostile(b []byte) {
	const step = 96
	header := (&perftest.Block{}).Bytes()
	binary.LittleEndian.PutUint32(header[20:], 4096*step+96+1) // nothing ends there
	binary.LittleEndian.PutUint32(header[24:], 96)
	binary.LittleEndian.PutUint32(header[28:], 4096)
	for i := 0; i+step <= len(b); i += step {
		copy(b[i:], header)
		// An object's length is where the next header's signature would be but
		// for this: a chain needs bytes of its own.
		binary.LittleEndian.PutUint32(b[i+88:], step)
	}
	// The first object of each header begins 88 bytes behind it.
	for i := 0; i+step <= len(b); i += step {
		binary.LittleEndian.PutUint32(b[i+24:], 88)
		binary.LittleEndian.PutUint32(b[i+20:], 88+4096*step-1)
	}
}

func count(data []byte) (n int, err error) {
	for _, e := range carve.Scan(bytes.NewReader(data), int64(len(data))) {
		if e != nil {
			return n, e
		}
		n++
	}
	return n, nil
}

func BenchmarkScan(b *testing.B) {
	block := perftest.Sized(1, 1<<20)
	for _, kind := range []string{"zeros", "random", "text", "signatures", "headers", "blocks"} {
		data := noise(kind, benchSize)
		if kind == "blocks" {
			data = bytes.Repeat(block, benchSize/len(block))
		}
		b.Run(kind, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				_, _ = count(data)
			}
		})
	}
}

// Time grows as the input does, for input made to take long too. A chain
// followed to its end from each header would make it a thousand times that.
func TestHostileInputIsLinear(t *testing.T) {
	if perftest.Race {
		t.Skip("times are not meaningful under the race detector")
	}
	plain := noise("signatures", 32<<20)
	bad := noise("headers", 32<<20)
	_, err := count(bad)
	require.ErrorContains(t, err, "headers of blocks were not followed")
	took := perftest.Turns(5, func() { _, _ = count(bad) }, func() { _, _ = count(plain) })
	require.Less(t, took[0].Median, 20*took[1].Median)
}

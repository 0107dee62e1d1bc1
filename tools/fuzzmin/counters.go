package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// A block is a piece of code that is run whole or not at all, as the compiler
// counts it: package, function, and which of the function's blocks.
type block struct{ pkg, fn, unit uint32 }

var (
	counterMagic    = []byte("\x00cwm")
	errCountersCut  = errors.New("counters end early")
	errCountersKind = errors.New("counters in a form that this tool does not know; see internal/coverage of this Go")
)

// reached reads a counter file of runtime/coverage (Go's internal/coverage has
// the layout) and gives the blocks that were run.
func reached(b []byte) ([]block, error) {
	const header, segment, footer = 32, 16, 16
	if len(b) < header+segment+footer {
		return nil, errCountersCut
	}
	if !slices.Equal(b[:4], counterMagic) || binary.LittleEndian.Uint32(b[4:]) != 1 {
		return nil, errCountersKind
	}
	const uleb = 2
	if b[24] != uleb || binary.LittleEndian.Uint32(b[len(b)-8:]) != 1 {
		return nil, errCountersKind
	}
	functions := binary.LittleEndian.Uint64(b[header:])
	names := binary.LittleEndian.Uint32(b[header+8:])
	args := binary.LittleEndian.Uint32(b[header+12:])
	at := uint64(header) + segment + uint64(names) + uint64(args)
	at = (at + 3) &^ 3
	if at > uint64(len(b)-footer) {
		return nil, errCountersCut
	}
	rest := b[at : len(b)-footer]
	next := func() uint32 {
		v, n := binary.Uvarint(rest)
		if n <= 0 {
			rest = nil
			return 0
		}
		rest = rest[n:]
		return uint32(v)
	}
	var out []block
	for i := range functions {
		if len(rest) < 3 {
			return nil, fmt.Errorf("function %d of %d: %w", i, functions, errCountersCut)
		}
		n, pkg, fn := next(), next(), next()
		if uint64(n) > uint64(len(rest)) {
			return nil, fmt.Errorf("function %d of %d: %w", i, functions, errCountersCut)
		}
		for unit := range n {
			if next() > 0 {
				out = append(out, block{pkg, fn, unit})
			}
		}
	}
	return out, nil
}

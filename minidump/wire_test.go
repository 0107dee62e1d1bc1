package minidump

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/lunixbochs/struc"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/wire"
)

var strucOptions = &struc.Options{Order: binary.LittleEndian, PtrSize: 32}

// FuzzMinidumpHandEqualsStruc holds the hand-written loads against what struc
// reads by the tags.
func FuzzMinidumpHandEqualsStruc(f *testing.F) {
	seed := make([]byte, moduleSize)
	for i := range seed {
		seed[i] = byte(0xff - 3*i)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < moduleSize {
			return
		}
		checkStruc(t, b, headerSize, func(h *Header) { h.load(b) })
		checkStruc(t, b, directoryEntrySize, func(h *directoryEntry) { h.load(b) })
		checkStruc(t, b, systemInfoSize, func(h *SystemInfo) { h.load(b) })
		checkStruc(t, b, miscInfoSize, func(h *miscInfo) { h.load(b) })
		checkStruc(t, b, moduleSize, func(h *moduleEntry) { h.load(b) })
		checkStruc(t, b, descriptorSize, func(h *memoryDescriptor) { h.load(b) })
		checkStruc(t, b, descriptorSize, func(h *memoryDescriptor64) { h.load(b) })
		checkStruc(t, b, memory64ListSize, func(h *memory64List) { h.load(b) })
		checkStruc(t, b, listHeaderSize, func(h *listHeader) { h.load(b) })
		checkStruc(t, b, memoryInfoListSize, func(h *memoryInfoList) { h.load(b) })
		checkStruc(t, b, memoryInfoSize, func(h *memoryInfo) { h.load(b) })
		checkStruc(t, b, handleDataSize, func(h *handleDataHeader) { h.load(b) })
		checkStruc(t, b, handleDescriptorSize, func(h *handleDescriptor) { h.load(b) })
	})
}

func checkStruc[T any](t *testing.T, b []byte, size int, load func(*T)) {
	t.Helper()
	var want, got T
	require.NoError(t, struc.UnpackWithOptions(bytes.NewReader(b), &want, strucOptions))
	load(&got)
	require.Equal(t, want, got)
	_, n := wire.Layout(got)
	require.Equal(t, size, n)
}

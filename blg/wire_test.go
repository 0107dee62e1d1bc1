package blg

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/lunixbochs/struc"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/wire"
)

var strucOptions = &struc.Options{Order: binary.LittleEndian, PtrSize: 32}

// FuzzBLGHandEqualsStruc holds the hand-written loads against what struc reads
// by the tags.
func FuzzBLGHandEqualsStruc(f *testing.F) {
	seed := make([]byte, timeZoneSize)
	for i := range seed {
		seed[i] = byte(0xff - 3*i)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < timeZoneSize {
			return
		}
		checkStruc(t, b, bufferHeaderSize, func(h *bufferHeader) { h.load(b) })
		checkStruc(t, b, systemHeaderSize, func(h *systemHeader) { h.load(b) })
		checkStruc(t, b, logHeaderSize, func(h *LogHeader) { h.load(b) })
		checkStruc(t, b, timeZoneSize, func(h *TimeZone) { h.load(b) })
		checkStruc(t, b, logTailSize, func(h *LogTail) { h.load(b) })
		checkStruc(t, b, eventHeaderSize, func(h *eventHeader) { h.load(b) })
		checkStruc(t, b, partHeaderSize, func(h *partHeader) { h.load(b) })
		checkStruc(t, b, itemHeaderSize, func(h *ItemHeader) { h.load(b) })
		checkStruc(t, b, valueBodySize, func(h *valueBody) { h.load(b) })
		checkStruc(t, b, instancesBodySize, func(h *instancesBody) { h.load(b) })
		checkStruc(t, b, instanceEntrySize, func(h *instanceEntry) { h.load(b) })
		checkStruc(t, b, catalogueHeaderSize, func(h *catalogueHeader) { h.load(b) })
		checkStruc(t, b, catalogueObjectSize, func(h *catalogueObject) { h.load(b) })
		checkStruc(t, b, catalogueInstanceSize, func(h *catalogueInstance) { h.load(b) })
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

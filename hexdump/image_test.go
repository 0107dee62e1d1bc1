package hexdump_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/hexdump"
	"github.com/perfdump/perfdump/internal/formattest"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
)

func serviceDump(t testing.TB) []byte { return read(t, "../minidump/service_x64.dmp") }

// rawImage has a table off any page between noise.
func rawImage(t testing.TB) []byte {
	b := append(bytes.Repeat([]byte("noise..."), 37), read(t, "../ipcblock/sxs_x64.bin")...)
	return append(b, "the end"...)
}

// tiles holds that spans follow each other from the first byte to the last.
func tiles(t *testing.T, d hexdump.Document) {
	t.Helper()
	formattest.Cover(t, d.Spans(), 0, int64(len(d.Bytes())))
}

// The documents of memory tile, whole, cut and damaged, and show each byte
// once.
func TestImages(t *testing.T) {
	dump1, raw := serviceDump(t), rawImage(t)
	broken := bytes.Clone(dump1)
	copy(broken[0x5b4+28:], make([]byte, 4))
	vector, err := aspnet.Append(nil, aspnet.V20, make([]uint32, 84))
	require.NoError(t, err)
	for name, d := range map[string]hexdump.Document{
		"dump": hexdump.Minidump(dump1, hexdump.Input{}), "cut in memory": hexdump.Minidump(dump1[:70000], hexdump.Input{}),
		"cut in a list": hexdump.Minidump(dump1[:300], hexdump.Input{}), "no dump": hexdump.Minidump(dump1[:20], hexdump.Input{}),
		"broken chunk": hexdump.Minidump(broken, hexdump.Input{}), "memory": hexdump.Memory(raw, hexdump.Input{}),
		"no table": hexdump.Memory(raw[:300], hexdump.Input{}), "vector": hexdump.ASPNet(vector, aspnet.V20),
		"no vector": hexdump.ASPNet(vector[:80], aspnet.V20),
	} {
		t.Run(name, func(t *testing.T) {
			tiles(t, d)
			everyByteOnce(t, dump(t, d, hexdump.Options{All: true}), d.Bytes(), 0, int64(len(d.Bytes())))
		})
	}
	require.NoError(t, hexdump.Minidump(dump1, hexdump.Input{Mode: perfdump.Strict}).Err())
	require.Error(t, hexdump.Minidump(dump1[:70000], hexdump.Input{Mode: perfdump.Strict}).Err())
	require.Error(t, hexdump.ASPNet(vector[:80], aspnet.V20).Err())
}

// What nobody has touched is one run, unless it is asked for by its path.
func TestUntouchedChunksAreOneRun(t *testing.T) {
	d := hexdump.IPCBlock(read(t, "../ipcblock/sxs_x64.bin"), hexdump.Input{})
	text := dump(t, d, hexdump.Options{})
	assert.Equal(t, 1, strings.Count(text, "untouched"))
	assert.Contains(t, text, "| padding, 31 untouched chunks\n")
	assert.Contains(t, dump(t, d, hexdump.Options{Path: "chunk[5]"}), "chunk[5]: padding, untouched chunk\n")
	assert.Equal(t, 31, strings.Count(dump(t, d, hexdump.Options{All: true}), "untouched chunk\n"))
}

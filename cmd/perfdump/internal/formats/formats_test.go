package formats

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/detect"
)

const root = "../../../../"

func open(t testing.TB, name string) *detect.Input {
	t.Helper()
	in, err := detect.Open(root+name, detect.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = in.Close() })
	return in
}

func found(in *detect.Input, o capture.Options) []Finding {
	return slices.Collect(Of(in.Format).Findings(in, o))
}

func TestCheckListsEverything(t *testing.T) {
	in := open(t, "testdata/captures/inst-x86_64-1.bin")
	clean := found(in, capture.Options{})
	assert.Len(t, clean, 6)
	for _, f := range clean {
		assert.Equal(t, SeverityWarning, f.Severity)
	}
	for _, f := range found(in, capture.Options{Options: perfdump.Options{Mode: perfdump.Strict}}) {
		assert.Equal(t, SeverityError, f.Severity)
	}

	// An error in the first object does not hide what is behind it.
	broken := *in
	broken.Data = slices.Clone(in.Data)
	copy(broken.Data[96+4:], []byte{0xff, 0xff, 0, 0})
	all := found(&broken, capture.Options{})
	assert.Equal(t, SeverityError, all[0].Severity)
	assert.Equal(t, perfdump.CodeLength, all[0].Code)
	assert.Len(t, all, 7)

	// What is past the limit is counted.
	o := capture.Options{Options: perfdump.Options{Limits: perfdump.Limits{Anomalies: 1}}}
	n := 0
	for _, f := range found(in, o) {
		n += max(f.Count, 1)
	}
	assert.Equal(t, 6, n)
}

// TestBadBlocks holds that a file cut anywhere or changed in any field is checked
// and summed up.
func TestBadBlocks(t *testing.T) {
	b := open(t, "testdata/captures/sys-238-x86_64-1.bin").Data
	try := func(data []byte) {
		in := &detect.Input{Name: "x", Format: detect.PerfData, Data: data}
		for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict, perfdump.Salvage} {
			o := capture.Options{Options: perfdump.Options{Mode: mode}}
			Inspect(in, o, View{})
			found(in, o)
		}
	}
	for n := 0; n < len(b); n += 3 {
		try(b[:n])
	}
	for i := 0; i+4 <= len(b); i += 4 {
		for _, v := range []uint32{0, 1, 0x7f, 0x80, 0xff, 0xffffffff} {
			c := slices.Clone(b)
			binary.LittleEndian.PutUint32(c[i:], v)
			try(c)
		}
	}
}

// smallLog returns testdata/blg/small.blg as an input, after a change.
func smallLog(t testing.TB, change func(b []byte)) *detect.Input {
	t.Helper()
	b, err := os.ReadFile(root + "testdata/blg/small.blg")
	require.NoError(t, err)
	if change != nil {
		change(b)
	}
	name := t.TempDir() + "/small.blg"
	require.NoError(t, os.WriteFile(name, b, 0o600))
	in, err := detect.Open(name, detect.Options{Format: detect.BLG})
	require.NoError(t, err)
	t.Cleanup(func() { _ = in.Close() })
	return in
}

var signature = []byte("P\x00E\x00R\x00F\x00")

// TestCheckOfLogsLooksIntoBlocks holds that what is odd in an embedded block is
// told at its place in the file, once for each record.
func TestCheckOfLogsLooksIntoBlocks(t *testing.T) {
	var places []int64
	in := smallLog(t, func(b []byte) {
		for at := 0; ; {
			i := bytes.Index(b[at:], signature)
			if i < 0 {
				break
			}
			at += i
			// The name of the machine, which lies behind the header, is said
			// to be of an odd number of bytes.
			binary.LittleEndian.PutUint32(b[at+80:], 11)
			places = append(places, int64(at))
			at += len(signature)
		}
	})
	require.Len(t, places, 4)
	n := 0
	for _, f := range found(in, capture.Options{}) {
		require.Equal(t, SeverityWarning, f.Severity)
		require.Contains(t, f.Path, "series[2]")
		require.Greater(t, f.Offset, places[n])
		require.Less(t, f.Offset, places[n]+280)
		n++
	}
	require.Equal(t, 4, n)

	n = 0
	for _, f := range found(in, capture.Options{Options: perfdump.Options{Mode: perfdump.Strict}}) {
		require.Equal(t, SeverityError, f.Severity)
		n++
	}
	require.Equal(t, 4, n)

	// Beyond the limit they are counted.
	total, kept := 0, 0
	for _, f := range found(in, capture.Options{Options: perfdump.Options{Limits: perfdump.Limits{Anomalies: 3}}}) {
		if f.Count == 0 {
			kept++
		}
		total += max(1, f.Count)
	}
	require.Equal(t, 3, kept)
	require.Equal(t, 4, total)
}

// TestFactsOfAFile holds the keys and the lines of the smallest format.
func TestFactsOfAFile(t *testing.T) {
	in := &detect.Input{Name: "x.h", Format: detect.SymbolH, Data: []byte("#define A 0\n#define B 2\n")}
	s := Inspect(in, capture.Options{}, View{})
	assert.Equal(t, []Key{{"encoding", "cp1252"}, {"lines", 2}, {"defines", 2}, {"largest_offset", uint32(2)}}, s.Keys)
	assert.Equal(t, []Line{{"encoding", "cp1252"}, {"lines", "2"}, {"defines", "2"}, {"largest", "2"}}, s.Lines)
	assert.Equal(t, "(2 defines)", s.Holds)
}

// TestTable holds that each format has one entry.
func TestTable(t *testing.T) {
	seen := map[detect.Format]bool{}
	for _, f := range all {
		assert.False(t, seen[f.Name], f.Name)
		seen[f.Name] = true
		if f.Name != detect.Carve {
			assert.NotNil(t, f.Facts, f.Name)
			assert.NotNil(t, f.Check, f.Name)
		}
	}
}

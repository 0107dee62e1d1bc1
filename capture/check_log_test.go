package capture_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
)

// smallLog returns testdata/blg/small.blg as an input, after a change.
func smallLog(t testing.TB, change func(b []byte)) *detect.Input {
	t.Helper()
	b, err := os.ReadFile("../testdata/blg/small.blg")
	require.NoError(t, err)
	if change != nil {
		change(b)
	}
	name := t.TempDir() + "/small.blg"
	require.NoError(t, os.WriteFile(name, b, 0o600))
	in, err := detect.OpenAny(name, detect.Options{Format: detect.BLG})
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
	for f := range capture.Check(in, capture.Options{}) {
		require.Equal(t, capture.SeverityWarning, f.Severity)
		require.Contains(t, f.Path, "series[2]")
		require.Greater(t, f.Offset, places[n])
		require.Less(t, f.Offset, places[n]+280)
		n++
	}
	require.Equal(t, 4, n)

	n = 0
	for f := range capture.Check(in, capture.Options{Mode: perfdump.Strict}) {
		require.Equal(t, capture.SeverityError, f.Severity)
		n++
	}
	require.Equal(t, 4, n)

	// Beyond the limit they are counted.
	total, kept := 0, 0
	for f := range capture.Check(in, capture.Options{Limits: perfdump.Limits{Anomalies: 3}}) {
		if f.Count == 0 {
			kept++
		}
		total += max(1, f.Count)
	}
	require.Equal(t, 3, kept)
	require.Equal(t, 4, total)
}

// TestInspectOfLogs holds the sums of a log against those of what cook makes of
// it.
func TestInspectOfLogs(t *testing.T) {
	s := capture.Inspect(smallLog(t, nil), capture.Options{})
	require.Empty(t, s.Errors)
	r := record(t, capture.Options{}, capture.CookOptions{}, smallLog(t, nil))
	n := int64(0)
	for f, err := range r.Frames() {
		require.NoError(t, err)
		if n == 0 {
			require.Equal(t, f.Time, s.Log.Start)
			require.Equal(t, f.Offset, s.Log.Offset)
		}
		require.False(t, f.Time.After(s.Log.End))
		n++
	}
	require.Equal(t, n, s.Log.Records)
}

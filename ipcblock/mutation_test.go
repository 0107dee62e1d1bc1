package ipcblock_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/ipcblock"
)

// TestTruncation cuts each sample at every length. A table keeps its whole
// chunks; anything else was cut, also where the layout is looked for.
func TestTruncation(t *testing.T) {
	for name, b := range samples(t) {
		layout := parse(t, b).Layout()
		for n := 1; n < len(b); n++ {
			if n > 2*2048 && n%2048 > 1 {
				continue
			}
			for _, l := range []ipcblock.Layout{ipcblock.Auto, layout} {
				tab, err := ipcblock.Parse(b[:n:n], ipcblock.Options{Layout: l})
				whole := layout == ipcblock.SxS && n >= 2048
				if name == "empty" && l == ipcblock.Auto {
					continue // zeros begin anything
				}
				if !whole {
					checkError(t, b, err)
					require.ErrorIs(t, err, perfdump.ErrTruncated, "%s at %d", name, n)
					continue
				}
				require.NoError(t, err, "%s at %d", name, n)
				require.Equal(t, n/2048, tab.NumChunks())
				if n < 2048+64 || n%2048 == 1 {
					check(t, b[:n], tab)
				}
			}
		}
	}
	_, err := ipcblock.Parse([]byte("GIF89a, as long as a header"), ipcblock.Options{})
	require.ErrorIs(t, err, perfdump.ErrSignature)
}

// TestOneFieldMutations sets each field of each sample to what breaks readers.
func TestOneFieldMutations(t *testing.T) {
	odd := []uint64{0, 1, 2, 3, 7, 39, 40, 41, 279, 280, 281, 320, 384, 424, 2047, 2048, 65535, 65536, math.MaxInt32, 1 << 31, math.MaxUint32 - 1, math.MaxUint32, math.MaxUint64}
	for name, b := range samples(t) {
		if len(b) == 65536 {
			b = b[:4*2048] // the rest is more of the same
		}
		if name == "empty" {
			continue
		}
		tab := parse(t, b)
		n := 0
		for s := range tab.Spans() {
			if ipcblock.IsGap(s) || s.Size > 8 {
				continue
			}
			n++
			for _, v := range odd {
				m := slices.Clone(b)
				for i := range s.Size {
					m[s.Off+i] = byte(v >> (8 * i))
				}
				for mode := perfdump.Tolerant; mode <= perfdump.Salvage; mode++ {
					got, err := ipcblock.Parse(m, ipcblock.Options{Options: perfdump.Options{Mode: mode}, Layout: tab.Layout()})
					require.Equal(t, err == nil, got != nil)
					switch {
					case err != nil:
						checkError(t, m, err)
						require.True(t, mode != perfdump.Salvage || tab.Layout() != ipcblock.SxS)
					case mode == perfdump.Strict:
						require.Zero(t, got.Anomalies().Len()+len(slices.Collect(got.Faults())))
					case !strings.Contains(s.Path.FieldName(), "perf.") || n%16 == 0: // counters change themselves only
						check(t, m, got)
					}
				}
			}
		}
		require.Greater(t, n, 60, name)
	}
}

func TestStrangeInput(t *testing.T) {
	for layout := ipcblock.SxS; layout <= ipcblock.Bare; layout++ {
		for n := range 64 {
			_, err := ipcblock.Parse(make([]byte, n), ipcblock.Options{Layout: layout})
			checkError(t, make([]byte, n), err)
			require.Equal(t, n == 0, errors.Is(err, perfdump.ErrEmpty))
		}
	}
	noise := noiseMemory(65536)
	for _, b := range []string{"x", "no block at all, but some text", string(noise[4096 : 4*4096])} {
		_, err := ipcblock.Parse([]byte(b), ipcblock.Options{})
		checkError(t, []byte(b), err)
	}
	// Salvage mode does not fail, and no more anomalies are kept than the limit.
	o := ipcblock.Options{Options: perfdump.Options{Mode: perfdump.Salvage, Limits: perfdump.Limits{Anomalies: 3}}, Layout: ipcblock.SxS}
	tab, err := ipcblock.Parse(noise, o)
	require.NoError(t, err)
	require.Len(t, tab.Anomalies().Kept(), 3)
	require.Greater(t, tab.Anomalies().Len(), 20)
	check(t, noise, tab)
}

func TestCloneSharesNothing(t *testing.T) {
	b := oneLive(t, ipcblock.X86)
	var d ipcblock.Decoder
	tab, err := d.Decode(b)
	require.NoError(t, err)
	c := tab.Clone()
	want := all(c.Chunk(0))
	clear(b)
	_, err = d.Decode(oneLive(t, ipcblock.X64))
	require.NoError(t, err)
	require.Equal(t, want, all(c.Chunk(0)))
	require.Equal(t, ipcblock.X86, c.Chunk(0).Arch)
}

func TestTreeRefuses(t *testing.T) {
	for name, tree := range map[string]*ipcblock.Tree{
		"no arch":       {Kind: ipcblock.SxS, Chunks: []ipcblock.TreeChunk{{}}},
		"index":         {Kind: ipcblock.SxS, Chunks: []ipcblock.TreeChunk{live(32, ipcblock.X86)}},
		"twice":         {Kind: ipcblock.SxS, Chunks: []ipcblock.TreeChunk{live(1, ipcblock.X86), live(1, ipcblock.X86)}},
		"no runtime":    {Kind: ipcblock.SxS, Chunks: []ipcblock.TreeChunk{{Arch: ipcblock.X86}}},
		"bad":           {Kind: ipcblock.SxS, Chunks: []ipcblock.TreeChunk{{Arch: ipcblock.X86, State: ipcblock.Bad}}},
		"no kind":       {Chunks: []ipcblock.TreeChunk{live(0, ipcblock.X86)}},
		"no block":      {Kind: ipcblock.Bare},
		"path too long": {Kind: ipcblock.LegacyPrivate, Chunks: []ipcblock.TreeChunk{{Arch: ipcblock.X86, Path: string(make([]rune, 300))}}},
	} {
		require.Error(t, tree.Layout(), name)
	}
	for name, change := range map[string]func(*ipcblock.Tree){
		"too wide":       func(t *ipcblock.Tree) { t.Chunks[0].Values[field("gc.gcHandles")] = 1 << 32 },
		"hole":           func(t *ipcblock.Tree) { t.Gaps = t.Gaps[1:] },
		"contradiction":  func(t *ipcblock.Tree) { t.Gaps = append(t.Gaps, ipcblock.TreeGap{Bytes: []byte{9}}) },
		"outside":        func(t *ipcblock.Tree) { t.Gaps = append(t.Gaps, ipcblock.TreeGap{Off: t.Size, Bytes: []byte{9}}) },
		"zeros outside":  func(t *ipcblock.Tree) { t.Gaps = append(t.Gaps, ipcblock.TreeGap{Off: t.Size, Zero: 1}) },
		"negative zeros": func(t *ipcblock.Tree) { t.Gaps = append(t.Gaps, ipcblock.TreeGap{Zero: -1}) },
		"negative":       func(t *ipcblock.Tree) { t.Gaps = append(t.Gaps, ipcblock.TreeGap{Off: -1, Bytes: []byte{0}}) },
		"huge":           func(t *ipcblock.Tree) { t.Size = math.MaxInt },
		"negative size":  func(t *ipcblock.Tree) { t.Size = -1 },
		"index":          func(t *ipcblock.Tree) { t.Chunks[0].Index = -1 },
		"perf outside":   func(t *ipcblock.Tree) { t.Chunks[0].PerfOff = 1 << 20 },
	} {
		tree := parse(t, oneLive(t, ipcblock.X86)).Tree()
		change(tree)
		_, err := tree.AppendBinary(nil)
		require.Error(t, err, name)
	}
	tree := parse(t, legacy(t, ipcblock.LegacyPrivate, ipcblock.X86, 1)).Tree()
	tree.Chunks[0].HInstance = 1 << 32
	_, err := tree.AppendBinary(nil)
	require.Error(t, err)
}

// TestLayoutIsAFixpoint: what a decoded block says is what Layout computes.
func TestLayoutIsAFixpoint(t *testing.T) {
	for name, b := range samples(t) {
		tree := parse(t, b).Tree()
		require.NoError(t, tree.Layout(), name)
		got, err := tree.AppendBinary([]byte("x"))
		require.NoError(t, err)
		require.Equal(t, string(b), string(got[1:]), name)
	}
}

// TestDetectDamagedChunk: a chunk with three fields that are none of its kind is known by the other
// four, whichever these are.
func TestDetectDamagedChunk(t *testing.T) {
	for _, a := range []ipcblock.Arch{ipcblock.X86, ipcblock.X64} {
		wrong := []func(b []byte) []byte{
			func(b []byte) []byte { return put16(b, 16, 5) },
			func(b []byte) []byte { return put16(b, 18, 8) },
			func(b []byte) []byte { return put32(b, 20, 2000) },
			func(b []byte) []byte { return put32(b, 28, 2) },
			func(b []byte) []byte { return put32(b, 32, 44) },
			func(b []byte) []byte { return put32(b, 36, 100) },
			func(b []byte) []byte { return put16(b, 40, 100) },
		}
		for set := range 1 << len(wrong) {
			b, n := oneLive(t, a)[:2048], 0
			for i, change := range wrong {
				if set>>i&1 != 0 {
					b, n = change(b), n+1
				}
			}
			want := ipcblock.Auto
			if n <= 3 {
				want = ipcblock.SxS
			}
			require.Equal(t, want, ipcblock.DetectLayout(b, int64(len(b))), "%v %07b", a, set)
		}
	}
}

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

// TestTruncation cuts each sample at every length.
func TestTruncation(t *testing.T) {
	for name, b := range samples(t) {
		whole := parse(t, b)
		layout := whole.Layout()
		for n := range len(b) {
			if n > 2*2048 && n%2048 > 1 {
				continue
			}
			for _, l := range []ipcblock.Layout{ipcblock.Auto, layout} {
				tab, err := ipcblock.Parse(b[:n:n], ipcblock.Options{Layout: l})
				if err != nil {
					checkError(t, b, err)
					if l != ipcblock.Auto && n > 0 && layout != ipcblock.SxS {
						require.True(t, errors.Is(err, perfdump.ErrTruncated), "%s at %d: %v", name, n, err)
					}
					continue
				}
				require.Equal(t, ipcblock.SxS, tab.Layout(), "%s at %d", name, n)
				require.Equal(t, n/2048, tab.NumChunks())
				if n < 2048+64 || n%2048 == 1 {
					check(t, b[:n], tab)
				}
			}
			if layout == ipcblock.SxS && n < 2048 {
				_, err := ipcblock.Parse(b[:n:n], ipcblock.Options{Layout: layout})
				require.Error(t, err)
				require.True(t, n == 0 || errors.Is(err, perfdump.ErrTruncated))
			}
		}
	}
}

// TestTruncationIsTold: what is too short for anything whole, but begins like a
// layout, was cut; it is told as that also where the layout is looked for.
func TestTruncationIsTold(t *testing.T) {
	for name, b := range samples(t) {
		if name == "empty" {
			continue // zeros begin anything
		}
		for n := 1; n < min(len(b), 2048); n++ {
			_, err := ipcblock.Parse(b[:n:n], ipcblock.Options{})
			require.ErrorIs(t, err, perfdump.ErrTruncated, "%s at %d", name, n)
			checkError(t, b[:n], err)
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
				for _, mode := range []perfdump.Mode{perfdump.Tolerant, perfdump.Strict, perfdump.Salvage} {
					for _, layout := range []ipcblock.Layout{ipcblock.Auto, tab.Layout()} {
						got, err := ipcblock.Parse(m, ipcblock.Options{Mode: mode, Layout: layout})
						require.Equal(t, err == nil, got != nil)
						if err != nil {
							checkError(t, m, err)
							require.True(t, mode != perfdump.Salvage || tab.Layout() != ipcblock.SxS)
							continue
						}
						if mode == perfdump.Strict {
							require.Zero(t, got.Anomalies().Len())
							require.Empty(t, got.Faults())
						}
						// The counters change nothing but themselves.
						if mode == perfdump.Strict || layout == ipcblock.Auto || strings.Contains(s.Path.FieldName(), "perf.") && n%16 != 0 {
							continue
						}
						check(t, m, got)
					}
				}
			}
		}
		require.Greater(t, n, 60, name)
	}
}

func TestAnyByteOfAHeader(t *testing.T) {
	for _, b := range samples(t) {
		for off := range min(len(b), 80) {
			for _, v := range []byte{0, 1, 0x80, 0xFF} {
				m := patched(b, off, v)
				tab, err := ipcblock.Parse(m, ipcblock.Options{Mode: perfdump.Salvage})
				if err != nil {
					checkError(t, m, err)
					continue
				}
				if len(b) < 65536 {
					check(t, m, tab)
				}
			}
		}
	}
}

func TestEmptyAndStrangeInput(t *testing.T) {
	_, err := ipcblock.Parse(nil, ipcblock.Options{})
	require.ErrorIs(t, err, perfdump.ErrEmpty)
	for _, text := range []string{"x", "no block at all, but some text", string(noiseMemory(3 * 4096)[4096:])} {
		_, err = ipcblock.Parse([]byte(text), ipcblock.Options{})
		checkError(t, []byte(text), err)
	}
	for _, layout := range []ipcblock.Layout{ipcblock.SxS, ipcblock.LegacyPublic, ipcblock.LegacyPrivate, ipcblock.Bare} {
		for n := range 64 {
			_, err = ipcblock.Parse(make([]byte, n), ipcblock.Options{Layout: layout})
			checkError(t, make([]byte, n), err)
		}
	}
	// Whatever it is, it is no reason to fail in salvage mode.
	noise := noiseMemory(65536)
	tab, err := ipcblock.Parse(noise, ipcblock.Options{Mode: perfdump.Salvage, Layout: ipcblock.SxS})
	require.NoError(t, err)
	check(t, noise, tab)
}

func TestAnomaliesAreLimited(t *testing.T) {
	b := make([]byte, 65536)
	for i := range 32 {
		b[i*2048+8] = 1
		b[i*2048] = 2
	}
	tab, err := ipcblock.Parse(b, ipcblock.Options{Layout: ipcblock.SxS, Limits: perfdump.Limits{Anomalies: 3}})
	require.NoError(t, err)
	require.Len(t, tab.Anomalies().Kept(), 3)
	require.Greater(t, tab.Anomalies().Len(), 90)
}

func TestCloneSharesNothing(t *testing.T) {
	b := oneLive(t, ipcblock.X86)
	var d ipcblock.Decoder
	tab, err := d.Decode(b)
	require.NoError(t, err)
	c := tab.Clone()
	want := c.Chunk(0).AppendUint64s(nil)
	clear(b)
	_, err = d.Decode(oneLive(t, ipcblock.X64))
	require.NoError(t, err)
	require.Equal(t, want, c.Chunk(0).AppendUint64s(nil))
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
		"too wide":       func(t *ipcblock.Tree) { t.Chunks[0].Values[ipcblock.GCHandles] = 1 << 32 },
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

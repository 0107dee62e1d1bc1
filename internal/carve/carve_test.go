package carve_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/carve"
	"github.com/perfdump/perfdump/internal/testkit/formattest"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

func scan(t testing.TB, b []byte) (found []carve.Found) {
	t.Helper()
	for f, err := range carve.Scan(bytes.NewReader(b), int64(len(b))) {
		require.NoError(t, err)
		found = append(found, f)
	}
	return found
}

// small is a block with some objects.
func small(host string) *perftest.Image {
	counters := []perftest.Counter{{Title: 6, Type: 0x00010000}}
	return (&perftest.Block{Name: host, Objects: []perftest.Object{
		{Title: 2, Counters: counters, Single: true},
		{Title: 4, Counters: counters, Instances: []perftest.Instance{{Name: "a"}, {Name: "b"}}},
		{Title: 8, Counters: counters, NumInstances: -2},
	}}).Build()
}

// samba counts the objects alone in TotalByteLength.
func samba(host string) []byte {
	m := small(host)
	return m.Add("TotalByteLength", -int64(m.Get("HeaderLength"))).Bytes
}

// nearMisses are blocks that must not be accepted, each for one reason.
func nearMisses() map[string][]byte {
	b := small("MISS").Bytes
	object, total := int(binary.LittleEndian.Uint32(b[24:])), binary.LittleEndian.Uint32(b[20:])
	type change struct {
		off, size int
		v         uint32
	}
	damage := map[string]change{
		"signature": {4, 2, 'r'}, "last unit": {6, 2, 'f'}, "endian 0": {8, 4, 0}, "version 2": {12, 4, 2},
		"total short": {20, 4, total - 1}, "total long": {20, 4, total + 1}, "total huge": {20, 4, 64<<20 + 1},
		"header 87": {24, 4, 87}, "header 1025": {24, 4, 1025}, "header moved": {24, 4, uint32(object) + 8},
		"objects 4097": {28, 4, 4097}, "one less": {28, 4, 2}, "one more": {28, 4, 4},
		"year 1989": {36, 2, 1989}, "year 2201": {36, 2, 2201}, "month 0": {38, 2, 0}, "month 13": {38, 2, 13}, "weekday 7": {40, 2, 7},
		"day 0": {42, 2, 0}, "day 32": {42, 2, 32}, "hour 24": {44, 2, 24}, "minute 60": {46, 2, 60}, "second 60": {48, 2, 60},
		"name outside": {80, 4, 500}, "name far": {84, 4, 0xFFFFFFF0},
		"object of 0": {object, 4, 0}, "object of 63": {object, 4, 63}, "object of 4 GB": {object, 4, 1<<32 - 1},
	}
	misses := make(map[string][]byte, len(damage))
	for name, c := range damage {
		misses[name] = slices.Clone(b)
		copy(misses[name][c.off:], binary.LittleEndian.AppendUint32(nil, c.v)[:c.size])
	}
	return misses
}

func TestNearMisses(t *testing.T) {
	pad := make([]byte, 4096)
	good := small("GOOD").Bytes
	for name, b := range nearMisses() {
		t.Run(name, func(t *testing.T) {
			all := slices.Concat(pad[:13], b, good, pad)
			require.Equal(t, naive(all), scan(t, all))
			found := scan(t, all)
			require.Len(t, found, 1)
			require.EqualValues(t, 13+len(b), found[0].Offset)
			require.Equal(t, "GOOD", found[0].Host)
		})
	}
}

func TestFields(t *testing.T) {
	m := small("Рабочая-1")
	found := scan(t, slices.Concat([]byte("abc"), m.Bytes, samba("S"), []byte("tail"), (&perftest.Block{}).Bytes()))
	when := time.Date(2025, 8, 18, 14, 13, 20, 0, time.UTC)
	n := int64(len(m.Bytes))
	k := int64(len(samba("S")))
	require.Equal(t, []carve.Found{
		{Offset: 3, Length: n, Host: "Рабочая-1", Time: when, Objects: 3},
		{Offset: 3 + n, Length: k, Host: "S", Time: when, Objects: 3},
		{Offset: 3 + n + k + 4, Length: 88, Time: when},
	}, found)
}

// What stands at the edges of the rule is a block.
func TestLimits(t *testing.T) {
	edge := func(off int, v uint16) []byte {
		b := small("X").Bytes
		binary.LittleEndian.PutUint16(b[off:], v)
		return b
	}
	for _, b := range [][]byte{
		edge(36, 1990), edge(36, 2200), edge(38, 1), edge(38, 12), edge(40, 0), edge(40, 6), edge(42, 1), edge(42, 31), edge(44, 23), edge(46, 59), edge(48, 59),
		(&perftest.Block{HeaderGap: 1024 - 88}).Bytes(),
		(&perftest.Block{Objects: slices.Repeat([]perftest.Object{{Title: 2}}, 4096)}).Bytes(),
		perftest.Wide(50, 1000),
	} {
		require.Len(t, scan(t, b), 1)
		require.Equal(t, naive(b), scan(t, b))
	}
	// An object of nearly 64 MiB, and one byte too many.
	large := make([]byte, 64<<20+2)
	copy(large, (&perftest.Block{}).Bytes())
	for n, want := range map[uint32]int{64 << 20: 1, 64<<20 + 1: 0} {
		binary.LittleEndian.PutUint32(large[20:], n)
		binary.LittleEndian.PutUint32(large[28:], 1)
		binary.LittleEndian.PutUint32(large[88:], n-88)
		require.Len(t, scan(t, large), want)
	}
}

// chain is a header and objects that have nothing but lengths.
func chain(lengths ...int) []byte {
	b := (&perftest.Block{}).Bytes()
	binary.LittleEndian.PutUint32(b[28:], uint32(len(lengths)))
	for _, n := range lengths {
		object := make([]byte, max(n, 4))
		binary.LittleEndian.PutUint32(object, uint32(n))
		b = append(b, object[:n]...)
	}
	binary.LittleEndian.PutUint32(b[20:], uint32(len(b)))
	return b
}

func TestObjectsAreNotShorterThanTheirHeaders(t *testing.T) {
	require.Len(t, scan(t, chain(64, 66, 70)), 1)
	inner := small("INNER").Bytes
	outer := chain(64, 64+len(inner), 64)
	copy(outer[88+64+32:], inner)
	require.Len(t, scan(t, outer), 1, "a block within a block is part of it")
	for _, b := range [][]byte{chain(63, 70), chain(4, 200), chain(70, 63)} {
		require.Empty(t, scan(t, b))
	}
	// Of a cut block there must be room for the objects that are not there.
	b := chain(64, 64, 300)
	require.Len(t, scan(t, b[:88+130]), 1)
	binary.LittleEndian.PutUint32(b[28:], 20)
	require.Empty(t, scan(t, b[:88+130]))
}

// Good blocks spend nothing, however many reads they need.
func TestGoodBlocksAreNotLimited(t *testing.T) {
	all := bytes.Repeat(chain(append([]int{carve.WindowSize}, slices.Repeat([]int{64}, 4000)...)...), 20)
	require.Len(t, scan(t, all), 20)
}

// Blocks among noise and near misses, at places that are known.
func TestKnownPlaces(t *testing.T) {
	blocks := [][]byte{small("A").Bytes, samba("B"), perftest.Busy(1, perftest.Small), (&perftest.Block{Name: "EMPTY"}).Bytes(), perftest.Sized(3, 700_000)}
	blocks = append(blocks, captured(t)...)
	misses := nearMisses()
	names := make([]string, 0, len(misses))
	for name := range misses {
		names = append(names, name)
	}
	slices.Sort(names)
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var all []byte
		var want []int64
		for range 40 {
			gap := make([]byte, rng.IntN(30_000))
			if rng.IntN(2) == 0 {
				for i := range gap {
					gap[i] = byte(rng.Uint32())
				}
			}
			all = append(all, gap...)
			if rng.IntN(2) == 0 {
				all = append(all, misses[names[rng.IntN(len(names))]]...)
				continue
			}
			want = append(want, int64(len(all)))
			all = append(all, blocks[rng.IntN(len(blocks))]...)
		}
		all = append(all, make([]byte, 1<<16)...) // so that no near miss reaches the end
		found := scan(t, all)
		require.Equal(t, naive(all), found)
		var got []int64
		for _, f := range found {
			got = append(got, f.Offset)
		}
		require.Equal(t, want, got)
	}
}

func captured(t *testing.T) (blocks [][]byte) {
	files, err := filepath.Glob("../../../shared/captures/wine/*_64-[0-9].bin")
	require.NoError(t, err)
	for _, name := range files {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		if block, err := perfdata.Parse(b, perfdump.Options{}); err == nil && block.Size() == len(b) {
			blocks = append(blocks, b)
		}
	}
	if len(blocks) == 0 {
		t.Log("no shared captures beside the checkout")
	}
	return blocks
}

// A block is found wherever the end of a window falls in it.
func TestWindowBoundaryAtEveryOffset(t *testing.T) {
	b := small("STRADDLE").Bytes
	require.Less(t, len(b), 2000)
	all := make([]byte, 2*carve.WindowSize+4096)
	for back := -20; back <= len(b)+20; back++ {
		off := carve.WindowSize - back
		copy(all[off:], b)
		found := scan(t, all)
		require.Len(t, found, 1, "block at %d", off)
		require.EqualValues(t, off, found[0].Offset)
		require.EqualValues(t, len(b), found[0].Length)
		require.Equal(t, "STRADDLE", found[0].Host)
		clear(all[off : off+len(b)])
	}
}

func TestPartial(t *testing.T) {
	for _, b := range [][]byte{small("CUT").Bytes, samba("CUT")} {
		for n := range b {
			all := append(make([]byte, 5), b[:n]...)
			found := scan(t, all)
			require.Equal(t, naive(all), found)
			if n < 88 {
				require.Empty(t, found, "%d bytes are no header", n)
				continue
			}
			require.Len(t, found, 1, "%d bytes", n)
			require.True(t, found[0].Partial)
			require.EqualValues(t, 5, found[0].Offset)
			require.EqualValues(t, n, found[0].Length)
			if n >= 100 {
				require.Equal(t, "CUT", found[0].Host)
			}
		}
	}
	// A false header that claims more than there is hides no block.
	false64 := (&perftest.Block{}).Bytes()
	binary.LittleEndian.PutUint32(false64[20:], 1<<20)
	binary.LittleEndian.PutUint32(false64[28:], 1)
	all := slices.Concat(false64, []byte{0, 0, 2, 0}, make([]byte, 100), small("WHOLE").Bytes)
	binary.LittleEndian.PutUint32(all[88:], 1<<20-88)
	found := scan(t, all)
	require.Equal(t, naive(all), found)
	require.Len(t, found, 2)
	require.True(t, found[0].Partial)
	require.Equal(t, "WHOLE", found[1].Host)
}

// sparse is zeros with a few blocks.
type sparse struct {
	size   int64
	blocks map[int64][]byte
	read   int64
}

func (s *sparse) ReadAt(b []byte, off int64) (int, error) {
	n := int(min(int64(len(b)), s.size-off))
	clear(b[:n])
	for at, block := range s.blocks {
		if at < off+int64(n) && at+int64(len(block)) > off {
			if at >= off {
				copy(b[at-off:n], block)
			} else {
				copy(b[:n], block[off-at:])
			}
		}
	}
	s.read += int64(n)
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func TestLargeInput(t *testing.T) {
	size := int64(5 << 30)
	if testing.Short() || perftest.Race {
		size = 1 << 30
	}
	b := perftest.Sized(1, 2<<20)
	r := &sparse{size: size, blocks: map[int64][]byte{
		1<<27 - 7:   b,
		size/2 + 1:  small("HALF").Bytes,
		size - 4000: small("LAST").Bytes,
		size - 100:  small("CUT").Bytes[:100],
	}}
	var got []int64
	used := perftest.Allocated(func() {
		for f, err := range carve.Scan(r, size) {
			require.NoError(t, err)
			require.Equal(t, f.Partial, f.Offset == size-100)
			got = append(got, f.Offset)
		}
	})
	require.Equal(t, []int64{1<<27 - 7, size/2 + 1, size - 4000, size - 100}, got)
	require.Less(t, used, uint64(1<<20))
	require.Less(t, r.read, size+size/100, "little is read twice, and blocks are jumped over")
}

func TestReaderErrors(t *testing.T) {
	broken := errors.New("bad sector")
	b := slices.Concat(small("A").Bytes, make([]byte, 3*carve.WindowSize))
	r := failAt{b, 2*carve.WindowSize + 5, broken}
	var found []carve.Found
	var last error
	for f, err := range carve.Scan(r, int64(len(b))) {
		if last = err; err == nil {
			found = append(found, f)
		}
	}
	require.Len(t, found, 1)
	require.ErrorIs(t, last, broken)
	var fe *perfdump.FormatError
	require.ErrorAs(t, last, &fe)
	require.Equal(t, perfdump.CodeIO, fe.Code)
	require.EqualValues(t, 2*carve.WindowSize+5, fe.Off)

	// While the objects are followed, out of the window.
	big := slices.Concat(make([]byte, carve.WindowSize/4), (&perftest.Block{}).Bytes(), make([]byte, 1<<20))
	head := carve.WindowSize / 4
	binary.LittleEndian.PutUint32(big[head+20:], 1<<20)
	binary.LittleEndian.PutUint32(big[head+28:], 2)
	binary.LittleEndian.PutUint32(big[head+88:], 1<<19)
	last = nil
	for _, err := range carve.Scan(failAt{big, head + 1<<19, broken}, int64(len(big))) {
		last = err
	}
	require.ErrorIs(t, last, broken)

	// The end before the size is the end.
	cut := small("CUT").Bytes[:150]
	for f, err := range carve.Scan(bytes.NewReader(cut), 1<<40) {
		require.NoError(t, err)
		require.True(t, f.Partial)
		require.EqualValues(t, len(cut), f.Length)
	}
	formattest.Stops(t, formattest.Firsts(carve.Scan(bytes.NewReader(bytes.Repeat(cut, 5)), int64(5*len(cut)))))
}

type failAt struct {
	b   []byte
	at  int
	err error
}

func (f failAt) ReadAt(b []byte, off int64) (int, error) {
	n := copy(b, f.b[min(off, int64(f.at)):f.at])
	if n < len(b) {
		if f.at < len(f.b) {
			return n, f.err
		}
		return n, io.EOF
	}
	return n, nil
}

func FuzzScan(f *testing.F) {
	cut := small("CUT").Bytes
	f.Add(slices.Concat([]byte{1}, small("A").Bytes, samba("B"), cut[:150]), []byte{3})
	f.Add(slices.Concat(cut[:90], small("A").Bytes), []byte{})
	for _, b := range nearMisses() {
		f.Add(slices.Concat(b, cut), []byte{9, 1, 0, 200})
	}
	f.Fuzz(func(t *testing.T, b, moves []byte) {
		// Pieces of the input are repeated, so that blocks overlap and follow
		// each other.
		all := slices.Clone(b)
		for i := 0; i+1 < len(moves) && len(all) > 0 && len(all) < 1<<14; i += 2 {
			from := len(all) * int(moves[i]) / 256
			all = append(all, all[from:min(len(all), from+8*int(moves[i+1]))]...)
		}
		want, got := naive(all), scan(t, all)
		require.Equal(t, want, got)
	})
}

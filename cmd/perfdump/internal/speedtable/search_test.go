package speedtable

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/internal/carve"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/titles"
)

// memory is what memory may hold, by pages: zeros, noise, small integers, ones.
func memory(n int) []byte {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(1, 2))
	for page := range slices.Chunk(b, 4096) {
		switch kind := r.IntN(4); kind {
		case 0:
		case 1:
			for j := 0; j+8 <= len(page); j += 8 {
				binary.LittleEndian.PutUint64(page[j:], r.Uint64())
			}
		default:
			for j := 0; j+4 <= len(page); j += 4 {
				binary.LittleEndian.PutUint32(page[j:], uint32(1+(kind-2)*r.IntN(64)))
			}
		}
	}
	return b
}

// ipcTable is a table with one runtime in it.
func ipcTable() []byte {
	var values [ipcblock.NumFields]uint64
	for f := range ipcblock.Field(ipcblock.NumFields) {
		values[f] = 1000 + uint64(f)
	}
	values[ipcblock.PerfAttributes], values[ipcblock.ProcessID] = 1, 4242
	c := ipcblock.TreeChunk{State: ipcblock.Live, Arch: ipcblock.X64, Values: &values}
	c.RuntimeID, c.BuildYear, c.BuildNumber = 3, 4, 30319
	tree := ipcblock.Tree{Kind: ipcblock.SxS, Chunks: []ipcblock.TreeChunk{c}}
	if err := tree.Layout(); err != nil {
		panic(err)
	}
	return must(tree.AppendBinary(nil))
}

var memoryTask = task{"IPC search", "memory of zeros, noise and small integers, with one table of the CLR in it", func(s size) work {
	b := memory(s.of(64<<20, 1<<20))
	copy(b[len(b)/2:], ipcTable())
	scan := func(o ipcblock.FindOptions) func() int {
		return func() (n int) {
			for range ipcblock.ScanBytes(b, o) {
				n++
			}
			return n
		}
	}
	return work{len(b), []way{
		{"*deep", "`ipcblock.ScanBytes`, in steps of 8 bytes", scan(ipcblock.FindOptions{Deep: true})},
		{"*pages", "the same in steps of 2 KB, where tables in shared memory begin; the first bytes of a page show that it has no table", scan(ipcblock.FindOptions{})},
		{"*reader", "`ipcblock.Scan`, in steps of 8 bytes, of an io.ReaderAt", func() (n int) {
			for _, err := range ipcblock.Scan(bytes.NewReader(b), int64(len(b)), ipcblock.FindOptions{Deep: true}) {
				if err == nil {
					n++
				}
			}
			return n
		}},
		floor(b),
		{"bytes.Index", "finds the 8 bytes that each published chunk has at 28, and looks at version and place", func() (n int) {
			anchor := []byte{1, 0, 0, 0, 40, 0, 0, 0}
			for at := 0; ; at++ {
				i := bytes.Index(b[at:], anchor)
				if i < 0 {
					return n
				}
				if at += i; at >= 28 && (at-28)%8 == 0 && b[at-12] == 4 && b[at-11] == 0 {
					n++
				}
			}
		}},
	}}
}}

var carveTask = task{"carve", "noise with a block of 64 KB in each 8 MB", func(s size) work {
	b := make([]byte, s.of(64<<20, 1<<20))
	_, _ = rand.NewChaCha8([32]byte{1}).Read(b)
	block := perftest.Sized(1, 64<<10)
	for i := 4096; i < len(b); i += 8 << 20 {
		copy(b[i:], block)
	}
	return work{len(b), []way{
		{"*carve.Scan", "every header is checked and its objects are followed", func() (n int) {
			for _, err := range carve.Scan(bytes.NewReader(b), int64(len(b))) {
				if err == nil {
					n++
				}
			}
			return n
		}},
		{"bytes.Index", "finds the signature and goes on behind the length that follows it", func() (n int) {
			signature := []byte("P\x00E\x00R\x00F\x00")
			for rest := b; ; n++ {
				i := bytes.Index(rest, signature)
				if i < 0 || i+24 > len(rest) {
					return n
				}
				length := max(8, int(binary.LittleEndian.Uint32(rest[i+20:])))
				rest = rest[min(len(rest), i+length):]
			}
		}},
	}}
}}

var regTask = task{"registry export", "20,000 services in UTF-16, of which 2,000 have counters", func(s size) work {
	b := perftest.Services(s.of(20_000, 20))
	return work{len(b), []way{
		{"*registry.ParseReg", "each line with its checks, and `Reg.View`: the providers", func() int {
			return len(must(must(registry.ParseReg(b, perfdump.Options{})).View()).Providers)
		}},
		floor(b),
		{"strings.Split", "decodes the text and splits it into lines, and these at the first =; no values", func() int {
			units := make([]uint16, len(b)/2)
			for i := range units {
				units[i] = binary.LittleEndian.Uint16(b[2*i:])
			}
			for _, line := range strings.Split(string(utf16.Decode(units)), "\r\n") {
				name, _, _ := strings.Cut(line, "=")
				sink += uint64(len(name))
			}
			return 0
		}},
	}}
}}

var titlesTask = task{"titles", "a table of 20,000 names in UTF-16; each is looked up once", func(s size) work {
	names := s.of(20_000, 200)
	var entries []titles.Entry
	for i := range names {
		entries = append(entries, titles.Entry{Index: uint32(2 * (i + 1)), Text: fmt.Sprintf("%% Processor Time of component %d", i)})
	}
	b := must(titles.Append(nil, titles.Encoding{}, slices.Values(entries)))
	return work{len(b), []way{
		{"*titles.Parse", "with all checks; `Table.Lookup` decodes a name when it is needed", func() (n int) {
			t := must(titles.Parse(b, perfdump.Options{}))
			for i := range names {
				name, _ := t.Lookup(uint32(2 * (i + 1)))
				n += len(name)
			}
			return n
		}},
		{"strings.Split", "`utf16.Decode`, `strings.Split`, `strconv.Atoi` and a map", func() (n int) {
			parts := strings.Split(perftest.UTF16Text(b), "\x00")
			table := map[int]string{}
			for i := 0; i+1 < len(parts); i += 2 {
				if index, err := strconv.Atoi(parts[i]); err == nil {
					table[index] = parts[i+1]
				}
			}
			for i := range names {
				n += len(table[2*(i+1)])
			}
			return n
		}},
	}}
}}

package hexview_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/hexview"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
	"github.com/perfdump/perfdump/perfdata"
)

const captures = "../../../../testdata/captures"

var (
	strict  = hexview.Input{Options: perfdump.Options{Mode: perfdump.Strict}}
	salvage = hexview.Input{Options: perfdump.Options{Mode: perfdump.Salvage}}
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(captures, name))
	require.NoError(t, err)
	return b
}

func dump(t testing.TB, d *hexview.Document, o hexview.Options) string {
	t.Helper()
	var out bytes.Buffer
	_, err := hexview.Write(&out, d, o)
	require.NoError(t, err)
	return out.String()
}

// damaged is a small block with an object that is refused between two others.
func damaged() []byte {
	block := &perftest.Block{Name: "HOST"}
	for title := range uint32(3) {
		block.Objects = append(block.Objects, perftest.Object{
			Title:    238 + 2*title,
			Counters: []perftest.Counter{{Title: 6, Type: 0x20510500}, {Title: 8, Type: 0x00010000}},
			Instances: []perftest.Instance{
				{Name: "eins", Values: []uint64{1, 2}}, {Name: "zwei", Values: []uint64{3, 4}},
			},
		})
	}
	return block.Build().Add("object[1].DefinitionLength", 4096).Bytes
}

func odd() []byte {
	return (&perftest.Block{Name: "漢字\x1b[2J", Tail: 300, Objects: []perftest.Object{{
		Title: 5000, CodePage: 932, Counters: []perftest.Counter{
			{Title: 6, Type: 0x00010100}, {Title: 8, Type: 0x00010000, Offset: 12}, {Title: 10, Type: 0x00000b00, Size: 24, Offset: 8},
		},
		Instances: []perftest.Instance{
			{RawName: []byte("\x93\xfa\x96{\x8c\xea\x00"), Values: []uint64{1 << 40, 2}},
			{RawName: []byte("tab\there\r\n\x07\x1b[31m\x00"), Values: []uint64{1 << 40, 2}},
			{RawName: []byte("\x81\x00"), NameGap: 20, Values: []uint64{3, 4}},
		},
	}}}).Bytes()
}

// ipcStates has a chunk of each kind: live, free, bad, unpublished.
func ipcStates(table []byte) []byte {
	b := bytes.Clone(table)
	for i := 1; i < 4; i++ {
		copy(b[2048*i:], table[:2048])
	}
	clear(b[2048+4 : 2048+8])
	clear(b[4096+28 : 4096+32])
	b[6144+18] = 5
	b[6144+2000] = 0xee
	return b
}

// Documents of other formats show each byte once: whole, cut and damaged.
func TestOtherFormats(t *testing.T) {
	blocks, dumped, raw := read(t, "../ipcblock/sxs_x64.bin"), serviceDump(t), rawImage(t)
	states := ipcStates(blocks)
	broken := bytes.Clone(dumped)
	copy(broken[0x5b4+28:], make([]byte, 4))
	vector, err := aspnet.Append(nil, aspnet.V20, make([]uint32, 84))
	require.NoError(t, err)
	in := hexview.Input{}
	for name, test := range map[string]struct {
		doc *hexview.Document
		bad bool
	}{
		"table": {hexview.IPCBlock(blocks, strict), false}, "bad chunk": {hexview.IPCBlock(states, in), true},
		"saved chunk": {hexview.IPCBlock(states, salvage), false}, "cut table": {hexview.IPCBlock(blocks[:5000], in), false},
		"no table": {hexview.IPCBlock(blocks[:10], in), true}, "block": {hexview.IPCBlock(read(t, "../ipcblock/legacy_public_v2_x64.bin"), in), false},
		"dump": {hexview.Minidump(dumped, strict), false}, "cut dump": {hexview.Minidump(dumped[:70000], strict), true},
		"cut list": {hexview.Minidump(dumped[:300], in), false}, "no dump": {hexview.Minidump(dumped[:20], in), true},
		"broken chunk": {hexview.Minidump(broken, in), false}, "memory": {hexview.Memory(raw, in), false},
		"no memory": {hexview.Memory(raw[:300], in), false}, "vector": {hexview.ASPNet(aspnet.V20)(vector, in), false},
		"no vector": {hexview.ASPNet(aspnet.V20)(vector[:80], in), true}, "object": {hexview.PerfData(damaged(), in), true},
		"saved object": {hexview.PerfData(damaged(), salvage), false}, "strict": {hexview.PerfData(odd(), strict), true},
		"tolerant": {hexview.PerfData(odd(), in), false}, "no block": {hexview.PerfData([]byte("PERF"), in), true},
		"log": {hexview.BLG(read(t, "../blg/small.blg"), in), false}, "no titles": {hexview.Titles([]byte("\x00\x31\x00\x00"), in), true},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.bad, test.doc.Err != nil, test.doc.Err)
			everyByteOnce(t, dump(t, test.doc, hexview.Options{All: true}), test.doc.Bytes, 0, int64(len(test.doc.Bytes)))
		})
	}
}

func serviceDump(t testing.TB) []byte { return read(t, "../minidump/service_x64.dmp") }

// rawImage has a table off any page between noise.
func rawImage(t testing.TB) []byte {
	b := append(bytes.Repeat([]byte("noise..."), 37), read(t, "../ipcblock/sxs_x64.bin")...)
	return append(b, "the end"...)
}

func TestGolden(t *testing.T) {
	sys, inst, small := read(t, "sys-238-x86_64-1.bin"), read(t, "inst-x86_64-1.bin"), read(t, "small.bin")
	two := append(bytes.Clone(sys), read(t, "sys-238-x86_64-2.bin")...)
	in := hexview.Input{}
	for _, test := range []struct {
		name string
		doc  *hexview.Document
		o    hexview.Options
	}{
		{"sys-238", hexview.PerfData(sys, in), hexview.Options{}},
		{"sys-238-80", hexview.PerfData(sys, in), hexview.Options{Width: 80}},
		{"sys-238-color", hexview.PerfData(sys, in), hexview.Options{Width: 200, Color: true, Range: hexview.Range{To: 0xa8}}},
		{"inst", hexview.PerfData(inst, in), hexview.Options{}},
		{"inst-names", hexview.PerfData(inst, in), hexview.Options{Path: "object[0].instance.Name"}},
		{"inst-names-80", hexview.PerfData(inst, in), hexview.Options{Path: "object[0].instance.Name", Width: 80}},
		{"inst-column", hexview.PerfData(inst, in), hexview.Options{Path: "object[5].instance.counter[1]"}},
		{"var", hexview.PerfData(read(t, "var-x86_64-1.bin"), in), hexview.Options{All: true}},
		{"small-object", hexview.PerfData(small, in), hexview.Options{Path: "object[1]"}},
		{"cut", hexview.PerfData(inst[:3000], in), hexview.Options{}},
		{"damaged", hexview.PerfData(damaged(), in), hexview.Options{}},
		{"odd", hexview.PerfData(odd(), in), hexview.Options{}},
		{"odd-80", hexview.PerfData(odd(), in), hexview.Options{Width: 80, Path: "object[0].instance"}},
		{"two-blocks", hexview.PerfData(two, in), hexview.Options{}},
		{"titles", hexview.Titles(read(t, "titles-009.bin"), in), hexview.Options{}},
		{"ipcblock", hexview.IPCBlock(read(t, "../ipcblock/sxs_x86.bin"), in), hexview.Options{}},
		{"ipcblock-states", hexview.IPCBlock(ipcStates(read(t, "../ipcblock/sxs_x86.bin")), in), hexview.Options{Width: 80}},
		{"ipcblock-legacy", hexview.IPCBlock(read(t, "../ipcblock/legacy_public_v2_x64.bin"), in), hexview.Options{Path: "header"}},
		{"minidump-80", hexview.Minidump(serviceDump(t), in), hexview.Options{Width: 80, Path: "stream"}},
		{"minidump-table", hexview.Minidump(serviceDump(t), in), hexview.Options{Path: "table[0].chunk.perf.gc.gen0Collections"}},
		{"memory", hexview.Memory(rawImage(t), in), hexview.Options{Path: "table[0].chunk[0].header"}},
		{"blg", hexview.BLG(read(t, "../blg/small.blg"), in), hexview.Options{}},
		{"perflib2", hexview.PerfLib2(read(t, "../perflib2/sets.bin"), in), hexview.Options{}},
		{"aspnet", hexview.ASPNet(aspnet.V20)(make([]byte, 336), hexview.Input{}), hexview.Options{}},
		{"unknown", hexview.Raw(inst[1000:1400], hexview.Input{}, "no known format"), hexview.Options{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := dump(t, test.doc, test.o)
			golden.File(t, filepath.Join("testdata", test.name+".txt"), []byte(got))
		})
	}
}

// row is a row of a dump: its address, bytes and what stands behind them.
type row struct {
	off  int64
	b    []byte
	tree string
}

func parse(t testing.TB, text string) (rows []row) {
	t.Helper()
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "0x") {
			continue
		}
		address, rest, _ := strings.Cut(line[2:len(line)-1], " ")
		off, err := strconv.ParseInt(address, 16, 64)
		if err != nil || len(rest) < 66 || rest[48] != '|' || rest[65] != '|' {
			t.Fatalf("%q", line)
		}
		b, err := hex.DecodeString(strings.ReplaceAll(rest[:48], " ", ""))
		if err != nil || len(b) == 0 {
			t.Fatalf("%q", line)
		}
		ascii := bytes.Clone(b)
		for i, c := range ascii {
			if c < ' ' || c > '~' {
				ascii[i] = '.'
			}
		}
		if fmt.Sprintf("%-16s", ascii) != rest[49:65] {
			t.Fatalf("%q", line)
		}
		rows = append(rows, row{off, b, strings.TrimPrefix(rest[66:], " ")})
	}
	return rows
}

// everyByteOnce holds a dump without folds to the bytes of from..to. Bytes that
// come again must stand in fields marked so.
func everyByteOnce(t testing.TB, text string, raw []byte, from, to int64) {
	t.Helper()
	at, overlaps := from, false
	for _, r := range parse(t, text) {
		if r.tree != "" {
			overlaps = strings.Contains(r.tree, "(overlaps)")
		}
		end := r.off + int64(len(r.b))
		if end > to || !bytes.Equal(raw[r.off:end], r.b) || r.off > at || r.off < at && !overlaps {
			t.Fatalf("at 0x%x: %+v", at, r)
		}
		at = max(at, end)
	}
	require.Equal(t, to, at)
}

func everyFile(t *testing.T, do func(t *testing.T, name string, b []byte)) {
	for _, root := range []string{captures, "../../../../../shared/captures"} {
		err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(name) != ".bin" {
				return err
			}
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			t.Run(filepath.Base(name), func(t *testing.T) { do(t, name, b) })
			return nil
		})
		if !errors.Is(err, fs.ErrNotExist) {
			require.NoError(t, err)
		}
	}
}

func documents(b []byte) map[string]*hexview.Document {
	all := map[string]*hexview.Document{}
	for _, format := range []detect.Format{
		detect.PerfData, detect.Titles, detect.BLG, detect.IPCBlock, detect.Minidump, detect.Memory, detect.ASPNet2, detect.ASPNet4, detect.Hive, detect.PerfLib2,
	} {
		all[string(format)] = formats.Of(format).Show(b, hexview.Input{})
	}
	return all
}

func TestEveryByteOnce(t *testing.T) {
	everyFile(t, func(t *testing.T, _ string, b []byte) {
		for format, d := range documents(b) {
			everyByteOnce(t, dump(t, d, hexview.Options{All: true}), b, 0, int64(len(b)))
			if size := int64(len(b)); size > 4 && format == "perfdata" {
				r := hexview.Range{From: size / 3, To: size/3 + size/2}
				everyByteOnce(t, dump(t, d, hexview.Options{Range: r}), b, r.From, r.To)
			}
		}
	})
}

func TestEveryByteOnceOfDamagedServers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	server := perftest.Busy(1, perftest.Size{Processes: 4, Threads: 9, Multi: 2, Instances: 5, Single: 3})
	for range 100 {
		b := bytes.Clone(server)
		for range 1 + r.IntN(20) {
			binary.LittleEndian.PutUint32(b[r.IntN(len(b)/4)*4:], uint32(1)<<r.IntN(32)>>1)
		}
		b = b[:1+r.IntN(len(b))]
		d := hexview.PerfData(b, hexview.Input{})
		everyByteOnce(t, dump(t, d, hexview.Options{All: true}), b, 0, int64(len(b)))
		dump(t, d, hexview.Options{Width: 80, Color: true})
	}
}

// The long text shares all its bytes but the last with others.
func TestOverlapsShowTheirOwnBytes(t *testing.T) {
	b := (&perftest.Block{Objects: []perftest.Object{{
		Title: 2, Single: true,
		Counters: []perftest.Counter{
			{Title: 4, Type: 0x00000b00, Size: 400, Offset: 8},
			{Title: 6, Type: 0x00000b00, Size: 600, Offset: 12},
			{Title: 8, Type: 0x00000b00, Size: 100, Offset: 16},
		},
		Instances: []perftest.Instance{{Raw: map[int][]byte{0: make([]byte, 400), 1: make([]byte, 600), 2: make([]byte, 100)}}},
	}}}).Bytes()
	text := dump(t, hexview.PerfData(b, hexview.Input{}), hexview.Options{All: true})
	everyByteOnce(t, text, b, 0, int64(len(b)))
	assert.Equal(t, 2, strings.Count(text, ", shown above"))
	assert.Equal(t, 2, strings.Count(text, "(overlaps)"))
}

// What is folded away is counted, and together with what is shown it is
// everything.
func TestFoldsSayWhatTheyHide(t *testing.T) {
	fold := regexp.MustCompile(`… (?:[0-9]+ more [a-z]+|object\[[0-9]+\]  .*) \(0x([0-9a-f]+)\.\.0x([0-9a-f]+)\)`)
	for _, name := range []string{"inst-x86_64-1.bin", "small.bin", "sys-238-x86_64-1.bin"} {
		b := read(t, name)
		doc := hexview.PerfData(b, hexview.Input{})
		var out bytes.Buffer
		folded, err := hexview.Write(&out, doc, hexview.Options{})
		require.NoError(t, err)
		seen := make([]bool, len(b))
		for _, r := range parse(t, out.String()) {
			for i := range r.b {
				seen[int(r.off)+i] = true
			}
		}
		sum := int64(0)
		for _, m := range fold.FindAllStringSubmatch(out.String(), -1) {
			from, _ := strconv.ParseInt(m[1], 16, 64)
			to, _ := strconv.ParseInt(m[2], 16, 64)
			sum += to - from
			for i := from; i < to; i++ {
				require.False(t, seen[i], "%s 0x%x", name, i)
				seen[i] = true
			}
			// The range of a fold can be given back.
			r, err := hexview.ParseRange(fmt.Sprintf("0x%s..0x%s", m[1], m[2]), int64(len(b)))
			require.NoError(t, err)
			everyByteOnce(t, dump(t, doc, hexview.Options{Range: r}), b, from, to)
		}
		assert.Equal(t, folded, sum)
		assert.NotContains(t, seen, false, name)
	}
}

// An object keeps a line, one that has an error all that can be had of it;
// blocks are counted.
func TestFoldedObjects(t *testing.T) {
	objects := make([]perftest.Object, 6)
	for i := range objects {
		objects[i] = perftest.Object{
			Title: uint32(2 * i), Counters: []perftest.Counter{{Title: 4, Type: 0x00010000, Size: 4, Offset: 4}},
			Instances: []perftest.Instance{{Name: "a", Values: []uint64{1}}, {Name: "b", Values: []uint64{2}}},
		}
	}
	b := (&perftest.Block{Objects: objects}).Bytes()
	text := dump(t, hexview.PerfData(b, hexview.Input{}), hexview.Options{})
	assert.Contains(t, text, "\n\n… object[3]  % Processor Time, 1 counter, 2 instances (0x")
	assert.NotContains(t, text, "object[3].")

	blk, err := perfdata.Parse(b, perfdump.Options{})
	require.NoError(t, err)
	broken := bytes.Clone(b)
	binary.LittleEndian.PutUint32(broken[blk.Object(4).Instance(1).Offset()+20:], 0x1000) // NameLength
	text = dump(t, hexview.PerfData(broken, hexview.Input{}), hexview.Options{})
	for _, line := range []string{"… object[3]  ", `object[4].instance[0].Name = "a"`, "gap of 40 bytes, object[4].instance[1].NameLength: name 0x1018 past", "\n\n… object[5]  "} {
		assert.Contains(t, text, line)
	}

	many := dump(t, hexview.PerfData(bytes.Repeat(b, 9), hexview.Input{}), hexview.Options{})
	assert.Contains(t, many, "block[2].object[2].NumInstances")
	assert.NotContains(t, many, "block[3]")
	assert.Contains(t, many, fmt.Sprintf("… 6 more blocks (0x%x..0x%x)", 3*len(b), 9*len(b)))
}

func TestPathSelects(t *testing.T) {
	b := read(t, "inst-x86_64-1.bin")
	doc := hexview.PerfData(b, hexview.Input{})
	for path, begins := range map[string]string{
		"object[3].instance[2]":              "object[3].instance[2]",
		"OBJECT[1].counter[2]":               "object[1].counter[2].",
		"object[1].NumInstances":             "object[1].NumInstances = ",
		"object.DetailLevel":                 "object[",
		"object[0].instance[*].counter[1]":   "object[0].instance[",
		"SystemTime":                         "SystemTime = ",
		"object[6].instance[400].Name":       `object[6].instance[400].Name = "`,
		"object[0].instance[3].CounterBlock": "object[0].instance[3].CounterBlock.ByteLength = ",
	} {
		rows := parse(t, dump(t, doc, hexview.Options{Path: path}))
		require.NotEmpty(t, rows, path)
		for _, r := range rows {
			if r.tree != "" {
				assert.True(t, strings.HasPrefix(r.tree, begins), "%s: %s", path, r.tree)
			}
		}
	}
}

func TestPathErrors(t *testing.T) {
	doc := hexview.PerfData(read(t, "inst-x86_64-1.bin"), hexview.Input{})
	for path, want := range map[string]string{
		"object[99]":                   "object[0] to [7]",
		"object[1].Fortune":            "object[1] has TotalByteLength, ",
		"object[1].instance[9]":        "instance[0] to [2]",
		"object[1].instance[1].colour": "object[1].instance[1] has ByteLength",
		"object[x]":                    `"x" is no index, expected one such as object[0]`,
		"object[1":                     "has no ]",
		"nonsense":                     "here are Signature, ",
		"block[0].object[0]":           "here are Signature, ",
	} {
		var out bytes.Buffer
		_, err := hexview.Write(&out, doc, hexview.Options{Path: path})
		var pe *hexview.PathError
		require.ErrorAs(t, err, &pe, path)
		assert.Contains(t, err.Error(), want, path)
		assert.Empty(t, out.String(), path)
	}
	_, err := hexview.Write(&bytes.Buffer{}, hexview.Raw([]byte("x"), hexview.Input{}, "unknown"), hexview.Options{Path: "object[0]"})
	assert.ErrorContains(t, err, "nothing in this input has a path")
}

func TestParseRange(t *testing.T) {
	for text, want := range map[string]hexview.Range{
		"0x100..0x200": {From: 0x100, To: 0x200},
		"0x100+32":     {From: 0x100, To: 0x120},
		"16..":         {From: 16, To: 1000},
		"..16":         {From: 0, To: 16},
		"999":          {From: 999, To: 1000},
		" 0X10 .. 32 ": {From: 16, To: 32},
	} {
		got, err := hexview.ParseRange(text, 1000)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"0x100..0x500": "0x100..0x500 ends past the input's 0x3e8 bytes", "1000": "0x3e8 is past the end", "5..5": "has no bytes", "9..5": "has no bytes",
		"": "expected a range", "x": "expected a range", "1-2": "expected a range", "5+0": "has no bytes", "0x3fffffffffffffff+0x3fffffffffffffff": "past the end",
		"1+99999999999999999999": "expected a range",
	} {
		_, err := hexview.ParseRange(text, 1000)
		assert.ErrorContains(t, err, want, text)
	}
}

// Lines keep to the width of a terminal, whatever stands in names.
func TestLinesFit(t *testing.T) {
	for _, b := range [][]byte{odd(), damaged(), read(t, "inst-x86_64-1.bin"), read(t, "var-x86_64-1.bin")} {
		for _, width := range []int{70, 80, 100, 120, 200} {
			text := dump(t, hexview.PerfData(b, hexview.Input{}), hexview.Options{All: true, Width: width})
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				if strings.HasPrefix(line, "0x") || strings.HasPrefix(line, "    ") {
					assert.LessOrEqual(t, cell.Width(line), width, "%q", line)
				}
				assert.NotContains(t, line, "\x1b")
				assert.Equal(t, line, cell.Clean(line))
			}
		}
	}
}

// Texts that share their bytes cost no more than what they add.
func TestOverlappingTextsCostLittle(t *testing.T) {
	o := perftest.Object{Title: 2, Single: true, Instances: []perftest.Instance{{Raw: map[int][]byte{0: make([]byte, 1<<20)}}}}
	for i := range uint32(5000) {
		o.Counters = append(o.Counters, perftest.Counter{Title: 4 + 2*i, Type: 0x00010b00, Size: 1 << 20, Offset: 8})
	}
	b := (&perftest.Block{Objects: []perftest.Object{o}}).Bytes()
	var out counting
	_, err := hexview.Write(&out, hexview.PerfData(b, hexview.Input{}), hexview.Options{All: true})
	require.NoError(t, err)
	assert.Less(t, out.n, int64(20*len(b)))
}

// A row allocates nothing: what a dump allocates grows with its objects and
// names, of which this one has many, not with its values.
func TestGuardRowsAllocateNothing(t *testing.T) {
	if perftest.Race {
		t.Skip("the race detector allocates")
	}
	wide := perftest.Wide(50, 2000)
	doc := hexview.PerfData(wide, hexview.Input{})
	allocs := testing.AllocsPerRun(3, func() {
		if _, err := hexview.Write(io.Discard, doc, hexview.Options{All: true}); err != nil {
			t.Fatal(err)
		}
	})
	assert.Less(t, allocs, 1000.0, "for 100,000 values and 2,000 names")
}

// FuzzWrite holds the dump of any bytes, taken for any format, to showing each
// of them once.
func FuzzWrite(f *testing.F) {
	f.Add(damaged(), "")
	f.Add(odd(), "object[0].instance[1]")
	f.Add([]byte("1\x002\x00\x00"), "entry[0].Index")
	for _, name := range []string{"sys-238-x86_64-1.bin", "var-x86_64-1.bin", "basic-x86_64-1.bin"} {
		f.Add(read(f, name), "object.counter[*]")
	}
	f.Fuzz(func(t *testing.T, b []byte, path string) {
		if len(b) > 1<<16 {
			return
		}
		for format, d := range documents(b) {
			everyByteOnce(t, dump(t, d, hexview.Options{All: true}), b, 0, int64(len(b)))
			_, err := hexview.Write(io.Discard, d, hexview.Options{Path: path, Width: 80, Color: true})
			var pe *hexview.PathError
			if err != nil && !errors.As(err, &pe) {
				t.Fatal(format, err)
			}
		}
	})
}

type failing struct{ n int }

func (f *failing) Write(b []byte) (int, error) {
	if f.n++; f.n > 2 {
		return 0, fs.ErrClosed
	}
	return len(b), nil
}

func TestWriteErrorEndsTheDump(t *testing.T) {
	w := &failing{}
	_, err := hexview.Write(w, hexview.PerfData(perftest.Busy(1, perftest.Server), hexview.Input{}), hexview.Options{All: true})
	assert.ErrorIs(t, err, fs.ErrClosed)
	assert.Equal(t, 3, w.n)
}

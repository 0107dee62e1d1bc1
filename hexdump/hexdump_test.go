package hexdump_test

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
	"github.com/perfdump/perfdump/hexdump"
	"github.com/perfdump/perfdump/internal/formattest"
	"github.com/perfdump/perfdump/internal/golden"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
	"github.com/perfdump/perfdump/perfdata"
)

const captures = "../testdata/captures"

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(captures, name))
	require.NoError(t, err)
	return b
}

func dump(t testing.TB, d hexdump.Document, o hexdump.Options) string {
	t.Helper()
	var out bytes.Buffer
	_, err := hexdump.Write(&out, d, o)
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

// The document of IPC control blocks says what it cannot read, and shows each
// byte of what it can.
func TestIPCBlock(t *testing.T) {
	b := read(t, "../ipcblock/sxs_x64.bin")
	require.NoError(t, hexdump.IPCBlock(b, hexdump.Input{Mode: perfdump.Strict}).Err())
	states := ipcStates(b)
	require.ErrorIs(t, hexdump.IPCBlock(states, hexdump.Input{}).Err(), perfdump.ErrCount)
	require.NoError(t, hexdump.IPCBlock(states, hexdump.Input{Mode: perfdump.Salvage}).Err())
	for _, b := range [][]byte{b, states, b[:5000], read(t, "../ipcblock/legacy_public_v2_x64.bin"), b[:10]} {
		d := hexdump.IPCBlock(b, hexdump.Input{})
		formattest.Tile(t, d.Spans(), 0, int64(len(b)))
		dump(t, d, hexdump.Options{All: true})
	}
}

func TestGolden(t *testing.T) {
	sys, inst, small := read(t, "sys-238-x86_64-1.bin"), read(t, "inst-x86_64-1.bin"), read(t, "small.bin")
	two := append(bytes.Clone(sys), read(t, "sys-238-x86_64-2.bin")...)
	in := hexdump.Input{}
	for _, test := range []struct {
		name string
		doc  hexdump.Document
		o    hexdump.Options
	}{
		{"sys-238", hexdump.PerfData(sys, in), hexdump.Options{}},
		{"sys-238-80", hexdump.PerfData(sys, in), hexdump.Options{Width: 80}},
		{"sys-238-color", hexdump.PerfData(sys, in), hexdump.Options{Width: 200, Color: true, Range: hexdump.Range{To: 0xa8}}},
		{"inst", hexdump.PerfData(inst, in), hexdump.Options{}},
		{"inst-names", hexdump.PerfData(inst, in), hexdump.Options{Path: "object[0].instance.Name"}},
		{"inst-names-80", hexdump.PerfData(inst, in), hexdump.Options{Path: "object[0].instance.Name", Width: 80}},
		{"inst-column", hexdump.PerfData(inst, in), hexdump.Options{Path: "object[5].instance.counter[1]"}},
		{"var", hexdump.PerfData(read(t, "var-x86_64-1.bin"), in), hexdump.Options{All: true}},
		{"small-object", hexdump.PerfData(small, in), hexdump.Options{Path: "object[1]"}},
		{"cut", hexdump.PerfData(inst[:3000], in), hexdump.Options{}},
		{"damaged", hexdump.PerfData(damaged(), in), hexdump.Options{}},
		{"odd", hexdump.PerfData(odd(), in), hexdump.Options{}},
		{"odd-80", hexdump.PerfData(odd(), in), hexdump.Options{Width: 80, Path: "object[0].instance"}},
		{"two-blocks", hexdump.PerfData(two, in), hexdump.Options{}},
		{"titles", hexdump.Titles(read(t, "titles-009.bin"), in), hexdump.Options{}},
		{"ipcblock", hexdump.IPCBlock(read(t, "../ipcblock/sxs_x86.bin"), in), hexdump.Options{}},
		{"ipcblock-states", hexdump.IPCBlock(ipcStates(read(t, "../ipcblock/sxs_x86.bin")), in), hexdump.Options{Width: 80}},
		{"ipcblock-legacy", hexdump.IPCBlock(read(t, "../ipcblock/legacy_public_v2_x64.bin"), in), hexdump.Options{Path: "header"}},
		{"minidump-80", hexdump.Minidump(serviceDump(t), in), hexdump.Options{Width: 80, Path: "stream"}},
		{"minidump-table", hexdump.Minidump(serviceDump(t), in), hexdump.Options{Path: "table[0].chunk.perf.gc.gen0Collections"}},
		{"memory", hexdump.Memory(rawImage(t), in), hexdump.Options{Path: "table[0].chunk[0].header"}},
		{"perflib2", hexdump.PerfLib2(read(t, "../perflib2/sets.bin"), in), hexdump.Options{}},
		{"aspnet", hexdump.ASPNet(make([]byte, 336), aspnet.V20), hexdump.Options{}},
		{"unknown", hexdump.Raw(inst[1000:1400], "no known format"), hexdump.Options{}},
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
		ascii := bytes.Map(func(r rune) rune {
			if r < ' ' || r > '~' {
				return '.'
			}
			return r
		}, latin1(b))
		if fmt.Sprintf("%-16s", ascii) != rest[49:65] {
			t.Fatalf("%q", line)
		}
		rows = append(rows, row{off, b, strings.TrimPrefix(rest[66:], " ")})
	}
	return rows
}

// latin1 makes a character of each byte.
func latin1(b []byte) []byte {
	var s []rune
	for _, v := range b {
		s = append(s, rune(v))
	}
	return []byte(string(s))
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
	found := false
	for _, root := range []string{captures, "../../shared/captures"} {
		err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(name) != ".bin" {
				return err
			}
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if strings.Contains(name, "malformed") {
				found = true
			}
			t.Run(filepath.Base(name), func(t *testing.T) { do(t, name, b) })
			return nil
		})
		if !errors.Is(err, fs.ErrNotExist) {
			require.NoError(t, err)
		}
	}
	if !found {
		t.Log("the malformed captures are not there: put them at ../../shared/captures")
	}
}

func documents(b []byte, in hexdump.Input) map[string]hexdump.Document {
	return map[string]hexdump.Document{
		"perfdata": hexdump.Open("perfdata", b, in), "titles": hexdump.Open("titles", b, in), "blg": hexdump.Open("blg", b, in),
		"ipcblock": hexdump.Open("ipcblock", b, in), "minidump": hexdump.Open("minidump", b, in), "memory": hexdump.Open("memory", b, in),
		"aspnet:2.0": hexdump.Open("aspnet:2.0", b, in), "aspnet:4.x": hexdump.Open("aspnet:4.x", b, in), "hive": hexdump.Open("hive", b, in),
		"perflib2": hexdump.Open("perflib2", b, in),
	}
}

func TestEveryByteOnce(t *testing.T) {
	everyFile(t, func(t *testing.T, _ string, b []byte) {
		for format, d := range documents(b, hexdump.Input{}) {
			everyByteOnce(t, dump(t, d, hexdump.Options{All: true}), b, 0, int64(len(b)))
			for line := range strings.Lines(dump(t, d, hexdump.Options{Width: 80})) {
				if !strings.HasPrefix(line, "o") && cell.Width(line) > 81 {
					t.Fatalf("%q", line)
				}
			}
			if size := int64(len(b)); size > 4 && format == "perfdata" {
				r := hexdump.Range{From: size / 3, To: size/3 + size/2}
				everyByteOnce(t, dump(t, d, hexdump.Options{Range: r}), b, r.From, r.To)
			}
		}
	})
}

func TestEveryByteOnceOfDamagedServers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	server := perftest.Busy(1, perftest.Size{Processes: 4, Threads: 9, Multi: 2, Instances: 5, Single: 3})
	for range 300 {
		b := bytes.Clone(server)
		for range 1 + r.IntN(20) {
			binary.LittleEndian.PutUint32(b[r.IntN(len(b)/4)*4:], uint32(1)<<r.IntN(32)>>1)
		}
		b = b[:1+r.IntN(len(b))]
		d := hexdump.PerfData(b, hexdump.Input{})
		everyByteOnce(t, dump(t, d, hexdump.Options{All: true}), b, 0, int64(len(b)))
		dump(t, d, hexdump.Options{Width: 80, Color: true})
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
	text := dump(t, hexdump.PerfData(b, hexdump.Input{}), hexdump.Options{All: true})
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
		doc := hexdump.PerfData(b, hexdump.Input{})
		var out bytes.Buffer
		folded, err := hexdump.Write(&out, doc, hexdump.Options{})
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
			r, err := hexdump.ParseRange(fmt.Sprintf("0x%s..0x%s", m[1], m[2]), int64(len(b)))
			require.NoError(t, err)
			everyByteOnce(t, dump(t, doc, hexdump.Options{Range: r}), b, from, to)
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
	text := dump(t, hexdump.PerfData(b, hexdump.Input{}), hexdump.Options{})
	assert.Contains(t, text, "\n\n… object[3]  % Processor Time, 1 counter, 2 instances (0x")
	for _, line := range []string{"object[2].NumInstances =", "… object[4]  ", "… object[5]  "} {
		assert.Contains(t, text, line)
	}
	assert.NotContains(t, text, "object[3].")

	blk, err := perfdata.Parse(b, perfdata.Options{})
	require.NoError(t, err)
	broken := bytes.Clone(b)
	binary.LittleEndian.PutUint32(broken[blk.Object(4).Instance(1).Offset()+20:], 0x1000) // NameLength
	text = dump(t, hexdump.PerfData(broken, hexdump.Input{}), hexdump.Options{})
	for _, line := range []string{"… object[3]  ", `object[4].instance[0].Name = "a"`, "gap of 40 bytes, object[4].instance[1].NameLength: name 0x1018 past", "\n\n… object[5]  "} {
		assert.Contains(t, text, line)
	}

	many := dump(t, hexdump.PerfData(bytes.Repeat(b, 9), hexdump.Input{}), hexdump.Options{})
	assert.Contains(t, many, "block[2].object[2].NumInstances")
	assert.NotContains(t, many, "block[3]")
	assert.Contains(t, many, fmt.Sprintf("… 6 more blocks (0x%x..0x%x)", 3*len(b), 9*len(b)))
}

func TestPathSelects(t *testing.T) {
	b := read(t, "inst-x86_64-1.bin")
	doc := hexdump.PerfData(b, hexdump.Input{})
	for path, begins := range map[string]string{
		"object[3].instance[2]":              "object[3].instance[2]",
		"OBJECT[1].counter[2]":               "object[1].counter[2].",
		"object[1].NumInstances":             "object[1].NumInstances = ",
		"object[0].instance[200]":            "",
		"object.DetailLevel":                 "object[",
		"object[0].instance[*].counter[1]":   "object[0].instance[",
		"SystemTime":                         "SystemTime = ",
		"object[6].instance[400].Name":       `object[6].instance[400].Name = "`,
		"object[0].instance[3].CounterBlock": "object[0].instance[3].CounterBlock.ByteLength = ",
	} {
		if begins == "" {
			continue
		}
		rows := parse(t, dump(t, doc, hexdump.Options{Path: path}))
		require.NotEmpty(t, rows, path)
		for _, r := range rows {
			if r.tree != "" {
				assert.True(t, strings.HasPrefix(r.tree, begins), "%s: %s", path, r.tree)
			}
		}
	}
	// A path shows what the whole dump shows below it.
	whole := dump(t, doc, hexdump.Options{All: true})
	part := dump(t, doc, hexdump.Options{All: true, Path: "object[2].instance[1]"})
	for line := range strings.Lines(part) {
		if strings.HasPrefix(line, "0x") {
			assert.Contains(t, whole, line)
		}
	}
}

func TestPathErrors(t *testing.T) {
	doc := hexdump.PerfData(read(t, "inst-x86_64-1.bin"), hexdump.Input{})
	for path, want := range map[string]string{
		"object[99]":                   "object[0] to [7]",
		"object[1].Fortune":            "object[1] has TotalByteLength, ",
		"object[1].instance[9]":        "instance[0] to [2]",
		"object[1].instance[1].colour": "object[1].instance[1] has ByteLength",
		"object[x]":                    `"x" is no index: want one such as object[0]`,
		"object[1":                     "has no ]",
		"nonsense":                     "here are Signature, ",
		"block[0].object[0]":           "here are Signature, ",
	} {
		var out bytes.Buffer
		_, err := hexdump.Write(&out, doc, hexdump.Options{Path: path})
		var pe *hexdump.PathError
		require.ErrorAs(t, err, &pe, path)
		assert.Contains(t, err.Error(), want, path)
		assert.Empty(t, out.String(), path)
	}
	_, err := hexdump.Write(&bytes.Buffer{}, hexdump.Raw([]byte("x"), "unknown"), hexdump.Options{Path: "object[0]"})
	assert.ErrorContains(t, err, "nothing in this input has a path")
}

func TestParseRange(t *testing.T) {
	for text, want := range map[string]hexdump.Range{
		"0x100..0x200": {From: 0x100, To: 0x200},
		"0x100+32":     {From: 0x100, To: 0x120},
		"16..":         {From: 16, To: 1000},
		"..16":         {From: 0, To: 16},
		"999":          {From: 999, To: 1000},
		" 0X10 .. 32 ": {From: 16, To: 32},
	} {
		got, err := hexdump.ParseRange(text, 1000)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"0x100..0x500": "0x100..0x500 ends past the input's 0x3e8 bytes", "1000": "0x3e8 is past the end", "5..5": "has no bytes", "9..5": "has no bytes",
		"": "want a range", "x": "want a range", "1-2": "want a range", "5+0": "has no bytes", "0x3fffffffffffffff+0x3fffffffffffffff": "past the end",
		"1+99999999999999999999": "want a range",
	} {
		_, err := hexdump.ParseRange(text, 1000)
		assert.ErrorContains(t, err, want, text)
	}
}

// Lines keep to the width of a terminal, whatever stands in names.
func TestLinesFit(t *testing.T) {
	for _, b := range [][]byte{odd(), damaged(), read(t, "inst-x86_64-1.bin"), read(t, "var-x86_64-1.bin")} {
		for _, width := range []int{70, 80, 100, 120, 200} {
			text := dump(t, hexdump.PerfData(b, hexdump.Input{}), hexdump.Options{All: true, Width: width})
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

func TestErr(t *testing.T) {
	b := damaged()
	fe := &perfdump.FormatError{}
	require.ErrorAs(t, hexdump.PerfData(b, hexdump.Input{}).Err(), &fe)
	assert.Equal(t, "object[1].DefinitionLength", fe.Path)
	assert.NoError(t, hexdump.PerfData(b, hexdump.Input{Mode: perfdump.Salvage}).Err())
	assert.ErrorIs(t, hexdump.PerfData(odd(), hexdump.Input{Mode: perfdump.Strict}).Err(), perfdump.ErrAnomaly)
	assert.NoError(t, hexdump.PerfData(odd(), hexdump.Input{}).Err())
	assert.Error(t, hexdump.PerfData([]byte("PERF"), hexdump.Input{}).Err())
	assert.Error(t, hexdump.Titles([]byte("\x00\x31\x00\x00"), hexdump.Input{}).Err())
}

// Texts that share their bytes cost no more than what they add.
func TestOverlappingTextsCostLittle(t *testing.T) {
	o := perftest.Object{Title: 2, Single: true, Instances: []perftest.Instance{{Raw: map[int][]byte{0: make([]byte, 1<<20)}}}}
	for i := range uint32(5000) {
		o.Counters = append(o.Counters, perftest.Counter{Title: 4 + 2*i, Type: 0x00010b00, Size: 1 << 20, Offset: 8})
	}
	b := (&perftest.Block{Objects: []perftest.Object{o}}).Bytes()
	var out counting
	_, err := hexdump.Write(&out, hexdump.PerfData(b, hexdump.Input{}), hexdump.Options{All: true})
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
	doc := hexdump.PerfData(wide, hexdump.Input{})
	allocs := testing.AllocsPerRun(3, func() {
		if _, err := hexdump.Write(io.Discard, doc, hexdump.Options{All: true}); err != nil {
			t.Fatal(err)
		}
	})
	assert.Less(t, allocs, 1000.0, "for 100,000 values and 2,000 names")

	gap := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	raw := hexdump.Raw(gap, "a gap")
	allocs = testing.AllocsPerRun(3, func() {
		if _, err := hexdump.Write(io.Discard, raw, hexdump.Options{All: true}); err != nil {
			t.Fatal(err)
		}
	})
	assert.Less(t, allocs, 30.0)
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
		for format, d := range documents(b, hexdump.Input{}) {
			everyByteOnce(t, dump(t, d, hexdump.Options{All: true}), b, 0, int64(len(b)))
			_, err := hexdump.Write(io.Discard, d, hexdump.Options{Path: path, Width: 80, Color: true})
			var pe *hexdump.PathError
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
	_, err := hexdump.Write(w, hexdump.PerfData(busy(), hexdump.Input{}), hexdump.Options{All: true})
	assert.ErrorIs(t, err, fs.ErrClosed)
	assert.Equal(t, 3, w.n)
}

package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/formats"
	"github.com/perfdump/perfdump/internal/testkit/perftest"
	"github.com/perfdump/perfdump/perfdata"
	"github.com/perfdump/perfdump/titles"
)

const minimal = `{"format":"perfdata","blocks":[{"system_name":"HOST","system_time":"2020-03-18T19:05:41.123Z","objects":[
 {"index":238,"counters":[{"index":6,"type":"PERF_100NSEC_TIMER_INV"},{"index":26,"type":"PERF_COUNTER_RAWCOUNT"}],
  "instances":[{"name":"0","values":[18446744073709551615,4294967295]},{"name":"_Total","values":[2,3]}]},
 {"index":2,"counters":[{"index":10,"type_hex":"0x10410400"}],"instances":[{"name":null,"values":[7]}]},
 {"index":4,"num_instances":-2,"counters":[{"index":24,"type":"0x00010000"}]}]}]}`

func TestHandWrittenDocumentsAreCanonical(t *testing.T) {
	b := encode(t, []byte(minimal))
	blk, err := perfdata.Parse(b, perfdump.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	require.Equal(t, "HOST", blk.ComputerName())
	now, ok := blk.Time()
	require.True(t, ok)
	require.Equal(t, "2020-03-18 19:05:41.123 +0000 UTC", now.String())
	require.Equal(t, now, perfdata.Filetime(blk.PerfTime100nSec))
	require.Equal(t, 3, blk.NumObjects())
	require.Equal(t, []uint64{1<<64 - 1, 1<<32 - 1, 2, 3}, blk.Object(0).AppendUint64s(nil))
	require.Equal(t, "_Total", blk.Object(0).Instance(1).Name())
	require.Equal(t, []uint64{7}, blk.Object(1).AppendUint64s(nil))
	require.True(t, blk.Object(1).Single())
	require.Equal(t, int32(-2), blk.Object(2).NumInstances)
	require.Equal(t, uint32(239), blk.Object(0).ObjectHelpTitleIndex)

	// Its bytes are what Layout makes of the same tree.
	tree, _ := blk.Tree()
	require.NoError(t, tree.Layout())
	want, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	require.Equal(t, want, b)
	roundTrip(t, "minimal", b)
	require.Equal(t, b, encode(t, edit(t, []byte(minimal), func(object) {})))
}

// Without wire and gaps the lengths and offsets that a document of dump has
// do not count: it is laid out as Layout would.
func TestStrippedDocumentsAreLaidOutAnew(t *testing.T) {
	all := oddBlocks()
	for seed := range uint64(2) {
		all[fmt.Sprint("small ", seed)] = perftest.Busy(seed, perftest.Small)
	}
	for name, b := range all {
		if name == "past the block" || name == "texts" { // 2 GiB, and texts without NUL
			continue
		}
		bs, _ := blocks(b, perfdump.Options{})
		doc := edit(t, dump(t, b, document.Options{}), func(m object) { strip(m) })
		var want []byte
		for _, blk := range bs {
			tree, ok := blk.Tree()
			require.True(t, ok)
			respell(t, tree, blk)
			require.NoError(t, tree.Layout(), name)
			var err error
			want, err = tree.AppendBinary(want)
			require.NoError(t, err)
		}
		var out bytes.Buffer
		require.NoError(t, formats.Encode(&out, bytes.NewReader(doc)), name)
		require.Equal(t, want, out.Bytes(), name)
	}
}

// respell lets Layout encode the names that a document has as strings, and
// makes the time what a document that holds none has.
func respell(t *testing.T, tree *perfdata.Tree, blk *perfdata.Block) {
	t.Helper()
	m := parse(t, dump(t, blk.Bytes(), document.Options{}))
	if _, ok := blk.SystemTime.Time(); !ok || blk.SystemTime[0] > 9999 {
		tree.SystemTime = perfdata.NewSystemTime(perfdata.Filetime(tree.PerfTime100nSec))
	}
	if _, ok := at(t, m, "blocks.0.system_name").(string); ok {
		tree.RawSystemName = nil
	}
	tree.Padding = [4]uint8{}
	for i := range tree.Objects {
		for k := range tree.Objects[i].Instances {
			in := &tree.Objects[i].Instances[k]
			if _, ok := at(t, m, fmt.Sprintf("blocks.0.objects.%d.instances.%d.name", i, k)).(string); ok {
				in.RawName = nil
			}
		}
		for j := range tree.Objects[i].Counters {
			c := &tree.Objects[i].Counters[j]
			c.CounterNameTitle, c.CounterHelpTitle = 0, 0
		}
	}
}

// Each key of a wire may be left out of a canonical document.
func TestWiresMayBeLeftOutOneByOne(t *testing.T) {
	b := encode(t, []byte(minimal))
	doc := dump(t, b, document.Options{})
	n := 0
	var paths []string
	walkWires(parse(t, doc), "", func(path string) { paths = append(paths, path) })
	for _, path := range paths {
		require.Equal(t, b, encode(t, edit(t, doc, func(m object) { set(t, m, path, nil) })), path)
		n++
	}
	require.Greater(t, n, 30)
	// All of them at once, with the gaps still there.
	require.Equal(t, b, encode(t, edit(t, doc, func(m object) {
		gaps := m["gaps"]
		strip(m)
		m["gaps"] = gaps
	})))
}

func walkWires(v any, path string, f func(string)) {
	switch v := v.(type) {
	case object:
		for key, e := range v {
			if key == "wire" {
				f(path + "wire")
				for k := range e.(object) {
					f(path + "wire." + k)
				}
				continue
			}
			walkWires(e, path+key+".", f)
		}
	case []any:
		for i, e := range v {
			walkWires(e, fmt.Sprintf("%s%d.", path, i), f)
		}
	}
}

// Whoever gives a wire and no gaps has the padding of what is left to the
// encoder filled in, and must say all else.
func TestWireWithoutGaps(t *testing.T) {
	b := encode(t, []byte(minimal))
	flagged := edit(t, []byte(minimal), func(m object) { set(t, m, "blocks.0.wire", object{"flag": 0}) })
	want := bytes.Clone(b)
	want[8] = 0
	require.Equal(t, want, encode(t, flagged))

	err := refuse(t, edit(t, dump(t, b, document.Options{}), func(m object) { delete(m, "gaps") }))
	require.Equal(t, perfdump.CodeLength, err.Code)
	require.Equal(t, int64(52), err.Off)
}

// A value that is changed in a document is changed in the bytes.
func TestEditedDocuments(t *testing.T) {
	b := encode(t, []byte(minimal))
	doc := dump(t, b, document.Options{})
	got := encode(t, edit(t, doc, func(m object) {
		set(t, m, "blocks.0.objects.0.instances.1.values.1", 77)
		set(t, m, "blocks.0.objects.0.instances.1.name", "_Tutel")
		set(t, m, "blocks.0.perf_time", -5)
		set(t, m, "blocks.0.objects.0.counters.0.type", "whatever it is called")
	}))
	require.Len(t, got, len(b))
	blk, err := perfdata.Parse(got, perfdump.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	require.Equal(t, int64(-5), blk.PerfTime)
	require.Equal(t, "_Tutel", blk.Object(0).Instance(1).Name())
	require.Equal(t, []uint64{2, 77}, blk.Object(0).Instance(1).AppendUint64s(nil))
}

// null is null where set would delete the key.
var null = json.RawMessage("null")

func TestRefusals(t *testing.T) {
	b := encode(t, []byte(minimal))
	doc := dump(t, b, document.Options{})
	type change = map[string]any
	for _, c := range []struct {
		what   string
		change change
		code   perfdump.Code
		off    int64 // -2 for any
		path   string
		text   string
	}{
		{"hole", change{"gaps.0": object{"offset": 52, "zero": 3}}, "length", 55, "gaps", "no field and no gap"},
		{"two bytes for one place", change{"gaps.0": object{"offset": 51, "hex": "ff00000000"}}, "length", 51, "gaps[0]", "elsewhere"},
		{"zeros over a field", change{"gaps.0": object{"offset": 50, "zero": 6}}, "length", 50, "gaps", "zeros"},
		{"gap past the size", change{"gaps.0": object{"offset": 52, "zero": 1 << 30}}, "length", -2, "size", "size"},
		{"size too large", change{"size": len(b) + 1}, "length", int64(len(b)), "gaps", "no field"},
		{"size too small", change{"size": len(b) - 1}, "length", int64(len(b) - 1), "size", "size"},
		{"partial", change{"partial": true}, "read-only", -1, "partial", "filters"},
		{"name of another length", change{"blocks.0.objects.0.instances.0.name": "000"}, "length", -2, "blocks[0].objects[0].instances[0].name", "name_length"},
		{"system name of another length", change{"blocks.0.system_name": "H"}, "length", -1, "blocks[0]", "system_name_length"},
		{"system name in the struct", change{"blocks.0.wire.system_name_offset": 80}, "length", 0, "blocks[0]", "not between"},
		{"time against its words", change{"blocks.0.system_time": "2020-03-18T19:05:41.124Z"}, "length", -1, "blocks[0]", "wire.system_time"},
		{"no time", change{"blocks.0.system_time": "null"}, "syntax", -2, "blocks[0].system_time", "no time"},
		{"words that are no time", change{"blocks.0.wire.system_time": []int{0, 0, 0, 0, 0, 0, 0, 0}}, "length", -1, "blocks[0]", "wire.system_time"},
		{"seven words", change{"blocks.0.wire.system_time": []int{0, 0, 0, 0, 0, 0, 0}}, "syntax", -2, "blocks[0].wire.system_time", "8"},
		{"objects not counted", change{"blocks.0.num_object_types": 4}, "count", 0, "blocks[0]", "num_object_types"},
		{"counters not counted", change{"blocks.0.objects.0.wire.num_counters": 3}, "count", -1, "blocks[0].objects[0].wire.num_counters", "2 counters"},
		{"instances not counted", change{"blocks.0.objects.0.num_instances": 3}, "count", -1, "blocks[0].objects[0].num_instances", "2 instances"},
		{"an object elsewhere", change{"blocks.0.objects.1.offset": 5}, "length", -1, "blocks[0]", "blocks[0].objects[1]"},
		{"all objects elsewhere", change{"blocks.0.header_length": 112}, "length", 0, "blocks[0]", "first object"},
		{"object too short", change{"blocks.0.objects.0.wire.total_byte_length": 100}, "length", -2, "", "runs over"},
		{"definitions too short", change{"blocks.0.objects.0.wire.definition_length": 100}, "length", -2, "", "definitions end"},
		{"value too large", change{"blocks.0.objects.0.instances.0.values.1": int64(4294967296)}, "length", -2, "blocks[0].objects[0].instances[0].values[1]", "4 bytes"},
		{"text for a number", change{"blocks.0.objects.0.instances.0.values.1": "5"}, "length", -1, "blocks[0].objects[0].instances[0].values[1]", "no text"},
		{"bytes of another length", change{"blocks.0.objects.0.instances.0.values.1": object{"hex": "00"}}, "length", -2, "blocks[0].objects[0].instances[0].values[1]", "has 4"},
		{"nothing for a value", change{"blocks.0.objects.0.instances.0.values.0": null}, "length", -2, "gaps", "no field"},
		{"too few values", change{"blocks.0.objects.0.instances.0.values": []int{1}}, "count", -1, "blocks[0].objects[0].instances[0].values", "1 values for 2"},
		{"too many values", change{"blocks.0.objects.0.instances.0.values": []int{1, 2, 3}}, "count", -1, "blocks[0].objects[0].instances[0].values[2]", "2"},
		{"a count of no multi-counter", change{"blocks.0.objects.0.instances.0.multi": []int{1, 1}}, "length", -1, "blocks[0].objects[0].instances[0].multi[0]", "no count"},
		{"value past its block", change{"blocks.0.objects.0.counters.1.offset": 400}, "length", -1, "blocks[0].objects[0].instances[0].values[1]", "null"},
		{"values that share bytes", change{"blocks.0.objects.0.counters.1.offset": 12}, "length", -2, "blocks[0].objects[0].instances[1].values[1]", "another value"},
		{"a short instance", change{"blocks.0.objects.0.instances.0.wire.byte_length": 23}, "length", -2, "blocks[0].objects[0].instances[0].wire.byte_length", "24"},
		{"a short block", change{"blocks.0.objects.0.instances.0.wire.block_length": 3}, "length", -2, "blocks[0].objects[0].instances[0].wire.block_length", "4 bytes"},
		{"a name past its instance", change{"blocks.0.objects.0.instances.0.wire.name_offset": 30}, "length", -2, "blocks[0].objects[0].instances[0].name", "past"},
		{"a name for the one set", change{"blocks.0.objects.1.instances.0.name": "x"}, "length", -1, "blocks[0].objects[1].instances[0].name", "null"},
		{"unknown key", change{"blocks.0.objects.0.instances.0.valeus": 1}, "syntax", -2, "blocks[0].objects[0].instances[0]", "valeus"},
		{"fraction", change{"blocks.0.perf_time": 1.5}, "syntax", -2, "blocks[0].perf_time", "fraction"},
		{"negative", change{"blocks.0.version": -1}, "syntax", -2, "blocks[0].version", "0..4294967295"},
		{"past 32 bits", change{"blocks.0.version": int64(1 << 32)}, "syntax", -2, "blocks[0].version", "0..4294967295"},
		{"past 32 bits with a sign", change{"blocks.0.default_object": int64(1 << 31)}, "syntax", -2, "blocks[0].default_object", "2147483647"},
		{"past 64 bits with a sign", change{"blocks.0.perf_time": uint64(1 << 63)}, "syntax", -2, "blocks[0].perf_time", "9223372036854775807"},
		{"string for a number", change{"blocks.0.version": "1"}, "syntax", -2, "blocks[0].version", "a string"},
		{"null for a number", change{"blocks.0.version": null}, "syntax", -2, "blocks[0].version", "null"},
		{"number for a list", change{"blocks.0.objects": 1}, "syntax", -2, "blocks[0].objects", "a number"},
		{"odd hex", change{"gaps.0": object{"offset": 52, "hex": "000"}}, "syntax", -2, "gaps[0].hex", "odd number"},
		{"no hex", change{"gaps.0": object{"offset": 52, "hex": "0g"}}, "syntax", -2, "gaps[0].hex", "'g'"},
		{"gap of nothing", change{"gaps.0": object{"offset": 52, "zero": 0}}, "syntax", -2, "gaps[0]", "no bytes"},
		{"gap without place", change{"gaps.0": object{"zero": 4}}, "syntax", -2, "gaps[0]", "offset"},
		{"gap of two kinds", change{"gaps.0": object{"offset": 52, "zero": 4, "hex": "00"}}, "syntax", -2, "gaps[0]", "one of"},
		{"NUL in a name", change{"blocks.0.objects.0.instances.0.name": "\x00"}, "syntax", -2, "blocks[0].objects[0].instances[0].name", "NUL"},
		{"no type", change{"blocks.0.objects.0.counters.0.type_hex": "21510500"}, "syntax", -2, "blocks[0].objects[0].counters[0].type_hex", "0x21510500"},
		{"big-endian", change{"blocks.0.little_endian": false}, "big-endian", -1, "blocks[0]", "little"},
		{"format of logs", change{"format": "blg"}, "read-only", -1, "format", "read only"},
		{"format of lines", change{"format": "inifile"}, "syntax", -2, "format", "perfdata"},
		{"format of titles", change{"format": "titles"}, "syntax", -2, "format", "perfdata"},
		{"no format", change{"format": "x"}, "unknown-format", -2, "format", "x"},
	} {
		changed := edit(t, doc, func(m object) {
			for path, v := range c.change {
				set(t, m, path, v)
			}
		})
		t.Log(c.what)
		got := refuse(t, changed)
		require.Equal(t, c.code, got.Code, "%s: %v", c.what, got)
		if c.off != -2 {
			require.Equal(t, c.off, got.Off, "%s: %v", c.what, got)
		}
		if c.path != "" {
			require.Equal(t, c.path, got.Path, "%s: %v", c.what, got)
		}
		require.Contains(t, got.Error(), c.text, c.what)
	}
	for _, format := range []string{"blg", "minidump", "hive", "pdh-csv", "pdh-tsv", "checkmk", "manifest"} {
		for _, doc := range []string{`{"format":"%s","machine":1,"records":[{"a":[1.5e3,null,true,"\n"]}]}`, `{"machine":{},"blocks":[1],"entries":2,"format":"%s"}`} {
			err := refuse(t, fmt.Appendf(nil, doc, format))
			require.ErrorIs(t, err, perfdump.ErrReadOnly, format)
		}
	}
}

func TestBlocksAndCountsThatDoNotFit(t *testing.T) {
	two := dump(t, oddBlocks()["two"], document.Options{})
	err := refuse(t, edit(t, two, func(m object) {
		set(t, m, "blocks.1.offset", 8)
		for _, o := range at(t, m, "blocks.1.objects").([]any) {
			delete(o.(object), "offset")
		}
	}))
	require.Equal(t, "blocks[1]", err.Path)
	require.Contains(t, err.Error(), "inside the one before")

	multi := dump(t, oddBlocks()["multi"], document.Options{})
	require.Equal(t, "[2 null 2779096485]", strings.ReplaceAll(fmt.Sprint(at(t, parse(t, multi), "blocks.0.objects.0.instances.0.multi")), "<nil>", "null"))
	err = refuse(t, edit(t, multi, func(m object) { set(t, m, "blocks.0.objects.0.instances.0.multi.0", 3) }))
	require.Equal(t, "blocks[0].objects[0].instances[0].multi[0]", err.Path)
	require.Contains(t, err.Error(), "MULTI_BASE")
	err = refuse(t, edit(t, multi, func(m object) { set(t, m, "blocks.0.objects.0.instances.0.multi", []int{2}) }))
	require.Equal(t, perfdump.CodeCount, err.Code)
}

func TestBrokenJSON(t *testing.T) {
	for _, c := range []struct {
		doc  string
		code perfdump.Code
		text string
	}{
		{"", "empty", "empty"},
		{" ", "truncated", "middle"},
		{"[]", "syntax", "dump -o json"},
		{"{", "truncated", "middle"},
		{"{}", "syntax", "format"},
		{`{"format"}`, "syntax", "expecting ':'"},
		{`{"format":"perfdata"}`, "syntax", "blocks"},
		{`{"format":"titles"}`, "syntax", "entries"},
		{`{"format":"perfdata","format":"perfdata"}`, "syntax", "duplicate key"},
		{`{"format":"perfdata","blocks":[{"version":1,"version":1}]}`, "syntax", "duplicate key"},
		{`{"format":"perfdata","blocks":[],}`, "syntax", "','"},
		{`{"format":"perfdata","blocks":[1]}`, "syntax", "an object"},
		{`{"format":"perfdata","blocks":[]} x`, "syntax", "follows"},
		{`{"format":"perfdata","blocks":[]}{}`, "syntax", "follows"},
		{`{"format":"perfdata","entries":[]}`, "syntax", "entries"},
		{`{"blocks":[],"entries":[],"format":"perfdata"}`, "syntax", "entries"},
		{`{"format":"perfdata","chunks":[]}`, "syntax", "chunks"},
		{`{"chunks":[],"format":"perfdata","blocks":[]}`, "syntax", "ipcblock"},
		{`{"format":"perfdata","blocks":[{"version":01}]}`, "syntax", "after object value"},
		{`{"format":"perfdata","blocks":[{"version":-}]}`, "syntax", "expecting digit"},
		{`{"format":"perfdata","blocks":[{"perf_time":1e3}]}`, "syntax", "exponent"},
		{`{"format":"perfdata","blocks":[{"perf_time":99999999999999999999}]}`, "syntax", "64 bits"},
		{`{"format":"perfdata","blocks":[{"system_name":"\ud800"}]}`, "syntax", "surrogate"},
		{`{"format":"perfdata","blocks":[{"system_name":"\udc00\ud800"}]}`, "syntax", "surrogate"},
		{`{"format":"perfdata","blocks":[{"system_name":"\x"}]}`, "syntax", "escape"},
		{`{"format":"perfdata","blocks":[{"system_name":"\u12"}]}`, "syntax", "escape"},
		{"{\"format\":\"perfdata\",\"blocks\":[{\"system_name\":\"\xff\"}]}", "syntax", "UTF-8"},
		{"{\"format\":\"perfdata\",\"blocks\":[{\"system_name\":\"\n\"}]}", "syntax", "control"},
		{`{"format":"perfdata","blocks":[{"system_name":{"text":"a"}}]}`, "syntax", "hex"},
		{`{"format":"perfdata","blocks":[{"objects":[{"counters":[]}]}]}`, "syntax", "index"},
		{`{"format":"perfdata","blocks":[{"objects":[{"index":1,"counters":[{"index":1}]}]}]}`, "syntax", "type"},
		{`{"format":"perfdata","blocks":[{"objects":[{"index":1,"num_instances":-7}]}]}`, "count", "-7"},
		{`{"format":"perfdata","blocks":[{"objects":[{"index":1,"counters":[{"index":1,"type":"PERF_COUNTER_TEXT"}],"instances":[{"name":"a","values":["b"]}]}]}]}`, "length", "size"},
		{`{"format":"perfdata","blocks":[],"anomalies":` + strings.Repeat("[", 100) + `]}`, "syntax", "array element"},
		{`{"format":"perfdata","` + strings.Repeat("x", 1000) + `":1}`, "syntax", "not known"},
		{"\xff\xfe{\x00", "syntax", "UTF-16"},
		{"{\x00\"\x00", "syntax", "UTF-16"},
		{`{"format":"titles","entries":[{"index":"x","text":""}]}`, "syntax", "no index"},
		{`{"format":"titles","entries":[{"index":"4294967296","text":""}]}`, "syntax", "no index"},
		{`{"format":"titles","entries":[{"index":"1"}]}`, "syntax", "no text"},
		{`{"format":"titles","entries":[{"text":"1"}]}`, "syntax", "no index"},
		{`{"format":"titles","encoding":"cp37","entries":[]}`, "syntax", "cp37"},
		{`{"format":"titles","encoding":"cp1252","entries":[{"index":"1","text":"日"}]}`, "syntax", "spell"},
		{`{"format":"titles","entries":[{"index":"2","text":"a","offset":0},{"index":"4","text":"b","offset":4}],"gaps":[]}`, "length", "inside"},
		{`{"format":"titles","entries":[{"index":"2","text":"a","offset":2}],"gaps":[]}`, "length", "no field"},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.doc), iotest.OneByteReader(strings.NewReader(c.doc))} {
			err := formats.Encode(io.Discard, r)
			var fe *perfdump.FormatError
			require.True(t, errors.As(err, &fe), "%s: %v", c.doc, err)
			assert.Equal(t, c.code, fe.Code, "%s: %v", c.doc, err)
			assert.Contains(t, err.Error(), c.text, c.doc)
		}
	}
}

// A document that is cut anywhere is refused, and so is one with errors of
// reading.
func TestCutDocuments(t *testing.T) {
	doc := dump(t, encode(t, []byte(minimal)), document.Options{})
	for n := range bytes.TrimRight(doc, "\n") {
		err := refuse(t, doc[:n])
		require.LessOrEqual(t, err.Off, int64(n))
	}
	broken := errors.New("broken")
	err := formats.Encode(io.Discard, io.MultiReader(bytes.NewReader(doc[:100]), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
	require.NoError(t, formats.Encode(io.Discard, iotest.OneByteReader(bytes.NewReader(doc))))
	require.NoError(t, formats.Encode(io.Discard, iotest.DataErrReader(bytes.NewReader(doc))))
	require.NoError(t, formats.Encode(io.Discard, io.MultiReader(strings.NewReader("\xEF\xBB\xBF"), bytes.NewReader(doc))))
}

func TestErrorsOfTheOutputComeBack(t *testing.T) {
	full := errors.New("disk full")
	doc := dump(t, encode(t, []byte(minimal)), document.Options{})
	require.ErrorIs(t, formats.Encode(failing{full}, bytes.NewReader(doc)), full)
	b := encode(t, doc)
	bs, _ := blocks(b, perfdump.Options{})
	require.ErrorIs(t, document.WritePerfData(failing{full}, "", b, slices.Values(bs), document.Options{}), full)
	table, err := titles.New(titles.Encoding{}, titles.Entry{Index: 2, Text: "System"})
	require.NoError(t, err)
	raw, _ := table.AppendBinary(nil)
	require.ErrorIs(t, document.WriteTitles(failing{full}, "", raw, table, document.Options{}), full)
	require.ErrorIs(t, formats.Encode(failing{full}, bytes.NewReader(dumpTitles(t, raw, table))), full)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestTitlesByHand(t *testing.T) {
	b := encode(t, []byte(`{"format":"titles","entries":[{"index":"1","text":"1847"},{"index":"2","text":"System"},{"index":"4","text":"Größe"}]}`))
	table, err := titles.Parse(b, perfdump.Options{Mode: perfdump.Strict})
	require.NoError(t, err)
	name, _ := table.Lookup(4)
	require.Equal(t, "Größe", name)
	for _, enc := range []titles.Encoding{{}, {BOM: true}, {CodePage: 1252}, {CodePage: 65001}} {
		want, err := titles.Append(nil, enc, table.Entries())
		require.NoError(t, err)
		word := map[titles.Encoding]string{{}: "utf-16le", {BOM: true}: "utf-16le-bom", {CodePage: 1252}: "cp1252", {CodePage: 65001}: "utf-8"}[enc]
		doc := edit(t, dumpTitles(t, b, table), func(m object) { m["encoding"] = word })
		require.Equal(t, want, encode(t, doc), word)
	}
	// A table of a page that would be taken for UTF-16.
	want, err := titles.Append(nil, titles.Encoding{CodePage: 1252}, func(yield func(titles.Entry) bool) { yield(titles.Entry{Index: 2}) })
	require.NoError(t, err)
	require.Equal(t, want, encode(t, []byte(`{"format":"titles","encoding":"cp1252","entries":[{"index":"2","text":""}]}`)))
}

// Values may begin anywhere inside others, in the zeros behind a text too.
func TestValuesInsideTexts(t *testing.T) {
	const doc = `{"format":"perfdata","blocks":[{"offset":0,"wire":{},"objects":[{"index":1,"num_instances":-1,"code_page":0,"wire":{},
		"counters":[{"index":1,"type":"PERF_COUNTER_TEXT","size":%d,"offset":8,"wire":{}},{"index":2,"type":"PERF_COUNTER_RAWCOUNT","offset":10,"wire":{}},{"index":4,"type":"PERF_COUNTER_RAWCOUNT","offset":14,"wire":{}}],
		"instances":[{"name":null,"values":["abc",%d,%d],"wire":{}}]}]}]}`
	const inside, behind = 'b' | 'c'<<16, 0
	for _, size := range []int{12, 200} {
		b := encode(t, fmt.Appendf(nil, doc, size, inside, behind))
		at := bytes.Index(b, []byte("a\x00b\x00c\x00\x00\x00"))
		require.Positive(t, at)
		require.Equal(t, make([]byte, size-6), b[at+6:at+size])
		for _, wrong := range [][2]int{{inside + 1, behind}, {inside, 1}, {inside, 1 << 30}} {
			err := refuse(t, fmt.Appendf(nil, doc, size, wrong[0], wrong[1]))
			require.Equal(t, perfdump.CodeLength, err.Code)
		}
	}
}

package perfdata_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/perfdata"
)

// The captures stand beside the checkout. They are no part of it.
const captures = "../../shared/captures"

// capture reads a capture and skips the test where there is none.
func capture(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(captures, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the capture %s is not there: put the captures at %s", name, captures)
	}
	require.NoError(t, err)
	return b
}

// expectation is what an independent program read from a capture.
type expectation struct {
	Block   map[string]any
	Objects []expectedObject
}

type expectedObject struct {
	Fields    map[string]any
	Counters  []map[string]any
	Instances []expectedInstance
	Single    bool
}

type expectedInstance struct {
	Fields map[string]any
	Block  map[string]any
	Values []map[string]any
}

func readExpectation(t *testing.T, b []byte) expectation {
	t.Helper()
	var doc struct {
		Block   map[string]any   `json:"block"`
		Objects []map[string]any `json:"objects"`
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	require.NoError(t, d.Decode(&doc))
	maps := func(v any) []map[string]any {
		list, _ := v.([]any)
		out := make([]map[string]any, len(list))
		for i := range list {
			out[i] = list[i].(map[string]any)
		}
		return out
	}
	e := expectation{Block: doc.Block}
	for _, o := range doc.Objects {
		x := expectedObject{Fields: o, Counters: maps(o["counters"])}
		for _, in := range maps(o["instances"]) {
			x.Instances = append(x.Instances, expectedInstance{in, in["block"].(map[string]any), maps(in["values"])})
		}
		if block, ok := o["block"].(map[string]any); ok {
			x.Single = true
			x.Instances = append(x.Instances, expectedInstance{nil, block, maps(o["values"])})
		}
		e.Objects = append(e.Objects, x)
	}
	return e
}

// sameFields compares the integers of a struct with those of the JSON, whose
// names begin with a small letter.
func sameFields(t *testing.T, want map[string]any, got any, where string) {
	t.Helper()
	v := reflect.ValueOf(got)
	compared := 0
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		field := string(unicode.ToLower(rune(name[0]))) + name[1:]
		n, ok := want[field].(json.Number)
		if !ok {
			continue
		}
		var have string
		switch f := v.Field(i); {
		case f.CanInt():
			have = fmt.Sprint(f.Int())
		case f.CanUint():
			have = fmt.Sprint(f.Uint())
		default:
			continue
		}
		compared++
		require.Equal(t, n.String(), have, "%s: %s", where, name)
	}
	require.Positive(t, compared, where)
}

func TestSpecCaptures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(captures, "*", "*.expected.json"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skipf("there are no captures at %s", captures)
	}
	blocks := 0
	for _, file := range files {
		name := strings.TrimSuffix(file, ".expected.json")
		b, err := os.ReadFile(name + ".bin")
		require.NoError(t, err)
		if !bytes.HasPrefix(b, []byte("P\x00E\x00R\x00F\x00")) {
			continue // a table of names: package titles reads it
		}
		blocks++
		doc, err := os.ReadFile(file)
		require.NoError(t, err)
		t.Run(filepath.Base(name), func(t *testing.T) {
			blk := mustParse(t, b)
			t.Logf("anomalies: %v", codes(blk))
			checkTree(t, blk)
			sameAsExpected(t, readExpectation(t, doc), blk)
		})
	}
	require.Positive(t, blocks)
}

func sameAsExpected(t *testing.T, want expectation, blk *perfdata.Block) {
	sameFields(t, want.Block, blk.DataBlock, "block")
	st := want.Block["systemTime"].(map[string]any)
	for i, part := range []string{"year", "month", "dayOfWeek", "day", "hour", "minute", "second", "milliseconds"} {
		require.Equal(t, st[part].(json.Number).String(), fmt.Sprint(blk.SystemTime[i]), part)
	}
	require.Equal(t, want.Block["systemName"], blk.ComputerName())
	require.Equal(t, len(want.Objects), blk.NumObjects())
	for i, o := range blk.Objects() {
		x := want.Objects[i]
		where := fmt.Sprintf("object %d", i)
		sameFields(t, x.Fields, o.ObjectType, where)
		require.Equal(t, x.Fields["offset"].(json.Number).String(), fmt.Sprint(o.Offset()), where)
		require.Equal(t, len(x.Counters), len(o.Counters()), where)
		for c, d := range x.Counters {
			sameFields(t, d, o.Counter(c).CounterDefinition, fmt.Sprintf("%s counter %d", where, c))
		}
		require.Equal(t, len(x.Instances), o.Len(), where)
		require.Equal(t, x.Single, o.NumInstances == -1, where)
		bulk := o.AppendUint64s(nil)
		for n, in := range o.Instances() {
			sameInstance(t, x.Instances[n], in, fmt.Sprintf("%s instance %d", where, n))
			require.Equal(t, bulk[n*len(x.Counters):][:len(x.Counters)], in.AppendUint64s(nil))
		}
	}
}

func sameInstance(t *testing.T, want expectedInstance, in perfdata.Instance, where string) {
	require.Equal(t, want.Fields != nil, in.Defined(), where)
	if want.Fields != nil {
		sameFields(t, want.Fields, in.Definition(), where)
		require.Equal(t, want.Fields["offset"].(json.Number).String(), fmt.Sprint(in.Offset()), where)
		require.Equal(t, want.Fields["nameHex"], hex.EncodeToString(in.RawName()), where)
		if name, ok := want.Fields["name"].(string); ok && !strings.ContainsRune(name, utf8.RuneError) {
			require.Equal(t, name, in.Name(), where)
		}
	}
	require.Equal(t, want.Block["byteLength"].(json.Number).String(), fmt.Sprint(len(in.BlockBytes())), where)
	require.Len(t, want.Values, len(in.Object().Counters()), where)
	for c, x := range want.Values {
		sameValue(t, x, in, c, fmt.Sprintf("%s value %d", where, c))
	}
}

func sameValue(t *testing.T, want map[string]any, in perfdata.Instance, c int, where string) {
	v := in.Value(c)
	hexed, _ := want["hex"].(string)
	_, u32 := want["u32"]
	_, u64 := want["u64"]
	switch d := in.Object().Counter(c); {
	case want["missing"] != nil, want["zero"] != nil:
		require.Equal(t, perfdata.Absent, v.Kind, where)
	case want["sizeMismatch"] != nil:
		if int(d.CounterSize)*2 != len(hexed) {
			t.Logf("%s: CounterSize %d, but %d bytes in the expectation", where, d.CounterSize, len(hexed)/2)
			return
		}
		require.Equal(t, hexed, hex.EncodeToString(v.Raw), where)
		switch d.CounterSize {
		case 4:
			require.Equal(t, perfdata.Uint32, v.Kind, where)
		case 8:
			require.Equal(t, perfdata.Uint64, v.Kind, where)
		default:
			require.Equal(t, perfdata.Bytes, v.Kind, where)
		}
	case u32:
		require.Equal(t, perfdata.Uint32, v.Kind, where)
		require.Equal(t, want["u32"].(json.Number).String(), fmt.Sprint(v.Uint), where)
	case u64:
		require.Equal(t, perfdata.Uint64, v.Kind, where)
		require.Equal(t, want["u64"].(json.Number).String(), fmt.Sprint(v.Uint), where)
	default:
		require.Equal(t, hexed, hex.EncodeToString(v.Raw), where)
		if text, ok := want["text"].(string); ok {
			require.Equal(t, perfdata.Text, v.Kind, where)
			require.Equal(t, text, v.Text(), where)
		} else {
			require.Equal(t, perfdata.Bytes, v.Kind, where)
		}
	}
}

// TestSpecMalformed holds each damaged capture against the verdicts that its
// index calls right.
func TestSpecMalformed(t *testing.T) {
	var index []struct {
		File, What, Expected string
		Acceptable           []string
	}
	require.NoError(t, json.Unmarshal(capture(t, "malformed/index.json"), &index))
	require.NotEmpty(t, index)
	for _, entry := range index {
		t.Run(entry.File, func(t *testing.T) {
			b := capture(t, "malformed/"+entry.File)
			blk, err := checkAny(t, b)
			verdict := "accept"
			switch {
			case err != nil:
				verdict = "reject"
			case blk.Anomalies().Len() > 0:
				verdict = "accept-with-warning"
			}
			require.Contains(t, entry.Acceptable, verdict, "%s: %v", entry.What, err)
		})
	}
}

// The captures of the busy generator and of well-behaved providers pass in
// strict mode.
func TestSpecCapturesStrict(t *testing.T) {
	for _, name := range []string{"busy/small.bin", "busy/small-next.bin", "wine/sys-238-x86_64-1.bin", "wine/empty-global-x86_64-1.bin"} {
		t.Run(name, func(t *testing.T) {
			_, err := parseIn(capture(t, name), perfdump.Strict)
			require.NoError(t, err)
		})
	}
}

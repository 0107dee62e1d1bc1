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

// expected is a struct that an independent program read from a capture.
type expected map[string]any

func (f expected) number(name string) string { return f[name].(json.Number).String() }

func (f expected) list(name string) (list []expected) {
	all, _ := f[name].([]any)
	for _, v := range all {
		list = append(list, v.(map[string]any))
	}
	return list
}

// sameFields compares the integers of a struct with those of the JSON, whose
// names begin with a small letter.
func sameFields(t *testing.T, want expected, got any, where string) {
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
			var want expected
			d := json.NewDecoder(bytes.NewReader(doc))
			d.UseNumber()
			require.NoError(t, d.Decode(&want))
			sameAsExpected(t, want, blk)
		})
	}
	require.Positive(t, blocks)
}

func sameAsExpected(t *testing.T, want expected, blk *perfdata.Block) {
	header := expected(want["block"].(map[string]any))
	sameFields(t, header, blk.DataBlock, "block")
	st := expected(header["systemTime"].(map[string]any))
	for i, part := range []string{"year", "month", "dayOfWeek", "day", "hour", "minute", "second", "milliseconds"} {
		require.Equal(t, st.number(part), fmt.Sprint(blk.SystemTime[i]), part)
	}
	require.Equal(t, header["systemName"], blk.ComputerName())
	objects := want.list("objects")
	require.Len(t, objects, blk.NumObjects())
	for i, o := range blk.Objects() {
		x, where := objects[i], fmt.Sprintf("object %d", i)
		sameFields(t, x, o.ObjectType, where)
		require.Equal(t, x.number("offset"), fmt.Sprint(o.Offset()), where)
		counters := x.list("counters")
		require.Len(t, counters, len(o.Counters()), where)
		for c, d := range counters {
			sameFields(t, d, o.Counter(c).CounterDefinition, fmt.Sprintf("%s counter %d", where, c))
		}
		rows, single := x.list("instances"), x["block"] != nil
		if single { // its values are the object's
			rows = []expected{x}
		}
		require.Len(t, rows, o.Len(), where)
		require.Equal(t, single, o.NumInstances == -1, where)
		for n, in := range o.Instances() {
			sameInstance(t, rows[n], in, fmt.Sprintf("%s instance %d", where, n))
		}
	}
}

func sameInstance(t *testing.T, want expected, in perfdata.Instance, where string) {
	require.Equal(t, !in.Object().Single(), in.Defined(), where)
	if in.Defined() {
		sameFields(t, want, in.Definition(), where)
		require.Equal(t, want.number("offset"), fmt.Sprint(in.Offset()), where)
		require.Equal(t, want["nameHex"], hex.EncodeToString(in.RawName()), where)
		if name, ok := want["name"].(string); ok && !strings.ContainsRune(name, utf8.RuneError) {
			require.Equal(t, name, in.Name(), where)
		}
	}
	block := expected(want["block"].(map[string]any))
	require.Equal(t, block.number("byteLength"), fmt.Sprint(len(in.BlockBytes())), where)
	values := want.list("values")
	require.Len(t, values, len(in.Object().Counters()), where)
	for c, x := range values {
		sameValue(t, x, in, c, fmt.Sprintf("%s value %d", where, c))
	}
}

func sameValue(t *testing.T, want expected, in perfdata.Instance, c int, where string) {
	v, d := in.Value(c), in.Object().Counter(c)
	hexed, _ := want["hex"].(string)
	text, isText := want["text"].(string)
	kind, n := perfdata.Bytes, want["u64"]
	switch {
	case want["missing"] != nil || want["zero"] != nil:
		require.Equal(t, perfdata.Absent, v.Kind, where)
		return
	case want["sizeMismatch"] != nil:
		if int(d.CounterSize)*2 != len(hexed) {
			t.Logf("%s: CounterSize %d, but %d bytes in the expectation", where, d.CounterSize, len(hexed)/2)
			return
		}
		n = nil
		if d.CounterSize == 4 || d.CounterSize == 8 {
			kind = map[uint32]perfdata.ValueKind{4: perfdata.Uint32, 8: perfdata.Uint64}[d.CounterSize]
		}
	case want["u32"] != nil:
		kind, n = perfdata.Uint32, want["u32"]
	case n != nil:
		kind = perfdata.Uint64
	case isText:
		kind = perfdata.Text
		require.Equal(t, text, v.Text(), where)
	}
	require.Equal(t, kind, v.Kind, where)
	if n != nil {
		require.Equal(t, n.(json.Number).String(), fmt.Sprint(v.Uint), where)
	} else {
		require.Equal(t, hexed, hex.EncodeToString(v.Raw), where)
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

package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/internal/perftest"
	"github.com/perfdump/perfdump/perfdata"
)

const captures = "../testdata/captures/"

func snapshot(t testing.TB, name string, o capture.Options) *capture.Snapshot {
	t.Helper()
	in, err := detect.Open(captures+name+".bin", detect.Options{})
	require.NoError(t, err)
	for s, err := range capture.Read(in, o) {
		require.NoError(t, err)
		return s
	}
	t.Fatal("no snapshot")
	return nil
}

func write(t testing.TB, w export.Writer, s *capture.Snapshot) {
	t.Helper()
	require.NoError(t, w.Write(s))
	require.NoError(t, w.Flush())
}

var columns = []string{"time", "host", "object", "parent", "instance", "instance_index", "counter", "type", "first", "second", "multi", "time_base"}

// TestCSVAndJSONLReadBack reads what the writers wrote by the standard
// library's readers and compares it with the rows.
func TestCSVAndJSONLReadBack(t *testing.T) {
	for _, name := range []string{"basic-x86_64-1", "inst-x86_64-1", "var-x86_64-1", "sys-238-x86_64-1", "small"} {
		s := snapshot(t, name, capture.Options{})
		var c, j bytes.Buffer
		write(t, export.NewCSV(&c, export.OnRequest()...), s)
		write(t, export.NewJSONL(&j, export.OnRequest()...), s)

		records, err := csv.NewReader(&c).ReadAll()
		require.NoError(t, err)
		require.Equal(t, append(slices.Clone(columns), export.OnRequest()...), records[0])
		records = records[1:]
		lines := strings.SplitAfter(strings.TrimSuffix(j.String(), "\n"), "\n")
		n := 0
		for r := range s.Rows() {
			d := json.NewDecoder(strings.NewReader(lines[n]))
			d.UseNumber()
			var doc map[string]any
			require.NoError(t, d.Decode(&doc), lines[n])
			require.Len(t, doc, len(columns)+len(export.OnRequest()))
			record := records[n]
			n++

			require.Equal(t, r.Object, doc["object"])
			require.Equal(t, r.Object, record[2])
			require.Equal(t, r.Counter, doc["counter"])
			require.Equal(t, r.Type.String(), doc["type"])
			if r.HasInstance {
				require.Equal(t, r.Instance, doc["instance"])
				require.Equal(t, r.Instance, record[4])
			} else {
				require.Nil(t, doc["instance"])
				require.Empty(t, record[4])
			}
			if r.NoFirst {
				require.Nil(t, doc["first"])
				require.Empty(t, record[8])
			} else {
				require.Equal(t, json.Number(strconv.FormatUint(r.First, 10)), doc["first"])
				require.Equal(t, strconv.FormatUint(r.First, 10), record[8])
			}
			require.Equal(t, strconv.FormatInt(r.TimeBase, 10), record[11])
			if r.HasText {
				require.Equal(t, r.Text, doc["text"])
				require.Equal(t, r.Text, record[12])
			}
			require.Equal(t, doc["time"], record[0])
			require.True(t, strings.HasSuffix(record[0], "Z"))
		}
		require.Len(t, lines, n)
		require.Len(t, records, n)
	}
}

func TestJSONLKeysStandInOrder(t *testing.T) {
	var b bytes.Buffer
	write(t, export.NewJSONL(&b), snapshot(t, "sys-238-x86_64-1", capture.Options{}))
	d := json.NewDecoder(&b)
	var keys []string
	_, err := d.Token()
	require.NoError(t, err)
	for d.More() {
		key, err := d.Token()
		require.NoError(t, err)
		keys = append(keys, key.(string))
		_, err = d.Token()
		require.NoError(t, err)
	}
	assert.Equal(t, columns, keys)
}

func TestJSONStrings(t *testing.T) {
	for _, s := range []string{"", "a", `"\`, "\x00\x1f\x7f\n\r\t", "日本\u2028💻", "<&>"} {
		var back string
		require.NoError(t, json.Unmarshal(export.AppendJSONString(nil, s), &back))
		assert.Equal(t, s, back)
	}
	assert.Equal(t, `"a`+"\ufffd"+`b"`, string(export.AppendJSONString(nil, "a\xffb")))
}

// A file may have any bytes for its name; a CSV is UTF-8.
func TestSourceIsText(t *testing.T) {
	var b bytes.Buffer
	w, err := export.NewRows(&b, "csv", "source")
	require.NoError(t, err)
	s := snapshot(t, "sys-238-x86_64-1", capture.Options{})
	s.Source = "a\xff.bin"
	write(t, w, s)
	assert.True(t, utf8.Valid(b.Bytes()))
	assert.Contains(t, b.String(), ",a\ufffd.bin\n")

	series := &capture.Series{Owner: &capture.Owner{Object: "O"}, Metric: &capture.Metric{Counter: "C"}}
	frames := []capture.Frame{{Source: s.Source, Cells: []capture.Cell{{Series: series, Value: 1}}}}
	assert.Contains(t, cooked(t, "csv", export.CookedOptions{Columns: []string{"source"}}, frames), ",a\ufffd.bin\n")
}

func TestUnknownFormatsAndColumns(t *testing.T) {
	_, err := export.NewRows(io.Discard, "xml")
	assert.ErrorContains(t, err, "jsonl, csv")
	_, err = export.NewRows(io.Discard, "csv", "speed")
	assert.ErrorContains(t, err, "text, pdh_status")
	for _, format := range export.Formats() {
		_, err = export.NewRows(io.Discard, format, "text")
		assert.NoError(t, err)
	}
}

func table(t testing.TB, s *capture.Snapshot, o export.TableOptions) string {
	t.Helper()
	var b bytes.Buffer
	write(t, export.NewTable(&b, o), s)
	return b.String()
}

// TestTablesFitATerminal holds that no line of a truncated table is wider than
// the page, nor ends in blanks, nor holds what moves the cursor.
func TestTablesFitATerminal(t *testing.T) {
	for _, name := range []string{"basic-x86_64-1", "inst-x86_64-1", "var-x86_64-1", "sys-238-x86_64-1", "small"} {
		for _, width := range []int{80, 100, 200} {
			text := table(t, snapshot(t, name, capture.Options{}), export.TableOptions{Width: width, Truncate: true})
			require.True(t, utf8.ValidString(text))
			for n, line := range strings.Split(text, "\n") {
				require.Equal(t, strings.TrimRight(line, " "), line, "%s, line %d", name, n)
				require.Equal(t, cell.Clean(line), line, "%s, line %d", name, n)
				if strings.HasPrefix(line, "  ") {
					assert.LessOrEqual(t, cell.Width(line), width, "%s at %d: %s", name, width, line)
				}
			}
		}
	}
}

// TestColorChangesNothingButColor compares a table with and without colour.
func TestColorChangesNothingButColor(t *testing.T) {
	strip := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "")
	for _, name := range []string{"basic-x86_64-1", "inst-x86_64-1", "var-x86_64-1", "small"} {
		s := snapshot(t, name, capture.Options{})
		plain := table(t, s, export.TableOptions{Width: 100})
		color := table(t, s, export.TableOptions{Width: 100, Color: true})
		assert.NotContains(t, plain, "\x1b")
		assert.True(t, plain == strip.Replace(color), name)
	}
}

// TestTableCutsNothingInAPipe holds that every value stands in the table.
func TestTableCutsNothingInAPipe(t *testing.T) {
	s := snapshot(t, "inst-x86_64-1", capture.Options{})
	text := table(t, s, export.TableOptions{Width: 80})
	for r := range s.Rows() {
		if !r.Type.IsBase() {
			require.True(t, strings.Contains(text, strconv.FormatUint(r.First, 10)), r.First)
		}
		require.True(t, strings.Contains(text, cell.Clean(r.Instance)), r.Instance)
	}
	assert.False(t, strings.Contains(text, "…"))
}

func TestTablesOfOddValues(t *testing.T) {
	tree := perfdata.Tree{SystemName: "HOST"}
	tree.Version, tree.Revision = 1, 1
	tree.PerfFreq = 1
	double := perfdata.TreeObject{
		ObjectType: perfdata.ObjectType{ObjectNameTitleIndex: 90001, NumInstances: perfdata.NoInstances, DetailLevel: 100},
		Counters: []perfdata.CounterDefinition{
			{CounterNameTitleIndex: 90002, CounterType: 0x00012000, CounterSize: 8, DetailLevel: 100},
			{CounterNameTitleIndex: 90004, CounterType: 0x00000000, CounterSize: 4, DetailLevel: 100},
		},
		Instances: []perfdata.TreeInstance{{Values: []perfdata.TreeValue{
			{Kind: perfdata.Uint64, Uint: 0x3ff8000000000000}, {Kind: perfdata.Uint32, Uint: 0xbeef},
		}}},
	}
	metadata := double
	metadata.NumInstances, metadata.Instances = perfdata.MetadataMulti, nil
	empty := double
	empty.NumInstances, empty.Instances = 0, nil
	tree.Objects = []perfdata.TreeObject{double, metadata, empty}
	require.NoError(t, tree.Layout())
	b, err := tree.AppendBinary(nil)
	require.NoError(t, err)
	block, err := perfdata.Parse(b, perfdata.Options{})
	require.NoError(t, err)
	text := table(t, capture.FromBlock(block, capture.Options{}), export.TableOptions{})
	assert.Equal(t, `HOST  at an unknown time, 3 objects, 1 anomaly (see "perfdump check")

90001  (no name)
  90002         1.5  DOUBLE_RAW
  90004  0x0000beef  COUNTER_RAWCOUNT_HEX

90001  (no name)
  definitions only: no values were asked for
  90002  DOUBLE_RAW
  90004  COUNTER_RAWCOUNT_HEX

90001  (no name), 0 instances
  no instances now
  90002  DOUBLE_RAW
  90004  COUNTER_RAWCOUNT_HEX
`, text)
}

type failing struct{ after int }

func (f *failing) Write(b []byte) (int, error) {
	if f.after -= len(b); f.after < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

func TestWritersGiveTheErrorOfTheirOutput(t *testing.T) {
	s := snapshot(t, "small", capture.Options{})
	for _, w := range []export.Writer{export.NewCSV(&failing{200000}), export.NewJSONL(&failing{200000}), export.NewTable(&failing{70000}, export.TableOptions{})} {
		assert.ErrorIs(t, w.Write(s), io.ErrShortWrite)
		assert.ErrorIs(t, w.Flush(), io.ErrShortWrite)
	}
}

// TestMemoryDoesNotGrowWithTheOutput writes a snapshot many times over and
// looks at what stays.
func TestMemoryDoesNotGrowWithTheOutput(t *testing.T) {
	s := snapshot(t, "small", capture.Options{})
	for name, w := range map[string]export.Writer{
		"csv": export.NewCSV(io.Discard), "jsonl": export.NewJSONL(io.Discard),
		"table": export.NewTable(io.Discard, export.TableOptions{}),
	} {
		write(t, w, s)
		before := heap()
		for range 30 {
			write(t, w, s)
		}
		assert.Less(t, heap(), before+1<<20, name)
		runtime.KeepAlive(w)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkWriters(b *testing.B) {
	data := perftest.Sized(1, 5<<20)
	in := &detect.Input{Format: detect.PerfData, Data: data}
	var s *capture.Snapshot
	for got, err := range capture.Read(in, capture.Options{}) {
		require.NoError(b, err)
		s = got
	}
	for _, c := range []struct {
		name string
		w    export.Writer
	}{
		{"jsonl", export.NewJSONL(io.Discard)},
		{"csv", export.NewCSV(io.Discard)},
		{"table", export.NewTable(io.Discard, export.TableOptions{})},
		{"table200", export.NewTable(io.Discard, export.TableOptions{Width: 200})},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				require.NoError(b, c.w.Write(s))
			}
		})
	}
}

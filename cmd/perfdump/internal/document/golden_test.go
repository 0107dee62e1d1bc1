package document_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/internal/testkit/golden"
	"github.com/perfdump/perfdump/titles"
)

// message is the words of an anomaly, which belong to the formats.
var message = regexp.MustCompile(`"message":"(\\.|[^"\\])*"`)

func goldenFile(t *testing.T, name string, got []byte) {
	t.Helper()
	got = message.ReplaceAll(got, []byte(`"message":"…"`))
	golden.File(t, filepath.Join("testdata", name), got)
}

// capture is a block with something of everything.
func capture(t *testing.T) []byte {
	t.Helper()
	b := encode(t, []byte(`{"format":"perfdata","blocks":[{"system_name":"HOST","system_time":"2020-03-18T19:05:41.123Z","perf_time":1,"default_object":238,"objects":[
		{"index":238,"counters":[{"index":6,"type":"PERF_100NSEC_TIMER_INV","scale":-1},{"index":5002,"type":"PERF_COUNTER_TEXT","size":8}],
		 "instances":[{"name":"0","values":[18446744073709551615,"a b"]},{"name":"0","values":[2,"\u00e9\"\\"]}]},
		{"index":5000,"counters":[{"index":10,"type":"PERF_COUNTER_MULTI_TIMER"},{"index":12,"type_hex":"0x12345678","size":3}],
		 "instances":[{"name":null,"values":[7,{"hex":"0102ff"}],"multi":[4,null]}]},
		{"index":230,"num_instances":-2,"counters":[{"index":784,"type":"PERF_COUNTER_RAWCOUNT"}]}]}]}`))
	copy(b[52:], []byte{0xCC, 0xCC, 0xCC, 0xCC})
	return append(b, "trailing"...)
}

func TestGoldenDocuments(t *testing.T) {
	table, err := titles.New(titles.Encoding{}, titles.Entry{Index: 5000, Text: "Toaster"}, titles.Entry{Index: 5002, Text: "Bread \"fresh\""})
	require.NoError(t, err)
	b := capture(t)
	doc := dump(t, b, document.Options{Names: titles.NewNames(table)})
	goldenFile(t, "capture.json", doc)
	require.Equal(t, b, encode(t, doc))

	raw, err := table.AppendBinary(nil)
	require.NoError(t, err)
	goldenFile(t, "titles.json", dumpTitles(t, raw, table))
	odd := append(raw[:len(raw)-2:len(raw)-2], "x\x006\x00\x00\x00a\x00\x00\xd8\x00"...)
	table, err = titles.Parse(odd, perfdump.Options{CodePage: 1200})
	require.NoError(t, err)
	goldenFile(t, "titles-odd.json", dumpTitles(t, odd, table))
}

func TestLanguageAndKind(t *testing.T) {
	table, err := titles.New(titles.Encoding{}, titles.Entry{Index: 3, Text: "Help"})
	require.NoError(t, err)
	raw, _ := table.AppendBinary(nil)
	counter := titles.Counter
	for _, c := range []struct {
		file           string
		o              document.Options
		language, kind string
	}{
		{"x.bin", document.Options{}, "009", "help"},
		{"/a/PERFC007.DAT", document.Options{}, "007", "counter"},
		{`C:\a\perfh00c.dat`, document.Options{}, "00c", "help"},
		{"perfh00C.dat", document.Options{}, "00c", "help"},
		{"perfh009.dat", document.Options{Language: "00A", Kind: &counter}, "00A", "counter"},
	} {
		var out bytes.Buffer
		require.NoError(t, document.WriteTitles(&out, c.file, raw, table, c.o))
		e := at(t, parse(t, out.Bytes()), "entries.0").(object)
		require.Equal(t, c.language, e["language"], c.file)
		require.Equal(t, c.kind, e["kind"], c.file)
	}
}

func TestAnomaliesAreCapped(t *testing.T) {
	var b []byte
	for range 3 {
		b = append(b, oddBlocks()["names"]...)
	}
	all := parse(t, dump(t, b, document.Options{}))["anomalies"].([]any)
	few := parse(t, dump(t, b, document.Options{Limits: perfdump.Limits{Anomalies: 2}}))["anomalies"].([]any)
	require.Equal(t, all[:2], few[:2])
	n := 2
	last := ""
	for _, a := range few[2:] {
		a := a.(object)
		require.Len(t, a, 2)
		require.Greater(t, a["code"].(string), last)
		last = a["code"].(string)
		more, _ := a["count"].(json.Number).Int64()
		n += int(more)
	}
	require.Equal(t, len(all), n)
}

package document_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/document"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

const backup = "\r\n\r\n[Perflib]\r\nBase Index=1847\r\nLast Counter=x\r\n\r\n[PERF_.NET 4.0]\r\nFirst Counter=5000\r\nDisable Performance Counters=4\r\n\r\n" +
	"[PerfStrings_009]\r\n1=1847\r\n2=a \"b\" \\ ; =\r\n3=one\ntwo\r\n4=Größe \x01"

func dumpPerfStrings(t testing.TB, b []byte) []byte {
	t.Helper()
	f, err := perfstrings.Parse(b, perfstrings.Options{})
	require.NoError(t, err)
	var doc bytes.Buffer
	require.NoError(t, document.WritePerfStrings(&doc, document.PerfStrings{Name: "x.ini", Data: b, Backup: f}, document.Options{}))
	return doc.Bytes()
}

func TestPerfStringsRoundTrip(t *testing.T) {
	wide := wire.EncodeUTF16(nil, backup)
	ansi := []byte(strings.NewReplacer("ö", "\xF6", "ß", "\xDF").Replace(backup))
	for name, b := range map[string][]byte{
		"as lodctr":    wide,
		"BOM":          append([]byte{0xFF, 0xFE}, wide...),
		"ANSI":         ansi,
		"UTF-8":        []byte(backup),
		"UTF-8 BOM":    []byte("\xEF\xBB\xBF" + backup),
		"newline":      wire.EncodeUTF16(nil, backup+"\r\n"),
		"LF":           []byte(strings.ReplaceAll(backup, "\r\n", "\n")),
		"NUL":          append(wide, 0, 0),
		"odd":          append(wide, 'x'),
		"no UTF-16":    append(wide, 0, 0xD8),
		"no page has":  append(ansi, 0x81),
		"lone CR":      append(wide, '\r', 0),
		"several ends": wire.EncodeUTF16(nil, backup+"\r\n\r\n\n\r\n"),
	} {
		doc := dumpPerfStrings(t, b)
		require.True(t, json.Valid(doc), name)
		require.Equal(t, b, encode(t, doc), name)
	}
}

func TestPerfStringsDocument(t *testing.T) {
	var doc struct {
		Format, File, Encoding string
		Size                   int
		Lines                  []struct {
			Line int
			Raw  any
			EOL  string
		}
		Perflib   map[string]*int
		Providers []map[string]any
		Strings   map[string]int
		Anomalies []struct{ Code string }
	}
	b := wire.EncodeUTF16(nil, backup+"\x00")
	require.NoError(t, json.Unmarshal(dumpPerfStrings(t, b), &doc))
	require.Equal(t, "perfstrings", doc.Format)
	require.Equal(t, "x.ini", doc.File)
	require.Equal(t, "utf-16le", doc.Encoding)
	require.Equal(t, len(b), doc.Size)
	require.Equal(t, "[Perflib]", doc.Lines[2].Raw)
	require.Equal(t, "\r\n", doc.Lines[2].EOL)
	last := doc.Lines[len(doc.Lines)-1]
	require.Equal(t, "4=Größe \x01\x00", last.Raw.(map[string]any)["text"], "a NUL needs its bytes")
	require.Empty(t, last.EOL)
	require.Equal(t, len(doc.Lines), last.Line)
	require.Equal(t, 1847, *doc.Perflib["base_index"])
	require.Nil(t, doc.Perflib["last_counter"])
	require.Equal(t, ".NET 4.0", doc.Providers[0]["service"])
	require.EqualValues(t, 4, doc.Providers[0]["disabled"])
	require.Nil(t, doc.Providers[0]["last_help"])
	require.Equal(t, map[string]int{"009": 4}, doc.Strings)
	require.Equal(t, "missing-key", doc.Anomalies[0].Code)
}

func TestPerfStringsByHand(t *testing.T) {
	b := encode(t, []byte(`{"format":"perfstrings","lines":[{"raw":"[Perflib]","eol":"\r\n"},{"raw":{"hex":"3100"},"eol":""}]}`))
	require.Equal(t, wire.EncodeUTF16(nil, "[Perflib]\r\n1"), b)
	b = encode(t, []byte(`{"format":"perfstrings","encoding":"utf-8-bom","lines":[],"perflib":{"x":[1]},"providers":null,"strings":0}`))
	require.Equal(t, "\xEF\xBB\xBF", string(b))
}

func TestPerfStringsRefusals(t *testing.T) {
	for doc, want := range map[string]string{
		`{"format":"perfstrings"}`:                                                          `no key "lines"`,
		`{"lines":[]}`:                                                                      "before",
		`{"format":"titles","lines":[]}`:                                                    "belongs to documents of lines",
		`{"format":"perfstrings","entries":[]}`:                                             "does not belong",
		`{"format":"perfstrings","encoding":"cp37","lines":[]}`:                             "cp37",
		`{"format":"perfstrings","encoding":1}`:                                             "a number",
		`{"format":"perfstrings","lines":[],"encoding":"utf-8"}`:                            "before",
		`{"format":"perfstrings","lines":[],"gaps":[]}`:                                     "no gaps",
		`{"format":"perfstrings","lines":[{"eol":""}]}`:                                     "no raw",
		`{"format":"perfstrings","lines":[{"raw":"x"}]}`:                                    "no eol",
		`{"format":"perfstrings","lines":[{"raw":"x","eol":"\r"}]}`:                         "ends in",
		`{"format":"perfstrings","lines":[{"raw":"x","eol":""},{"raw":"x","eol":""}]}`:      "no end",
		`{"format":"perfstrings","encoding":"cp1252","lines":[{"raw":"日","eol":""}]}`:       "spell",
		`{"format":"perfstrings","encoding":"cp1252","lines":[{"raw":"a\u0000","eol":""}]}`: "NUL",
		`{"format":"perfstrings","partial":true,"lines":[]}`:                                "filters",
	} {
		require.Contains(t, refuse(t, []byte(doc)).Error(), want, doc)
	}
}

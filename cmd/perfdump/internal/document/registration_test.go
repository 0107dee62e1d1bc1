package document_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/document"
	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/registry"
	"github.com/perfdump/perfdump/symbolh"
	"github.com/perfdump/perfdump/titles/perfstrings"
)

// dumpLines makes the document of a text file by the end of its name.
func dumpLines(t testing.TB, name string, b []byte) []byte {
	t.Helper()
	var doc bytes.Buffer
	switch strings.ToLower(filepath.Ext(name)) {
	case ".bak":
		f, err := perfstrings.Parse(b, perfdump.Options{})
		require.NoError(t, err)
		require.NoError(t, document.WritePerfStrings(&doc, name, f, document.Options{}))
	case ".ini":
		f, err := inifile.Parse(b, perfdump.Options{})
		require.NoError(t, err)
		require.NoError(t, document.WriteINIFile(&doc, name, f, document.Options{}))
	case ".reg":
		r, err := registry.ParseReg(b, perfdump.Options{})
		require.NoError(t, err)
		v, err := r.View()
		require.NoError(t, err)
		require.NoError(t, document.WriteReg(&doc, name, r, v, document.Options{}))
	default:
		f, err := symbolh.Parse(b, perfdump.Options{})
		require.NoError(t, err)
		require.NoError(t, document.WriteSymbolH(&doc, name, f, document.Options{}))
	}
	require.True(t, json.Valid(doc.Bytes()), doc.String())
	return doc.Bytes()
}

func TestTextFilesRoundTrip(t *testing.T) {
	for name, text := range map[string]string{
		"a.bak": "\n\n[Perflib]\nBase Index=1847\nLast Counter=x\n\n[PERF_.NET 4.0]\nFirst Counter=5000\nDisable Performance Counters=4\n\n[PerfStrings_009]\n1=1847\n2=a \"b\" \\ ; =\n4=Größe \x01",
		"a.ini": "\n[info]\ndrivername=Größe\nsymbolfile=a.h\n; \x01\n[languages]\n009=\n[objects]\nA_009_NAME=\n[text]\nA_009_NAME= a \t\nA_009_HELP=b=c\nnone\n\x1a",
		"a.h":   "#ifndef G\n#define G\n#define A 0\n#define B A // ö\n/* x\n*/ y\n#endif",
		"a.reg": "REGEDIT4\n\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\A]\n@=\"ö\"\n\"b\"=hex(7):41,00,\\\n  00,00\n\"c\"=-\n\"d\"=hex:\n\"e\"=hex(2):41\n[-HKEY_LOCAL_MACHINE\\X]\n\x1a",
	} {
		crlf := strings.ReplaceAll(text, "\n", "\r\n")
		ansi := strings.NewReplacer("ö", "\xF6", "ß", "\xDF").Replace(crlf)
		wide := wire.EncodeUTF16(nil, crlf)
		for how, b := range map[string][]byte{
			"LF": []byte(text), "CRLF": []byte(crlf), "ANSI": []byte(ansi), "BOM": []byte("\xEF\xBB\xBF" + text),
			"UTF-16": wide, "UTF-16 BOM": append([]byte{0xFF, 0xFE}, wide...), "odd": append(wide[:len(wide):len(wide)], 'x'),
			"NUL": append([]byte(crlf), 0, '\r'), "no UTF-16": append(wide[:len(wide):len(wide)], 0, 0xD8), "no page has": append([]byte(ansi), 0x81),
		} {
			require.Equal(t, b, encode(t, dumpLines(t, name, b)), "%s as %s", name, how)
		}
	}
}

// TestCorpusRoundTrip reads the files that were shipped.
func TestCorpusRoundTrip(t *testing.T) {
	n := 0
	for _, pattern := range []string{"*/*.ini", "*/*.Ini", "*/*.h", "*/*.hxx", "*/*.Reg"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "..", "shared", "corpus", "registration", pattern))
		require.NoError(t, err)
		for _, file := range files {
			if filepath.Base(file) == "AppMem.h" { // a header of the sample's code
				continue
			}
			b, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, b, encode(t, dumpLines(t, file, b)), file)
			n++
		}
	}
	if n == 0 {
		t.Skip("the corpus of shipped files is not beside the checkout")
	}
	require.GreaterOrEqual(t, n, 10)
}

func TestRegistrationByHand(t *testing.T) {
	for doc, want := range map[string]string{
		`{"format":"inifile","lines":[{"raw":"[info]","eol":"\n"}],"texts":[{"x":1}],"driver_name":null}`: "\xFF\xFE[\x00i\x00n\x00f\x00o\x00]\x00\n\x00",
		`{"format":"reg","lines":[{"raw":"é","eol":""}],"keys":[],"version":0,"computer":{}}`:             "\xFF\xFE\xE9\x00",
		`{"format":"symbolh","lines":[{"raw":"é","eol":"\n"}],"defines":null}`:                            "é\n",
		`{"format":"symbolh","encoding":"cp1252","lines":[{"raw":"é","eol":"\r\n"}]}`:                     "\xE9\r\n",
	} {
		require.Equal(t, want, string(encode(t, []byte(doc))), doc)
	}
	for doc, want := range map[string]string{
		`{"format":"hive","providers":[]}`:                     "read only",
		`{"format":"manifest"}`:                                "read only",
		`{"format":"perfdata","defines":[]}`:                   "does not belong to a document of the format",
		`{"format":"inifile","lines":[{"raw":"a","eol":"b"}]}`: "ends in",
	} {
		require.Contains(t, refuse(t, []byte(doc)).Error(), want, doc)
	}
}

func TestRegDocument(t *testing.T) {
	var doc struct {
		Keys []struct {
			Path    string
			Deleted bool
			Values  []struct {
				Name, Type string
				Data       any
				Deleted    bool
				Line       int
			}
		}
		Providers []map[string]any
		Perflib   map[string]any
	}
	b := []byte("Windows Registry Editor Version 5.00\r\n[HKEY_LOCAL_MACHINE\\SYSTEM\\ControlSet001\\Services\\A\\Performance]\r\n" +
		"@=\"d\"\r\n\"s\"=\"a\\\\b\"\r\n\"m\"=hex(7):61,00,00,00,62,00,00,00,00,00\r\n\"cut\"=hex(7):61,00\r\n\"sz\"=hex(1):61,00,00,00,62,00\r\n" +
		"\"q\"=hex(b):ff,ff,ff,ff,ff,ff,ff,ff\r\n\"First Counter\"=\"x\"\r\n\"b\"=hex:01,02\r\n\"g\"=-\r\n[-HKEY_LOCAL_MACHINE\\Y]\r\n" +
		"[HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib]\r\n\"Last Counter\"=dword:00000738\r\n" +
		"[HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\009]\r\n")
	require.NoError(t, json.Unmarshal(dumpLines(t, "a.reg", b), &doc))
	require.Len(t, doc.Keys, 4)
	v := doc.Keys[0].Values
	require.Len(t, v, 9)
	require.Equal(t, []any{"d", `a\b`, []any{"a", "b"}}, []any{v[0].Data, v[1].Data, v[2].Data})
	require.Empty(t, v[0].Name)
	require.Equal(t, map[string]any{"hex": "6100"}, v[3].Data)
	require.Equal(t, map[string]any{"hex": "610000006200", "text": "a"}, v[4].Data)
	require.InDelta(t, float64(1<<64-1), v[5].Data, 1)
	require.Equal(t, "REG_QWORD", v[5].Type)
	require.Equal(t, map[string]any{"hex": "0102"}, v[7].Data)
	require.True(t, v[8].Deleted)
	require.True(t, doc.Keys[1].Deleted)
	require.Equal(t, "A", doc.Providers[0]["service"])
	require.Nil(t, doc.Providers[0]["first_counter"], "it is no DWORD")
	require.Equal(t, "x", doc.Providers[0]["values"].(map[string]any)["First Counter"])
	require.EqualValues(t, 1848, doc.Perflib["last_counter"])
	require.Nil(t, doc.Perflib["base_index"])
	require.Equal(t, []any{"009"}, doc.Perflib["languages"])
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
		`{"lines":[]}`:                                                                      `without the key "format"`,
		`{"format":"titles","lines":[]}`:                                                    "does not belong to a document of the format",
		`{"format":"perfstrings","entries":[]}`:                                             "does not belong",
		`{"format":"perfstrings","encoding":"cp37","lines":[]}`:                             "cp37",
		`{"format":"perfstrings","encoding":1,"lines":[]}`:                                  "a number",
		`{"format":"perfstrings","lines":[],"gaps":[]}`:                                     "no gaps",
		`{"format":"perfstrings","lines":[{"eol":""}]}`:                                     "no raw",
		`{"format":"perfstrings","lines":[{"raw":"x"}]}`:                                    "no eol",
		`{"format":"perfstrings","lines":[{"raw":"x","eol":"\r"}]}`:                         "ends in",
		`{"format":"perfstrings","lines":[{"raw":"x","eol":""},{"raw":"x","eol":""}]}`:      "no end",
		`{"format":"perfstrings","encoding":"cp1252","lines":[{"raw":"日","eol":""}]}`:       "spell",
		`{"format":"perfstrings","encoding":"cp1252","lines":[{"raw":"a\u0000","eol":""}]}`: "NUL",
		`{"format":"perfstrings","partial":true,"lines":[]}`:                                "filters",
	} {
		assert.Contains(t, refuse(t, []byte(doc)).Error(), want, doc)
	}
}

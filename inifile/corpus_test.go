package inifile_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/ini.v1"

	"github.com/perfdump/perfdump/inifile"
	"github.com/perfdump/perfdump/internal/wire"
)

func TestCorpus(t *testing.T) {
	for name, want := range map[string]struct {
		told, encoding, driver, symbols string
		trusted                         bool
		lines, languages, objects       int
		texts                           int
	}{
		"ms-docs-sample/MyApplication.ini":                  {"utf-8:1", "utf-8", "MyApplication", "CounterOffsets.h", true, 48, 2, 2, 20},
		"ms-docs-sample/MyApplication.utf16le-bom-crlf.ini": {"", "utf-16le-bom", "MyApplication", "CounterOffsets.h", true, 48, 2, 2, 20},
		"ms-ese-generated/eseperf.ini":                      {"", "utf-16le-bom", "ESE", "eseperf.hxx", false, 3699, 2, 4, 3680},
		"ms-sdk-samples-appmem/AppMem.Ini":                  {"ctrl-z:25", "cp1252", "APPMEM", "memctrnm.h", false, 25, 1, 0, 16},
		"pywin32/perf_install.ini":                          {"", "cp1252", "PipeServicePerf", "perf_install.h", false, 18, 1, 0, 10},
	} {
		b := corpusFile(t, name)
		f, err := inifile.Parse(b, inifile.Options{})
		require.NoError(t, err, name)
		check(t, string(b), f)
		assert.Equal(t, want.told, told(f), name)
		assert.Equal(t, want.encoding, f.Encoding(), name)
		assert.Equal(t, want.driver, f.DriverName(), name)
		assert.Equal(t, want.symbols, f.SymbolFile(), name)
		assert.Equal(t, want.trusted, f.Trusted(), name)
		assert.Equal(t, want.objects > 0, f.HasObjects(), name)
		assert.Equal(t, []int{want.lines, want.languages, want.objects, want.texts},
			[]int{f.NumLines(), count(f.Languages()), count(f.Objects()), count(f.Texts())}, name)

		// ini.v1, which reads the decoded text itself, finds the same.
		direct, err := ini.LoadSources(inifile.INIOptions(), decoded(f))
		require.NoError(t, err, name)
		view, err := f.INI()
		require.NoError(t, err, name)
		got, other := contents(view), contents(direct)
		maps.DeleteFunc(other, func(k string, _ []string) bool { return strings.HasPrefix(k, "default\x00") })
		assert.Equal(t, other, got, name)
		assert.Equal(t, direct.SectionStrings(), view.SectionStrings(), name)

		// And what is written anew says the same.
		r := f.Registration()
		out, err := r.AppendBinary(nil)
		require.NoError(t, err, name)
		again, err := inifile.Parse(out, inifile.Options{})
		require.NoError(t, err, name)
		assert.Equal(t, "utf-16le-bom", again.Encoding())
		assert.Empty(t, told(again), name)
		assert.Equal(t, withoutLines(r), withoutLines(again.Registration()), name)
	}
}

func TestCorpusTexts(t *testing.T) {
	f, err := inifile.Parse(corpusFile(t, "ms-docs-sample/MyApplication.utf16le-bom-crlf.ini"), inifile.Options{})
	require.NoError(t, err)
	texts := slices.Collect(f.Texts())
	assert.Equal(t, inifile.Text{Symbol: "BYTES_SENT", Language: "00C", Kind: inifile.Name, Text: "Octets Envoyés", Line: 38}, texts[12])
	assert.Equal(t, []inifile.Object{{Symbol: "TRANSFER_OBJECT", Language: "009", Line: 7}, {Symbol: "PEER_OBJECT", Language: "009", Line: 8}}, slices.Collect(f.Objects()))
	assert.Equal(t, []inifile.Language{{ID: "009", Name: "English", Line: 11}, {ID: "00C", Name: "French", Line: 12}}, slices.Collect(f.Languages()))
	f, err = inifile.Parse(corpusFile(t, "ms-sdk-samples-appmem/AppMem.Ini"), inifile.Options{})
	require.NoError(t, err)
	l, ok := f.Get("Text", "appallocssec_009_name")
	require.True(t, ok)
	assert.Equal(t, "Memory Allocs/Sec", l.Value())
	assert.Equal(t, "Memory Allocs/Sec    ", l.RawValue())
}

func count[T any](seq func(func(T) bool)) int {
	n := 0
	seq(func(T) bool { n++; return true })
	return n
}

// decoded returns the text as ini.v1 needs it.
func decoded(f *inifile.File) []byte {
	if f.Encoding() == "utf-16le-bom" {
		return wire.AppendUTF16(nil, f.Bytes()[2:])
	}
	return f.Bytes()
}

func withoutLines(r inifile.Registration) inifile.Registration {
	r.Languages, r.Objects, r.Texts = slices.Clone(r.Languages), slices.Clone(r.Objects), slices.Clone(r.Texts)
	for i := range r.Languages {
		r.Languages[i].Line = 0
	}
	for i := range r.Objects {
		r.Objects[i].Line = 0
	}
	for i := range r.Texts {
		r.Texts[i].Line = 0
	}
	return r
}

package reference_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/reference"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/internal/english"
	"github.com/perfdump/perfdump/internal/unit"
)

// units are the units of the table, and what package unit makes of the counters
// that have them. It does not know milliseconds, bits and MHz.
var units = map[string]unit.Unit{
	"percent": unit.Percent, "seconds": unit.Seconds, "per second": unit.PerSecond, "number": unit.Number,
	"bytes": unit.Bytes, "bytes per second": unit.BytesRate, "kilobytes": unit.Kilobytes, "megabytes": unit.Megabytes,
	"milliseconds": unit.Number, "bits per second": unit.Number, "MHz": unit.Number,
}

// odd are counters whose names and types do not say what they are counted in.
var odd = map[string]bool{
	"Page life expectancy": true, "Long-Term Average Standby Cache Lifetime (s)": true,
	"Percent Log Used": true, "Average Pressure": true, "Available Memory": true, "ArrivalRate": true,
	"Working Set": true, "Working Set - Private": true, "Working Set Peak": true, "Commit Limit": true,
	"Gen 0 heap size": true, "Gen 1 heap size": true, "Gen 2 heap size": true, "Large Object Heap size": true,
	"Target Server Memory (KB)": true, "Total Server Memory (KB)": true, "IL Bytes Jitted / sec": true,
	"# of Exceps Thrown / sec": true, "Contention Rate / sec": true,
}

func TestMeanings(t *testing.T) {
	all, err := reference.ReadMeanings(reference.MeaningsText())
	require.NoError(t, err)
	for source := range all {
		assert.Contains(t, sources, source)
	}
	for line, want := range map[string]string{
		"win32\t2\tERROR_FILE_NOT_FOUND": "line 1: 3 columns",
		"win32\tx\tERROR\tText.":         `line 1: strconv.ParseUint: parsing "x": invalid syntax`,
	} {
		_, err := reference.ReadMeanings(line)
		assert.EqualError(t, err, want)
	}
}

func TestCatalog(t *testing.T) {
	all, err := reference.Catalog()
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(all), 120)
	known := func(path string) bool {
		answers := reference.Words(path)
		return answers[0].Known()
	}
	seen := map[string]bool{}
	for _, m := range all {
		for i, path := range m.Paths {
			assert.False(t, seen[strings.ToLower(path)], "%s is there twice", path)
			seen[strings.ToLower(path)] = true
			if names := english.Objects(m.Objects[i]); len(names) > 0 {
				assert.Contains(t, english.Counters(m.Objects[i], m.Name), m.Name, path)
			}
			assert.True(t, known(path), path)
		}
		for field, text := range map[string]string{"what": m.Text, "normal": m.Normal} {
			assert.True(t, strings.HasSuffix(text, "."), "%s: %s: %q", m.Paths[0], field, text)
		}
		want, ok := units[m.Unit]
		require.True(t, ok, "%s: unit %q", m.Paths[0], m.Unit)
		types := m.Types
		if len(types) == 0 {
			types = []countertypes.Type{0}
		}
		for _, typ := range types {
			got := unit.Of(m.Name, typ, len(m.Types) > 0)
			byName := unit.Of(m.Name, 0, false) // % Processor Utility has the type of an average
			assert.True(t, got == want || byName == want || odd[m.Name], "%s: %s is not %q", m.Paths[0], m.Unit, got)
		}
		assert.NotEmpty(t, m.See, m.Paths[0])
		for _, other := range m.See {
			if strings.HasPrefix(other, `\`) {
				assert.True(t, known(other), "%s: see %s", m.Paths[0], other)
				continue
			}
			_, ok := reference.OfCounter(m.Objects[0], other)
			assert.True(t, ok || slices.Contains(english.Counters(m.Objects[0], other), other) || strings.HasPrefix(m.Objects[0], "ASP.NET") || strings.HasPrefix(m.Objects[0], "SQLServer"),
				"%s: see %s", m.Paths[0], other)
		}
	}
}

// TestCatalogTypes holds the types of the table against the recordings.
func TestCatalogTypes(t *testing.T) {
	root := "../../../../testdata/"
	var files []string
	for _, pattern := range []string{root + "captures/small.bin", root + "blg/*.blg", root + "story/*.gz", root + "ipcblock/*.bin", "../../../../../shared/corpus/blg/*.blg"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, found...)
	}
	require.Greater(t, len(files), 3)
	checked := map[string]bool{}
	for _, name := range files {
		in, err := capture.Open(name)
		require.NoError(t, err, name)
		r := capture.NewRecording(capture.Options{}, capture.CookOptions{})
		require.NoError(t, r.Add(in), name)
		columns, err := r.Columns()
		require.NoError(t, err, name)
		for _, s := range columns {
			object, counter := s.English()
			m, ok := reference.OfCounter(object, counter)
			if !ok || len(m.Types) == 0 || !s.HasType {
				continue
			}
			path := object + `\` + counter
			if !checked[path] || !slices.Contains(m.Types, s.Type) {
				assert.Contains(t, m.Types, s.Type, "%s: %s is %s", filepath.Base(name), path, s.Type)
			}
			checked[path] = true
		}
		require.NoError(t, r.Close())
	}
	t.Logf("%d counters have their type in a recording", len(checked))
	assert.Greater(t, len(checked), 80)
}

func TestReadCatalog(t *testing.T) {
	for text, want := range map[string]string{
		"what a.\n":                          `line 1: no path comes before "what a."`,
		"\\A\\B\n\\A\\C\n":                   `line 2: "C" is another counter than "B"`,
		"\\A\\B\nwhat a\nwhat b\n":           `line 3: the key "what" is not known or repeated`,
		"\\A\\B\nnoise a\n":                  `line 2: the key "noise" is not known or repeated`,
		"\\A\n":                              "line 1: counter path",
		"\\A\\B\nwhat a\ntype PERF_NOSUCH\n": "PERF_NOSUCH",
	} {
		_, err := reference.ReadCatalog(text)
		assert.ErrorContains(t, err, want, text)
	}
	all, err := reference.ReadCatalog("\\A\\B\nwhat one\n     two.\n")
	require.NoError(t, err)
	assert.Equal(t, "one two.", all[0].Text)
}

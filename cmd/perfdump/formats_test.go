package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
)

// ofFormat is a file of each format, below testdata, or what to write.
var ofFormat = map[string]string{
	"perfdata": "captures/sys-238-x86_64-1.bin", "titles": "registration/sound/perfc009.dat", "blg": "blg/small.blg",
	"ipcblock": "ipcblock/sxs_x86.bin", "minidump": "minidump/service_x64.dmp", "hive": "registry/system.hive",
	"reg": "registration/sound/machine.reg", "perfstrings": "registration/stale/PerfStringBackup.INI",
	"inifile": "registration/sound/app.ini", "symbolh": "registration/sound/app.h",
	"pdh-csv":    "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\A\\Memory\\Pages/sec\"\r\n\"06/15/2020 12:00:00.000\",\"1\"\r\n",
	"checkmk":    "<<<winperf_mem>>>\n1352457622.31 4 3579545\n20 6193187518 rawcount\n",
	"manifest":   "<instrumentationManifest><instrumentation><counters/></instrumentation></instrumentationManifest>",
	"perflib2":   "perflib2/sets.bin",
	"aspnet:2.0": strings.Repeat("\x01", 84*4), "aspnet:4.x": strings.Repeat("\x01", 101*4),
	"carve": "captures/sys-238-x86_64-1.bin", "memory": "ipcblock/sxs_x86.bin",
}

// TestFormatsTellTheirVerbs runs each verb on a file of each format. Those that
// read it stand in the help topic formats and in docs/formats.md, and no others.
func TestFormatsTellTheirVerbs(t *testing.T) {
	topic := verbsOf(t, topicFormats(t), regexp.MustCompile(`(?m)^  ([a-z][a-z0-9:.-]*)  (?:[^\n]|\n[^\n])*?verbs: ((?s:.*?))(?:\n\n|\n  [a-z]|\z)`))
	page, err := os.ReadFile(filepath.Join(repo(t), "docs", "formats.md"))
	require.NoError(t, err)
	table := verbsOf(t, string(page), regexp.MustCompile("(?m)^\\| `([a-z0-9:.-]+)`.* \\| ([^|]*) \\|$"))
	desk := t.TempDir()
	for format, from := range ofFormat {
		file := filepath.Join(desk, "file")
		b := []byte(from)
		if !strings.ContainsAny(from, "<\n\x01") {
			b, err = os.ReadFile(filepath.Join(repo(t), "testdata", from))
			require.NoError(t, err)
		}
		require.NoError(t, os.WriteFile(file, b, 0o600))
		var reads []string
		for _, verb := range []string{"info", "dump", "cook", "plot", "report", "hexdump", "check", "diff", "encode", "doctor", "titles"} {
			if format == "carve" && slices.Contains([]string{"hexdump", "titles", "doctor", "encode"}, verb) {
				continue // they are for whole files
			}
			args := []string{verb, "--format", format, file}
			switch verb {
			case "diff":
				args = append(args, file)
			case "encode":
				_, document, _ := runWith(t, nil, "dump", "-o", "json", "--format", format, file)
				if format == "titles" {
					_, document, _ = runWith(t, nil, "titles", "-o", "json", file)
				}
				require.NoError(t, os.WriteFile(file+".json", []byte(document), 0o600))
				args = []string{verb, file + ".json"}
			}
			if code, _, _ := runWith(t, nil, args...); code <= cmdutil.ExitFindings {
				reads = append(reads, verb)
			}
		}
		slices.Sort(reads)
		assert.Equal(t, reads, topic[format], "the topic, of %s", format)
		if format != "aspnet:4.x" { // the row is that of aspnet:2.0
			assert.Equal(t, reads, table[format], "docs/formats.md, of %s", format)
		}
	}
}

func topicFormats(t *testing.T) string {
	t.Helper()
	for _, cmd := range verbs(t) {
		if cmd.Name() == "formats" {
			return cmd.Long
		}
	}
	t.Fatal("there is no topic formats")
	return ""
}

// verbsOf finds a format and its verbs by a pattern, again and again.
func verbsOf(t *testing.T, text string, pattern *regexp.Regexp) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for text != "" {
		m := pattern.FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		var found []string
		for _, word := range regexp.MustCompile(`-*[a-z]+`).FindAllString(text[m[4]:m[5]], -1) {
			for _, cmd := range verbs(t) {
				if cmd.Name() == word && !slices.Contains(found, word) {
					found = append(found, word)
				}
			}
		}
		slices.Sort(found)
		all[text[m[2]:m[3]]] = found
		text = text[m[5]:]
	}
	return all
}

package main_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
)

// What check finds in a file of names, strict mode refuses, also where the file
// is that of --titles.
func TestStrictTitles(t *testing.T) {
	t.Chdir(repo(t))
	const capture = "testdata/captures/small.bin"
	dir := t.TempDir() + "/"
	files := map[string]string{
		"sound":    "6 : % Processor Time\n238 : Processor\n",
		"list":     "6 : % Processor Time\n238 : Processor\n6 : again\n",
		"registry": "6\x00% Processor Time\x006\x00again\x00\x00",
		"odd":      "6\x00% Processor Time\x00238\x00\x00",
		"utf16":    "6\x00\x00\x00a\x00\x00\x006\x00\x00\x00b\x00\x00\x00\x00\x00",
		"backup":   "[Perflib]\r\nBase Index=1847\r\nLast Counter=6\r\nLast Help=7\r\n[PERF_x]\r\n[PerfStrings_009]\r\n6=a\r\n6=b\r\n",
		"reg":      "REGEDIT4\r\n\r\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\009]\r\n\"Counter\"=hex(7):36,00,00,00,61,00,00,00,00,00\r\nnonsense\r\n",
	}
	for name, text := range files {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(dir+name, []byte(text), 0o600))
			check := []string{"check", dir + name}
			if name == "list" || name == "registry" { // too short to be found by content
				check = append(check, "--format", "titles")
			}
			code, found, _ := runWith(t, nil, check...)
			if name == "sound" {
				require.Equal(t, cmdutil.ExitOK, code, found)
			} else {
				require.Equal(t, cmdutil.ExitFindings, code, found)
			}
			for _, flag := range []string{"--titles", "--english-titles"} {
				code, _, stderr := runWith(t, nil, "dump", capture, flag, dir+name)
				require.Equal(t, cmdutil.ExitOK, code, stderr)
				code, out, stderr := runWith(t, nil, "dump", "--mode", "strict", capture, flag, dir+name)
				if name == "sound" {
					assert.Equal(t, cmdutil.ExitOK, code, stderr)
					continue
				}
				assert.Equal(t, cmdutil.ExitInput, code, "%s\n%s", found, stderr)
				assert.Empty(t, out)
				assert.Contains(t, stderr, name+": ")
			}
		})
	}
}

package root

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
	"github.com/perfdump/perfdump/internal/iostreams"
)

func topic(t *testing.T, name string) (root, cmd *cobra.Command) {
	t.Helper()
	ios, _, _, _ := iostreams.Test()
	root = NewCmd(&cmdutil.Factory{IO: ios})
	cmd, _, err := root.Find([]string{name})
	require.NoError(t, err)
	require.True(t, cmd.IsAdditionalHelpTopicCommand())
	for line := range strings.Lines(cmd.Long) {
		if !strings.HasPrefix(line, "  perfdump ") {
			assert.LessOrEqual(t, len(strings.TrimRight(line, "\n")), 80, line)
		}
	}
	return root, cmd
}

// TestTopicFormatsIsComplete holds that the topic has a line for each format
// there is, and names no verb that there is not.
func TestTopicFormatsIsComplete(t *testing.T) {
	root, cmd := topic(t, "formats")
	told := map[string]bool{}
	for line := range strings.Lines(cmd.Long) {
		if word, _, ok := strings.Cut(strings.TrimPrefix(line, "  "), "  "); ok && line[2] != ' ' {
			told[word] = true
			if _, err := detect.ParseFormat(word); detect.Format(word).Foreign() == "" {
				assert.NoError(t, err, line)
			}
		}
		if verbs, ok := strings.CutPrefix(strings.TrimSpace(line), "verbs: "); ok {
			for _, verb := range strings.Split(verbs, ", ") {
				if verb = strings.TrimSuffix(verb, ","); strings.Contains(verb, " ") {
					continue
				}
				found, _, err := root.Find([]string{verb})
				if assert.NoError(t, err, verb) {
					assert.Equal(t, verb, found.Name())
				}
			}
		}
	}
	_, err := detect.ParseFormat("no such format")
	var fe interface{ Message() string }
	require.True(t, errors.As(err, &fe))
	_, list, ok := strings.Cut(fe.Message(), "there are ")
	require.True(t, ok)
	list, _, _ = strings.Cut(list, ";")
	formats := strings.Split(list, ", ")
	require.Greater(t, len(formats), 10)
	for _, format := range formats {
		assert.True(t, told[format], "the topic does not tell of %s", format)
	}
}

// TestTopicFormatsIsTrue holds that the verbs that are told to read a format do.
func TestTopicFormatsIsTrue(t *testing.T) {
	backup := filepath.Join(t.TempDir(), "backup.ini")
	require.NoError(t, os.WriteFile(backup, []byte("[Perflib]\r\nBase Index=1847\r\nLast Counter=2\r\nLast Help=3\r\n[PerfStrings_009]\r\n2=System"), 0o600))
	const hive = "../../../testdata/registry/system.hive"
	files := map[string]string{
		"a.ini": "[info]\ndrivername=A\nsymbolfile=a.h\n[text]\nA_009_NAME=A\n",
		"a.h":   "#define A 0\n#define B 2\n",
		"a.reg": "REGEDIT4\n[HKEY_LOCAL_MACHINE\\A]\n",
	}
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		for _, verb := range []string{"info", "dump", "check", "hexdump"} {
			code, out, errOut := run(verb, filepath.Join(dir, name))
			assert.Equal(t, cmdutil.ExitOK, code, "%s %s: %s", verb, name, errOut)
			assert.NotEmpty(t, out, verb)
		}
	}
	for _, c := range []string{
		"info " + captures + "small.bin", "dump " + captures + "small.bin", "hexdump " + captures + "small.bin", "check " + captures + "small.bin",
		"info " + captures + "titles-009.bin", "titles " + captures + "titles-009.bin", "hexdump " + captures + "titles-009.bin", "check " + captures + "titles-009.bin",
		"info --format carve " + captures + "small.bin", "dump --format carve " + captures + "small.bin", "check --format carve " + captures + "small.bin",
		"info " + blocks + "sxs_x86.bin", "dump " + blocks + "sxs_x86.bin", "hexdump " + blocks + "sxs_x86.bin", "check " + blocks + "sxs_x86.bin",
		"diff " + captures + "small.bin " + captures + "small.bin",
		"diff " + captures + "titles-009.bin " + captures + "titles-009.bin",
		"info " + hive, "dump " + hive, "hexdump " + hive, "check " + hive,
		"info " + backup, "dump " + backup, "hexdump " + backup, "check " + backup,
	} {
		code, out, errOut := run(strings.Split(c, " ")...)
		assert.Equal(t, cmdutil.ExitOK, code, "%s: %s", c, errOut)
		assert.NotEmpty(t, out, c)
	}
}

// TestTopicExamplesRun runs the command lines of the topics that have some.
func TestTopicExamplesRun(t *testing.T) {
	for name, want := range map[string]int{"paths": 3, "derive": 1} {
		_, cmd := topic(t, name)
		n := 0
		for line := range strings.Lines(cmd.Long) {
			args, ok := strings.CutPrefix(line, "  perfdump ")
			if !ok {
				continue
			}
			n++
			code, out, errOut := run(words(strings.ReplaceAll(strings.TrimSpace(args), "testdata/captures/", captures))...)
			assert.Zero(t, code, line)
			assert.Empty(t, errOut, line)
			assert.NotEmpty(t, out, line)
		}
		assert.Equal(t, want, n, name)
	}
}

// words splits a command line at its blanks, but for those in single quotes.
func words(line string) []string {
	var all []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

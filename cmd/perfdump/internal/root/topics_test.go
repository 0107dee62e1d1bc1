package root

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
	"github.com/perfdump/perfdump/internal/detect"
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

// TestTopicFormatsIsComplete holds that the topic has each format, and only verbs
// that exist. The matrix of cmd/perfdump holds which verb reads which format.
func TestTopicFormatsIsComplete(t *testing.T) {
	root, cmd := topic(t, "formats")
	listed := map[string]bool{}
	for line := range strings.Lines(cmd.Long) {
		if word, _, ok := strings.Cut(strings.TrimPrefix(line, "  "), "  "); ok && line[2] != ' ' {
			listed[word] = true
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
	_, list, ok := strings.Cut(err.Error(), "there are ")
	require.True(t, ok)
	list, _, _ = strings.Cut(list, ";")
	formats := strings.Split(list, ", ")
	require.Greater(t, len(formats), 10)
	for _, format := range formats {
		assert.True(t, listed[format], "the topic does not have %s", format)
	}
}

// notes say how times were read.
var notes = regexp.MustCompile(`(?m)^perfdump: note: --from .*\n`)

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
			code, out, errOut := run(words(strings.ReplaceAll(strings.TrimSpace(args), "testdata/", captures+"../"))...)
			assert.Zero(t, code, line)
			errOut = notes.ReplaceAllString(errOut, "")
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

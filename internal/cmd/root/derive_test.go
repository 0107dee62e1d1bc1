package root

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTopicDeriveExamplesRun runs the command lines of the topic.
func TestTopicDeriveExamplesRun(t *testing.T) {
	_, cmd := topic(t, "derive")
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
	assert.Equal(t, 1, n)
}

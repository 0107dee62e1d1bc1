package cmdutil_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/iostreams"
)

// TestProgress holds that the line comes on a terminal alone, past a second,
// not too often, and that output takes it away.
func TestProgress(t *testing.T) {
	now := time.Unix(1e9, 0)
	clock := func() time.Time { return now }
	line := func() string { return "reading x\x1b[2J.blg, and much more that does not fit" }

	ios, _, _, errOut := iostreams.Test()
	over, p := cmdutil.NewProgress(ios, clock)
	assert.Nil(t, p)
	assert.Same(t, ios, over)
	p.Tick(line)
	p.Clear()
	assert.Empty(t, errOut.String())

	ios.SetStderrTTY(true)
	ios.SetStdoutTTY(true)
	ios.SetWidth(20)
	over, p = cmdutil.NewProgress(ios, clock)
	p.Tick(line)
	now = now.Add(999 * time.Millisecond)
	p.Tick(line)
	assert.Empty(t, errOut.String(), "the first second has no line")
	now = now.Add(time.Millisecond)
	p.Tick(line)
	p.Tick(line)
	assert.Equal(t, "\r\x1b[Kreading x\\x1b[2J.b…", errOut.String(), "once, clean, and cut")
	errOut.Reset()
	_, _ = fmt.Fprint(over.Out, "a row\n")
	assert.Equal(t, "\r\x1b[K", errOut.String(), "a row takes the place of the line")
	errOut.Reset()
	_, _ = fmt.Fprint(over.ErrOut, "a note\n")
	p.Clear()
	assert.Equal(t, "a note\n", errOut.String(), "there is no line any more")
	now = now.Add(time.Second)
	p.Tick(line)
	errOut.Reset()
	p.Clear()
	assert.Equal(t, "\r\x1b[K", errOut.String())
}

package man

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/perfdump/perfdump/internal/testkit/golden"
)

func TestEscape(t *testing.T) {
	assert.Equal(t, `\e\ehost \-\-code\-page \(aqx\(aq \(gax\(ga \(ha \(ti \(dqx\(dq \[u2026] % #`, escape("\\\\host --code-page 'x' `x` ^ ~ \"x\" … % #"))
	assert.Equal(t, `\&.dat is a name`, escapeLine(".dat is a name"))
}

func command() *cobra.Command {
	root := &cobra.Command{Use: "tool VERB", Short: "Do things", Long: "Tool does things."}
	cmd := &cobra.Command{
		Use:   "list FILE...",
		Short: "List what is there",
		Long: `List lists. One paragraph
goes on here.

Another one, with a list:
  one     the first of them, which is
          long
  two     .the second
  a longer name
          with its text below

A table of any kind:

  \\host\object(a)

.Dots and 'quotes' at the start of a line.`,
		Example: `  # A comment
  tool list -x '\a\b'`,
		Run: func(*cobra.Command, []string) {},
	}
	cmd.Flags().StringP("output", "o", "table", "what to write as `FORM`")
	cmd.Flags().Bool("all", false, "all of it")
	cmd.Flags().String("secret", "", "hidden")
	_ = cmd.Flags().MarkHidden("secret")
	root.PersistentFlags().String("color", "auto", "`WHEN` to colour")
	topic := &cobra.Command{Use: "paths", Short: "How things are named", Long: "By paths."}
	root.AddCommand(cmd, topic)
	return root
}

func TestPage(t *testing.T) {
	root := command()
	golden.File(t, "testdata/tool-list.1", []byte(page(root.Commands()[0], "v1.2.3")))
}

// groff has nothing to say about the pages.
func TestPagesAreGoodRoff(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff")
	}
	for _, cmd := range pages(command()) {
		run := exec.Command(groff, "-man", "-ww", "-Tutf8", "-P-cbou")
		run.Stdin = strings.NewReader(page(cmd, "v1.2.3"))
		var errOut bytes.Buffer
		run.Stderr = &errOut
		out, err := run.Output()
		require.NoError(t, err)
		assert.Empty(t, errOut.String(), pageName(cmd))
		assert.Contains(t, string(out), cmd.Short)
		if cmd.Name() == "list" {
			text := strings.Join(strings.Fields(string(out)), " ")
			for _, want := range []string{`\\host\object(a)`, `tool list -x '\a\b'`, ".the second", ".Dots and 'quotes' at", "--output FORM what"} {
				assert.Contains(t, text, want)
			}
		}
	}
}

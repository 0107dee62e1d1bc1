package man

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEscape(t *testing.T) {
	for s, want := range map[string]string{
		`\\host\object`:      `\e\ehost\eobject`,
		"--code-page":        `\-\-code\-page`,
		"'Counter'":          `\(aqCounter\(aq`,
		"`x` ^ ~":            `\(gax\(ga \(ha \(ti`,
		`say "x"`:            `say \(dqx\(dq`,
		"two … and 日":        `two \[u2026] and \[u65E5]`,
		"100 % of # is fine": "100 % of # is fine",
	} {
		assert.Equal(t, want, escape(s), s)
	}
	assert.Equal(t, `\&.dat is a name`, escapeLine(".dat is a name"))
	assert.Equal(t, `\(aqquoted\(aq`, escapeLine("'quoted'"))
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
	cmd.Flags().String("secret", "", "not told")
	_ = cmd.Flags().MarkHidden("secret")
	root.PersistentFlags().String("color", "auto", "`WHEN` to colour")
	topic := &cobra.Command{Use: "paths", Short: "How things are named", Long: "By paths."}
	root.AddCommand(cmd, topic)
	return root
}

const page = `.TH "TOOL\-LIST" 1 "" "perfdump v1.2.3" "Manual of perfdump"
.nh
.ad l
.ss 12 0
.SH NAME
tool\-list \- List what is there
.SH SYNOPSIS
\fBtool list\fR FILE... [flags]
.SH DESCRIPTION
List lists. One paragraph
goes on here.
.PP
Another one, with a list:
.RS 2
.TP 10
\fBone\fR
the first of them, which is
long
.TP 10
\fBtwo\fR
\&.the second
.TP 10
\fBa longer name\fR
with its text below
.RE
.PP
A table of any kind:
.PP
.PP
.nf
\e\ehost\eobject(a)
.fi
.PP
\&.Dots and \(aqquotes\(aq at the start of a line.
.SH "OPTIONS"
.TP
\fB\-\-all\fR
all of it
.TP
\fB\-h\fR, \fB\-\-help\fR
help for list
.TP
\fB\-o\fR, \fB\-\-output\fR \fIFORM\fR
what to write as FORM (default table)
.SH "OPTIONS OF ALL VERBS"
.TP
\fB\-\-color\fR \fIWHEN\fR
WHEN to colour (default auto)
.SH EXAMPLES
.nf
# A comment
tool list \-x \(aq\ea\eb\(aq
.fi
.SH "SEE ALSO"
.BR "tool" (1),
.BR "tool\-paths" (7)
`

func TestPage(t *testing.T) {
	root := command()
	var b bytes.Buffer
	writePage(&b, root.Commands()[0], "v1.2.3")
	assert.Equal(t, page, b.String())
}

// TestPagesAreGoodRoff holds that groff has nothing to say about the pages,
// where there is a groff.
func TestPagesAreGoodRoff(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff")
	}
	for _, cmd := range pages(command()) {
		var b bytes.Buffer
		writePage(&b, cmd, "v1.2.3")
		run := exec.Command(groff, "-man", "-ww", "-Tutf8", "-P-cbou")
		run.Stdin = &b
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

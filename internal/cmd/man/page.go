package man

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// section is that of the manual: 1 for commands, 7 for what is to be known.
func section(cmd *cobra.Command) string {
	if cmd.IsAdditionalHelpTopicCommand() {
		return "7"
	}
	return "1"
}

// pageName is perfdump-dump for perfdump dump.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// writePage writes the page of a command. It has no date, so that the same
// build gives the same page.
func writePage(b *bytes.Buffer, cmd *cobra.Command, version string) {
	cmd.InitDefaultHelpFlag()
	name := pageName(cmd)
	fmt.Fprintf(b, ".TH %s %s \"\" %s %s\n", quoted(strings.ToUpper(name)), section(cmd), quoted("perfdump "+version), quoted("Manual of perfdump"))
	b.WriteString(".nh\n.ad l\n.ss 12 0\n") // no hyphens, and no wide blanks
	b.WriteString(".SH NAME\n" + escape(name) + ` \- ` + escape(cmd.Short) + "\n")
	topic := cmd.IsAdditionalHelpTopicCommand()
	if !topic {
		b.WriteString(".SH SYNOPSIS\n")
		synopsis(b, cmd)
	}
	b.WriteString(".SH DESCRIPTION\n")
	long := cmd.Long
	if long == "" {
		long = cmd.Short + "."
	}
	writeText(b, long)
	if !topic {
		verbs(b, cmd)
		flags(b, "OPTIONS", cmd.NonInheritedFlags())
		flags(b, "OPTIONS OF ALL VERBS", cmd.InheritedFlags())
	}
	if cmd.Example != "" {
		b.WriteString(".SH EXAMPLES\n.nf\n")
		for line := range strings.Lines(cmd.Example) {
			b.WriteString(escapeLine(strings.TrimPrefix(strings.TrimRight(line, "\r\n"), "  ")) + "\n")
		}
		b.WriteString(".fi\n")
	}
	seeAlso(b, cmd)
}

func synopsis(b *bytes.Buffer, cmd *cobra.Command) {
	line := cmd.UseLine()
	if !cmd.HasParent() {
		line = cmd.Name() + " VERB FILE... [flags]"
	}
	path := cmd.CommandPath()
	b.WriteString(`\fB` + escape(path) + `\fR` + escape(strings.TrimPrefix(line, path)) + "\n")
}

func verbs(b *bytes.Buffer, cmd *cobra.Command) {
	for _, list := range []struct {
		title string
		topic bool
	}{{"VERBS", false}, {"HELP TOPICS", true}} {
		title := list.title
		for _, c := range cmd.Commands() {
			if !hasPage(c) || c.IsAdditionalHelpTopicCommand() != list.topic {
				continue
			}
			if title != "" {
				b.WriteString(".SH " + quoted(title) + "\n")
				title = ""
			}
			fmt.Fprintf(b, ".TP 14\n\\fB%s\\fR\n%s\n", escape(c.Name()), escapeLine(c.Short))
		}
	}
}

func flags(b *bytes.Buffer, title string, set *pflag.FlagSet) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if title != "" {
			b.WriteString(".SH " + quoted(title) + "\n")
			title = ""
		}
		value, usage := pflag.UnquoteUsage(f)
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			b.WriteString(`\fB\-` + escape(f.Shorthand) + `\fR, `)
		}
		b.WriteString(`\fB\-\-` + escape(f.Name) + `\fR`)
		if value != "" {
			b.WriteString(` \fI` + escape(value) + `\fR`)
		}
		switch f.DefValue {
		case "", "false", "0", "[]":
		default:
			usage += " (default " + f.DefValue + ")"
		}
		b.WriteString("\n" + escapeLine(usage) + "\n")
	})
}

func seeAlso(b *bytes.Buffer, cmd *cobra.Command) {
	var all []*cobra.Command
	if cmd.HasParent() {
		all = append(all, cmd.Parent())
		for _, c := range cmd.Parent().Commands() {
			if c != cmd && hasPage(c) {
				all = append(all, c)
			}
		}
	}
	for _, c := range cmd.Commands() {
		if hasPage(c) {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return
	}
	b.WriteString(".SH \"SEE ALSO\"\n")
	for i, c := range all {
		comma := ","
		if i == len(all)-1 {
			comma = ""
		}
		fmt.Fprintf(b, ".BR %s (%s)%s\n", quoted(pageName(c)), section(c), comma)
	}
}

// item is a line of a list: what it is about, at least two blanks, the text.
var item = regexp.MustCompile(`^( +)(\S+(?: \S+)*) {2,}(\S.*)$`)

// writeText writes the text of a help: paragraphs, lists whose lines are
// indented, and tables, which are left as they are.
func writeText(b *bytes.Buffer, text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := 0; i < len(lines); {
		switch {
		case lines[i] == "":
			b.WriteString(".PP\n")
			i++
		case lines[i][0] != ' ':
			b.WriteString(escapeLine(lines[i]) + "\n")
			i++
		default:
			n := 1
			for i+n < len(lines) && strings.HasPrefix(lines[i+n], " ") {
				n++
			}
			if !writeList(b, lines[i:i+n]) {
				writeAsIs(b, lines[i:i+n])
			}
			i += n
		}
	}
}

// writeList writes lines that are items with their further lines, which begin
// where the text of the first does. It is false, and writes nothing, where
// they are something else.
func writeList(b *bytes.Buffer, lines []string) bool {
	var list bytes.Buffer
	column := -1 // of the text
	for _, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		m := item.FindStringSubmatch(line)
		switch {
		case indent == column:
			list.WriteString(escapeLine(line[indent:]) + "\n")
		case m != nil && (column < 0 || indent < column) && !strings.Contains(m[3], "   "):
			column = len(line) - len(m[3])
			fmt.Fprintf(&list, ".TP %d\n\\fB%s\\fR\n%s\n", min(column, 24), escape(m[2]), escapeLine(m[3]))
		case column > 0 && indent > 0 && indent < column:
			// An item too long for its column; the text follows.
			fmt.Fprintf(&list, ".TP %d\n\\fB%s\\fR\n", min(column, 24), escape(line[indent:]))
		default:
			return false
		}
	}
	b.WriteString(".RS 2\n")
	b.Write(list.Bytes())
	b.WriteString(".RE\n")
	return true
}

func writeAsIs(b *bytes.Buffer, lines []string) {
	b.WriteString(".PP\n.nf\n")
	for _, line := range lines {
		b.WriteString(escapeLine(strings.TrimPrefix(line, "  ")) + "\n")
	}
	b.WriteString(".fi\n")
}

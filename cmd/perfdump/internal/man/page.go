package man

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfdump/perfdump/internal/once"
)

// section is that of the manual: 1 for commands, 7 for topics.
func section(cmd *cobra.Command) string {
	if cmd.IsAdditionalHelpTopicCommand() {
		return "7"
	}
	return "1"
}

// pageName is perfdump-dump for perfdump dump.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// page returns the page of a command. It has no date, so that the same build
// gives the same page.
func page(cmd *cobra.Command, version string) string {
	cmd.InitDefaultHelpFlag()
	var b strings.Builder
	part := func(title, text string) {
		if text != "" {
			b.WriteString(".SH " + title + "\n" + text)
		}
	}
	name := pageName(cmd)
	fmt.Fprintf(&b, ".TH %s %s \"\" %s %s\n", quoted(strings.ToUpper(name)), section(cmd), quoted("perfdump "+version), quoted("Manual of perfdump"))
	b.WriteString(".nh\n.ad l\n.ss 12 0\n") // no hyphens, and no wide blanks
	part("NAME", escape(name)+` \- `+escape(cmd.Short)+"\n")
	long := cmd.Long
	if long == "" {
		long = cmd.Short + "."
	}
	if cmd.IsAdditionalHelpTopicCommand() {
		part("DESCRIPTION", text(long))
	} else {
		part("SYNOPSIS", synopsis(cmd))
		part("DESCRIPTION", text(long))
		part(quoted("VERBS"), list(cmd, false))
		part(quoted("HELP TOPICS"), list(cmd, true))
		part(quoted("OPTIONS"), flags(cmd.NonInheritedFlags()))
		part(quoted("OPTIONS OF ALL VERBS"), flags(cmd.InheritedFlags()))
	}
	if cmd.Example != "" {
		part("EXAMPLES", asIs(strings.Split(strings.TrimRight(cmd.Example, "\n"), "\n")))
	}
	part(quoted("SEE ALSO"), seeAlso(cmd))
	return b.String()
}

func synopsis(cmd *cobra.Command) string {
	path, line := cmd.CommandPath(), cmd.UseLine()
	if !cmd.HasParent() {
		line = cmd.Name() + " VERB FILE... [flags]"
	}
	return `\fB` + escape(path) + `\fR` + escape(strings.TrimPrefix(line, path)) + "\n"
}

// list lists the verbs below a command, or the topics.
func list(cmd *cobra.Command, topics bool) string {
	var b strings.Builder
	for _, c := range cmd.Commands() {
		if hasPage(c) && c.IsAdditionalHelpTopicCommand() == topics {
			fmt.Fprintf(&b, ".TP 14\n\\fB%s\\fR\n%s\n", escape(c.Name()), escapeLine(c.Short))
		}
	}
	return b.String()
}

func flags(set *pflag.FlagSet) string {
	var b strings.Builder
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
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
		if !slices.Contains([]string{"", "false", "0", "[]"}, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		b.WriteString("\n" + escapeLine(usage) + "\n")
	})
	return b.String()
}

// seeAlso names the pages above a command, next to it and below it.
func seeAlso(cmd *cobra.Command) string {
	var all []string
	add := func(c *cobra.Command) {
		if c != cmd {
			all = append(all, fmt.Sprintf(".BR %s (%s)", quoted(pageName(c)), section(c)))
		}
	}
	addBelow := func(c *cobra.Command) {
		for _, below := range c.Commands() {
			if hasPage(below) {
				add(below)
			}
		}
	}
	if cmd.HasParent() {
		add(cmd.Parent())
		addBelow(cmd.Parent())
	}
	addBelow(cmd)
	if len(all) == 0 {
		return ""
	}
	return strings.Join(all, ",\n") + "\n"
}

// text returns the text of a help: paragraphs, lists whose lines are indented,
// and tables, which are left as they are.
func text(s string) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := 0; i < len(lines); i++ {
		switch {
		case lines[i] == "":
			b.WriteString(".PP\n")
		case lines[i][0] != ' ':
			b.WriteString(escapeLine(lines[i]) + "\n")
		default:
			from := i
			for i+1 < len(lines) && strings.HasPrefix(lines[i+1], " ") {
				i++
			}
			if items, ok := items(lines[from : i+1]); ok {
				b.WriteString(items)
			} else {
				b.WriteString(".PP\n" + asIs(lines[from:i+1]))
			}
		}
	}
	return b.String()
}

// item is a line of a list: a term, at least two blanks, the text.
var item = once.Regexp(`^( +)(\S+(?: \S+)*) {2,}(\S.*)$`)

// items returns lines as items with their further lines, which begin where the
// text of the first does. It is false if the lines are something else.
func items(lines []string) (string, bool) {
	var b strings.Builder
	column := -1 // of the text
	for _, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		m := item().FindStringSubmatch(line)
		switch {
		case indent == column:
			b.WriteString(escapeLine(line[indent:]) + "\n")
		case m != nil && (column < 0 || indent < column) && !strings.Contains(m[3], "   "):
			column = len(line) - len(m[3])
			fmt.Fprintf(&b, ".TP %d\n\\fB%s\\fR\n%s\n", min(column, 24), escape(m[2]), escapeLine(m[3]))
		case column > 0 && indent > 0 && indent < column:
			// An item too long for its column; the text follows.
			fmt.Fprintf(&b, ".TP %d\n\\fB%s\\fR\n", min(column, 24), escape(line[indent:]))
		default:
			return "", false
		}
	}
	return ".RS 2\n" + b.String() + ".RE\n", true
}

// asIs returns lines that keep their breaks.
func asIs(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(escapeLine(strings.TrimPrefix(line, "  ")) + "\n")
	}
	return ".nf\n" + b.String() + ".fi\n"
}

var escapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`)

// escape writes text so that roff shows it as it is. Minus signs and quotes stay
// those that can be copied into a shell.
func escape(s string) string {
	var b strings.Builder
	for _, r := range escapes.Replace(s) {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	return b.String()
}

// escapeLine escapes a whole line, which must not begin as a request does.
func escapeLine(s string) string {
	if s = escape(s); strings.HasPrefix(s, ".") {
		return `\&` + s
	}
	return s
}

// quoted writes an argument of a request.
func quoted(s string) string { return `"` + escape(s) + `"` }

package formats

import (
	"fmt"
	"strings"

	"github.com/perfdump/perfdump/internal/detect"
)

// NoVerbError says that a verb does not read the format of a file.
type NoVerbError struct {
	Verb    string // with the flag that it is about, such as "dump --query"
	Format  detect.Format
	Without string // what this file of the format lacks for it, "" where all do
}

func (e *NoVerbError) Error() string {
	if text := e.Format.Foreign(); text != "" {
		return fmt.Sprintf("this is %s: %s", e.Format, text)
	}
	f := Of(e.Format)
	verb, flag, _ := strings.Cut(e.Verb, " ")
	hint := f.hint
	if hint == "" {
		hint = "`perfdump dump` shows its values"
	}
	switch text := f.instead[verb]; {
	case strings.HasSuffix(verb, "-titles") || verb == "--titles":
		return fmt.Sprintf("this is %s and no table of names; want the value \"Counter 009\" or lines such as 6 : %% Processor Time (%s)", e.Format, hint)
	case text != "":
		return text
	case verb == "dump" && flag != "":
		hint = "`perfdump dump` without that shows it"
	}
	format := string(e.Format)
	if e.Without != "" {
		format += " without " + e.Without
	}
	return fmt.Sprintf("%s does not read the format %s; %s", e.Verb, format, hint)
}

// notRaw is said of text logs, overTime of all logs.
func notRaw(f detect.Format) string {
	return string(f) + " holds displayed values and no raw ones: use `perfdump cook`"
}

func overTime(f detect.Format) string {
	return "diff compares moments, and " + string(f) + " is a log over time: `perfdump compare` says which counters moved between two"
}

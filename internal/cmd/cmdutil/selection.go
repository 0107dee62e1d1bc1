package cmdutil

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// Selection are the flags that say which counters are shown.
type Selection struct {
	Counters     []string
	CounterFiles []string // hold more of them
	Query        string
}

// AddFlags registers the flags.
func (s *Selection) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&s.Counters, "counter", "c", nil, "only the counters of `PATH`, by their names in the input or in English; may be repeated")
	flags.StringArrayVar(&s.CounterFiles, "counter-file", nil, "the paths in `FILE`, one a line, as -c")
	flags.StringVar(&s.Query, "query", "", "only what the registry would answer to `QUERY`: Global, MetadataGlobal, or title indexes such as '2 238'")
}

// Any reports whether only some counters are asked for.
func (s *Selection) Any() bool { return len(s.Counters) > 0 || s.Query != "" }

// Apply makes o read what is selected.
func (s *Selection) Apply(o *capture.Options) error {
	if err := s.readFiles(); err != nil {
		return err
	}
	if o.Names == nil {
		o.Names = capture.NewNames()
	}
	var err error
	if o.Filter, err = o.Names.Filter(s.Counters...); err != nil {
		e := wrongPath("--counter", err)
		e.Hint += "; quote it for the shell"
		return e
	}
	if o.Query, err = perfdata.ParseQuery(s.Query); err != nil {
		return &UsageError{Text: "--query: " + AsFormatError(err).Message()}
	}
	return nil
}

// wrongPath says that what stands at a place is no path.
func wrongPath(place string, err error) *UsageError {
	return &UsageError{
		Text: fmt.Sprintf("%s: %v", place, err),
		Hint: `a path looks like \Processor(*)\% Processor Time, or \System\*`,
	}
}

// readFiles adds the paths of --counter-file, one a line; blank lines and those
// that begin with # or ; are passed over. The text is UTF-8, UTF-16 or
// windows-1252, as that of --derive-file.
func (s *Selection) readFiles() error {
	for _, name := range s.CounterFiles {
		data, err := readWords("--counter-file", name)
		if err != nil {
			return err
		}
		text, err := textlines.New(data, textlines.Options{})
		if err != nil {
			return Usagef("--counter-file: %s: %v", name, err)
		}
		n := 0
		for l := range text.All() {
			n++
			line := strings.Trim(strings.TrimSpace(l.Text()), `"`)
			if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
				continue
			}
			if _, err := pdhpath.Compile(line); err != nil {
				return wrongPath(fmt.Sprintf("--counter-file: %s, line %d", name, n), err)
			}
			s.Counters = append(s.Counters, line)
		}
		if len(s.Counters) == 0 {
			return Usagef("--counter-file: %s has no paths", name)
		}
	}
	return nil
}

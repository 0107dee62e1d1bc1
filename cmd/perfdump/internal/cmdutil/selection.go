package cmdutil

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/detect"
	"github.com/perfdump/perfdump/internal/textlines"
	"github.com/perfdump/perfdump/internal/wire"
	"github.com/perfdump/perfdump/pdhpath"
	"github.com/perfdump/perfdump/perfdata"
)

// Selection holds the flags that say which counters are shown.
type Selection struct {
	Counters     []string
	CounterFiles []string // files of paths
	Query        string
}

// AddFlags registers the flags.
func (s *Selection) AddFlags(cmd *cobra.Command) {
	group(cmd, groupChoice, func() {
		flags := cmd.Flags()
		flags.StringArrayVarP(&s.Counters, "counter", "c", nil, "only counters that match `PATH`, by their recorded or English names; may be repeated")
		flags.StringArrayVar(&s.CounterFiles, "counter-file", nil, "like -c for each path in `FILE`, one a line")
		flags.StringVar(&s.Query, "query", "", "only what the registry would answer to `QUERY`: Global, MetadataGlobal, or title indexes such as '2 238'")
	})
}

// Any reports whether only some counters are requested.
func (s *Selection) Any() bool { return len(s.Counters) > 0 || s.Query != "" }

// Apply sets the filter and the query of o.
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
		return &UsageError{Text: "--query: " + wire.AsFormatError(err).Message()}
	}
	return nil
}

// wrongPath says that a text is not a path, and where it is.
func wrongPath(place string, err error) *UsageError {
	return &UsageError{
		Text: fmt.Sprintf("%s: %v", place, err),
		Hint: `a path looks like \Processor(*)\% Processor Time, or \System\*`,
	}
}

// readFiles adds the paths of --counter-file, one a line; blank lines and those
// that begin with # or ; are skipped. The text is UTF-8, UTF-16 or
// windows-1252, as that of --derive-file.
func (s *Selection) readFiles() error {
	for _, name := range s.CounterFiles {
		data, err := ReadWords("--counter-file", name)
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

// maxWords limits files of paths or metrics. Neither people nor typeperf -qx
// write longer ones.
const maxWords = 16 << 20

// ReadWords reads a file that a flag names.
func ReadWords(flag, name string) ([]byte, error) {
	if err := detect.CheckFile(name); err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, name, err)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, Usagef("%s: %v", flag, err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxWords+1))
	switch {
	case err != nil:
		return nil, Usagef("%s: %v", flag, err)
	case len(text) > maxWords:
		return nil, &UsageError{Text: flag + ": " + name + " is longer than 16 MiB", Hint: "it is a text with one entry a line"}
	}
	return text, nil
}

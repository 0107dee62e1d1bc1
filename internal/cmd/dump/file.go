package dump

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// toFile runs the verb with its output into the file of -w. What cannot be read
// of the inputs is told and leaves the file with the rest; what else goes wrong
// leaves no file.
func (o *Options) toFile(ctx context.Context) error {
	var told error
	err := cmdutil.WriteFile(o.Write, func(w io.Writer) error {
		f := *o.Factory
		f.IO = o.IO.To(w)
		to := *o
		to.Factory = &f
		told = run(ctx, &to)
		if errors.Is(told, cmdutil.ErrInput) && !o.FailFast {
			return nil
		}
		return told
	})
	if err != nil {
		return err
	}
	return told
}

// counterFile adds the paths of --counter-file, one a line; blank lines and
// those that begin with # or ; are passed over.
func (o *Options) counterFile() error {
	for _, name := range o.CounterFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			return cmdutil.Usagef("--counter-file: %v", err)
		}
		for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
			line = strings.Trim(strings.TrimSpace(line), `"`)
			if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, ";") {
				o.Counters = append(o.Counters, line)
			}
		}
		if len(o.Counters) == 0 {
			return cmdutil.Usagef("--counter-file: %s has no paths", name)
		}
	}
	return nil
}

package lodctr

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
)

// save writes the files that change into the folder of -w, each whole or not at
// all. It looks first whether all can be written.
func (o *Options) save(edited []registration.Edited, inputs []string, packed map[string]bool) error {
	targets := make([]string, len(edited))
	taken := map[string]string{}
	for i, e := range edited {
		base := filepath.Base(e.Name)
		switch {
		case e.Name == "-":
			return &cmdutil.UsageError{Text: "-w needs the names of files, and standard input has none", Hint: "leave out -w for the plan"}
		case packed[e.Name]:
			base = strings.TrimSuffix(strings.TrimSuffix(base, ".gz"), ".zst")
		}
		if was, ok := taken[base]; ok {
			return &cmdutil.UsageError{Text: "both " + was + " and " + e.Name + " would be written to " + filepath.Join(o.Dir, base), Hint: "rename one"}
		}
		taken[base] = e.Name
		targets[i] = filepath.Join(o.Dir, base)
		if err := overwrites(targets[i], inputs); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil { //nolint:gosec // the umask decides, as for the files
		return &cmdutil.UsageError{Text: "-w " + o.Dir + ": " + err.Error()}
	}
	for i, e := range edited {
		err := cmdutil.WriteFile(targets[i], func(w io.Writer) error {
			_, err := w.Write(e.Data)
			return err
		})
		if err != nil {
			return err
		}
		o.Note("wrote %s", targets[i])
	}
	if len(edited) == 0 {
		o.Note("nothing changes, so nothing was written")
	}
	return nil
}

// overwrites refuses a target that is an input of another folder, by a link.
func overwrites(target string, inputs []string) error {
	same := func(a, b string) bool {
		x, errX := os.Stat(a)
		y, errY := os.Stat(b)
		return errX == nil && errY == nil && os.SameFile(x, y)
	}
	for _, name := range inputs {
		if same(target, name) && !same(filepath.Dir(target), filepath.Dir(name)) {
			return &cmdutil.UsageError{Text: target + " is a link to the input " + name, Hint: "name another folder"}
		}
	}
	return nil
}

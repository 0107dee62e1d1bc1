package cmdutil

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/registration"
	"github.com/perfdump/perfdump/internal/detect"
)

// Beside adds the symbol files of .ini files that are in the same folders and
// were not named, ignoring case. It reports those that cannot be read and then
// returns ErrInput.
func (i *Inputs) Beside(f *Factory, files *registration.Files, o registration.Options) error {
	var wanted []string
	for ini, symbols := range files.Missing() {
		dir := filepath.Dir(ini)
		entries, err := os.ReadDir(dir)
		if err != nil || ini == "-" {
			continue // the doctor reports that it is missing
		}
		for _, e := range entries {
			if name := filepath.Join(dir, e.Name()); strings.EqualFold(e.Name(), symbols) && !slices.Contains(wanted, name) {
				wanted = append(wanted, name)
				break
			}
		}
	}
	do, err := i.Detect(f)
	if err != nil {
		return err
	}
	do.Format, do.Pipes = detect.SymbolH, false // the user did not name them
	var failed error
	for _, name := range wanted {
		in, err := detect.Open(name, do)
		if err == nil {
			err = files.Add(in, o)
		}
		if err != nil {
			f.Report(name, err)
			failed = ErrInput
		}
	}
	return failed
}

package dump

import (
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/cmd/cmdutil"
)

// backup writes a table of what a backup of counter names holds. It has no
// values, and so no rows.
func (d *dumper) backup(in *detect.Input) error {
	table, ok := d.w.(*export.Table)
	switch {
	case !ok:
		return &cmdutil.NoVerbError{Verb: "dump -o " + d.o.Output, Format: in.Format}
	case d.o.Selection.Any():
		return &cmdutil.NoVerbError{Verb: "dump of some counters", Format: in.Format}
	}
	f, err := capture.ParsePerfStrings(in.Data, d.co)
	if err != nil {
		return err
	}
	return table.WriteBackup(in.Name, f)
}

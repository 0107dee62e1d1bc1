package cmdutil

import (
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
)

// maxClashes is how many clashes of names are told one by one.
const maxClashes = 5

// LeftOut tells what a writer of an output has left out: its form does not have
// room for all that a capture may hold.
func (f *Factory) LeftOut(w any) {
	switch w := w.(type) {
	case *export.RawFrames:
		f.LeftOut(w.Writer())
	case *export.OpenMetrics:
		for i, text := range w.Clashes() {
			if i == maxClashes {
				f.Note("openmetrics: %d more names clash", len(w.Clashes())-i)
				break
			}
			f.Note("openmetrics: %s: the first one was written", cell.Clean(text))
		}
		f.leftOut(w.Omitted(), "openmetrics: %s left out, which have a status in the place of a number or a name that is taken; -o csv has them", "value")
	case *export.Influx:
		f.leftOut(w.Repeats(), "influx: %s left out, since others have the same tags and fields; -o csv has them", "counter")
	case *export.SQL:
		f.leftOut(w.Repeats(), "sql: %s left out, since others have the same names; -o csv has them", "counter")
	case *export.PDHCSV:
		f.leftOut(w.Unknown(), "pdh: %s left out: the inputs have changed while they were read", "value")
	case *export.Checkmk:
		f.leftOut(w.Omitted(), "checkmk: %s left out, since the form has no room for them: texts, values that some instances do not have, or no title index; -o csv has them", "counter")
	}
}

func (f *Factory) leftOut(n int, format, what string) {
	if n > 0 {
		f.Note(format, count(n, what))
	}
}

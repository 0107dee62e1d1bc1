package cmdutil

import (
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/export"
	"github.com/perfdump/perfdump/internal/iostreams/cell"
	"github.com/perfdump/perfdump/pdhpath"
)

// LeftOut tells what a writer of an output has left out: its form does not have
// room for all that a capture may hold.
func (f *Factory) LeftOut(w any) {
	switch w := w.(type) {
	case interface{ Writer() export.FrameWriter }:
		f.LeftOut(w.Writer())
	case *export.OpenMetrics:
		f.leftOut(w.Omitted(), "openmetrics: %s without a number left out; -o csv has a status for each", "value")
		f.leftOut(w.Replaced(), "openmetrics: %s left out, of whose series and time there is another one; -o csv has all", "value")
		f.leftOut(w.Repeats(), "openmetrics: %s and the same labels stand for several counters: the label duplicate tells them apart", "name")
	case *export.Influx:
		f.leftOut(w.Omitted(), "influx: %s left out, whose times are not in the years 1678 to 2262; -o csv has them", "value")
		f.leftOut(w.Repeats(), "influx: %s and the same tags stand for several counters: the tag duplicate tells them apart", "field")
	case *export.SQL:
		f.leftOut(w.Omitted(), "sql: %s left out, whose times are not in the years 1 to 9999; -o csv has them", "value")
		f.leftOut(w.Repeats(), "sql: %s left out, since others have the same names; -o csv has them", "counter")
	case *export.PDHCSV:
		f.leftOut(w.Omitted(), "pdh: %s left out, whose times are not in the years 1 to 9999; -o csv has them", "row")
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

// Untranslated says how many counters keep their names although English ones are
// asked for.
func (f *Factory) Untranslated(names *capture.Names) {
	if n, object, counter := names.Untranslated(); n > 0 {
		f.Note("--english: %s left as recorded, no English name is known (first: %s); --titles and --english-titles give more names",
			count(n, "counter"), cell.Clean(pdhpath.Path{Object: object, Counter: counter}.String()))
	}
}

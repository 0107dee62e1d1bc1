package export

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/capture"
)

// FrameWriter writes cooked values, one frame after the other. Series are told
// apart by their ID, so all frames come from one capture.
type FrameWriter interface {
	// WriteFrame writes a frame. It may keep some of it back.
	WriteFrame(f *capture.Frame) error
	// Close writes what was kept back, and what ends the output. It does not
	// close what the FrameWriter writes to. Nothing may be written after it.
	Close() error
}

// CookedFormats returns the names of the formats that have cooked values, but
// for parquet, which has a package of its own.
func CookedFormats() []string {
	return []string{"table", "pdh-csv", "pdh-tsv", "csv", "jsonl", "sql", "openmetrics", "influx"}
}

// NeedsSeries reports whether a format of [CookedFormats] has to know all
// series before the first frame, so that the input is read twice.
func NeedsSeries(format string) bool {
	return format == "table" || format == "pdh-csv" || format == "pdh-tsv"
}

// CookedOptions say how cooked values are written. Each format looks at those
// that it has a use for.
type CookedOptions struct {
	Columns []string          // of csv and jsonl, on request: see [CookedOnRequest]
	Series  []*capture.Series // all that will come, in the order of columns: see [NeedsSeries]
	Table   TableOptions
	PDH     PDHOptions
	SQL     SQLOptions
	Metrics MetricsOptions
	Influx  InfluxOptions
}

// NewCooked returns a writer of cooked values in a format of [CookedFormats].
// A format or column that is none, and a code page that [PDHOptions.Check]
// refuses, are errors; those of the writer are the errors of w.
func NewCooked(w io.Writer, format string, o CookedOptions) (FrameWriter, error) {
	for _, c := range o.Columns {
		if !slices.Contains(CookedOnRequest(), c) {
			return nil, fmt.Errorf("no column %q on request: there are %s", c, strings.Join(CookedOnRequest(), ", "))
		}
	}
	switch format {
	case "table":
		return newCookedTable(w, o.Series, o.Table), nil
	case "pdh-csv":
		return newPDHCSV(w, o.Series, o.PDH)
	case "pdh-tsv":
		return newPDHTSV(w, o.Series, o.PDH)
	case "csv":
		return newCookedCSV(w, o.Columns...), nil
	case "jsonl":
		return newCookedJSONL(w, o.Columns...), nil
	case "sql":
		return newSQL(w, o.SQL)
	case "openmetrics":
		return newOpenMetrics(w, o.Metrics), nil
	case "influx":
		return newInflux(w, o.Influx), nil
	}
	return nil, fmt.Errorf("no cooked values in format %q: there are %s", format, strings.Join(CookedFormats(), ", "))
}

package formats

import (
	"fmt"
	"strings"
	"time"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/cell"
	"github.com/perfdump/perfdump/internal/table"
)

// inUTC is the offset of a format that has its times in UTC.
var inUTC = capture.Offset{Known: true}

// span writes the first and the last time of a recording, with their offsets from
// UTC, and the duration.
func (v View) span(start time.Time, at capture.Offset, end time.Time, then capture.Offset) string {
	switch {
	case start.IsZero():
		return "unknown"
	case start.Equal(end):
		return at.Format(start, v.Zone, table.TimeLayout)
	default:
		far := "more than 292 years"
		if d, ok := capture.Between(start, end); ok {
			far = d.String()
		}
		return at.Format(start, v.Zone, table.TimeLayout) + " to " + then.Format(end, v.Zone, table.TimeLayout) + " (" + far + ")"
	}
}

// maxLanguages is how many languages a line names.
const maxLanguages = 24

// factText is the text of a value, "" for one that is not known.
func factText(v any) string {
	switch v := v.(type) {
	case string:
		return cell.Clean(v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case int:
		return table.Grouped(int64(v))
	case int64:
		return table.Grouped(v)
	case uint32:
		return table.Grouped(int64(v))
	case []string:
		return namesText(v)
	default:
		return ""
	}
}

func namesText(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	var shown []string
	for _, name := range names[:min(len(names), maxLanguages)] {
		shown = append(shown, cell.Clean(name))
	}
	text := table.Grouped(int64(len(names))) + ": " + strings.Join(shown, ", ")
	if n := len(names) - maxLanguages; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

package plot

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/perfdump/perfdump/cmd/perfdump/internal/chart"
	"github.com/perfdump/perfdump/cmd/perfdump/internal/cmdutil"
)

// report is what is read of the JSON of analyze.
type report struct {
	Machine  *string
	Machines []report
	Findings []struct {
		Title, Instance, Severity string
		Intervals                 []struct{ Start, End time.Time }
	}
}

// marks reads the findings of --findings, a document or a line for each machine.
func (o *Options) marks() ([]chart.Mark, error) {
	if o.Findings == "" {
		return nil, nil
	}
	b, err := cmdutil.ReadWords("--findings", o.Findings)
	if err != nil {
		return nil, err
	}
	bad := &cmdutil.UsageError{
		Text: "--findings " + cmdutil.FileName(o.Findings) + ": these are no findings of analyze",
		Hint: "perfdump analyze -o json FILE -w findings.json writes them",
	}
	var marks []chart.Mark
	for d := json.NewDecoder(bytes.NewReader(b)); ; {
		var r report
		err := d.Decode(&r)
		if errors.Is(err, io.EOF) && marks != nil {
			return marks, nil
		}
		if err != nil || r.Machine == nil && r.Machines == nil {
			return nil, bad
		}
		all := r.Machines
		if all == nil {
			all = []report{r}
		}
		marks = append([]chart.Mark{}, marks...)
		for _, m := range all {
			marks = append(marks, m.marks(len(all) > 1)...)
		}
	}
}

// marks returns the findings of a machine, with its name if there are others.
func (r *report) marks(named bool) []chart.Mark {
	var marks []chart.Mark
	for _, f := range r.Findings {
		m := chart.Mark{Title: f.Title, Critical: f.Severity == "critical"}
		if f.Instance != "" {
			m.Title += ": " + f.Instance
		}
		if named && r.Machine != nil {
			m.Title = *r.Machine + ": " + m.Title
		}
		for _, i := range f.Intervals {
			m.Times = append(m.Times, chart.Interval(i))
		}
		marks = append(marks, m)
	}
	return marks
}

// whole reports whether a path names the sum of processes or the idle one.
func whole(path string) bool {
	path = strings.ToLower(path)
	return strings.Contains(path, "(_total") || strings.Contains(path, "(idle")
}

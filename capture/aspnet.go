package capture

import (
	"iter"
	"strings"
	"time"

	"github.com/perfdump/perfdump"
	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/detect"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
)

// CodeAllZero is the code of the finding that a vector has no counter but zeros.
const CodeAllZero perfdump.Code = "all-zero"

// VectorSummary is what a vector of ASP.NET's counters holds.
type VectorSummary struct {
	Version  aspnet.Version
	Counters int // DWORDs
	Zeros    int // those that are 0
}

// ParseVector reads a vector of ASP.NET's counters, of the version that the
// format of the input names. The errors are those of [aspnet.Parse].
func ParseVector(in *detect.Input) (*aspnet.Vector, error) {
	_, version, _ := strings.Cut(string(in.Format), ":")
	v, err := aspnet.ParseVersion(version)
	if err != nil {
		return nil, err
	}
	return aspnet.Parse(in.Data, v)
}

func (s *Summary) vector(in *detect.Input) {
	x, err := ParseVector(in)
	if err != nil {
		s.fail(err)
		return
	}
	s.Vector = &VectorSummary{Version: x.Version(), Counters: x.Len()}
	for i := range x.Len() {
		if x.Uint32(i) == 0 {
			s.Vector.Zeros++
		}
	}
}

func checkVector(in *detect.Input, yield func(Finding) bool) {
	x, err := ParseVector(in)
	switch {
	case err != nil:
		yieldError(err, yield)
	case x.Zero():
		yield(Finding{
			Code: CodeAllZero, Offset: 0, Severity: SeverityNote,
			Message: "all counters are 0: so is what a collector has of a worker that it could not read, or of another version",
		})
	}
}

// VectorObject returns the perfmon object that shows the counters of a scope.
func VectorObject(s aspnet.Scope) string {
	return [...]string{aspnet.Global: "ASP.NET", aspnet.App: "ASP.NET Applications", aspnet.State: "ASP.NET State Service"}[s]
}

// VectorName returns what a counter of a vector is called: the name in
// perfmon, else the symbol.
func VectorName(c *aspnet.Counter) string {
	if c.Name == "" {
		return c.Symbol
	}
	return c.Name
}

// VectorRows yields the raw values of a vector of ASP.NET's counters, those
// that show lets through; nil is all. Bases stand in the second value of their
// counters. There is no time and no host, and no instance: a vector does not
// say of which application it is. A Row is valid until the next one is yielded.
func VectorRows(x *aspnet.Vector, source string, show func(*aspnet.Counter) bool) iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		_, clocks := ipcblock.Interval(time.Second)
		for c := range x.Values() {
			if c.Type.IsBase() && c.Name != "" || show != nil && !show(c) {
				continue
			}
			s := x.Sample(c, nil, nil)
			row := Row{
				Source: source, Object: VectorObject(c.Scope), Counter: VectorName(c), Type: c.Type,
				First: s.First, Second: s.Second, Multi: s.Multi, TimeBase: s.TimeBase,
				NoType:   c.Name == "",
				NoSecond: s.Status == countertypes.StatusNoBase || x.Sample(c, &clocks, nil).Second != s.Second,
			}
			if !yield(&row) {
				return
			}
		}
	}
}

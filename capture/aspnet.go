package capture

import (
	"strings"
	"time"

	"github.com/perfdump/perfdump/countertypes"
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/ipcblock/aspnet"
)

// vector reads an ASP.NET counter vector of the version that the format names: aspnet:2.0
// or aspnet:4.x.
func vector(in *Input, o Options) (*Snapshot, error) {
	_, name, _ := strings.Cut(in.Format, ":")
	version, err := aspnet.ParseVersion(name)
	if err != nil {
		return nil, err
	}
	x, err := aspnet.Parse(in.Data, version)
	if err != nil {
		return nil, err
	}
	return &Snapshot{Source: in.Name, o: o, other: vectorValues{x}}, nil
}

// vectorValues are the values of an ASP.NET counter vector. Bases are in the second value
// of their counters. A vector has no time, host or instance: it does not say which
// application it belongs to, so filters ignore the instance.
type vectorValues struct{ *aspnet.Vector }

func (v vectorValues) rows(s *Snapshot, _ bool, yield func(*Row) bool) bool {
	_, clocks := ipcblock.Interval(time.Second)
	for c := range v.Values() {
		row := s.row()
		row.Object, row.Counter = c.Scope.Object(), c.Label()
		if c.Type.IsBase() && c.Name != "" || !s.o.Filter.matchNames(row.Object, row.Counter) {
			continue
		}
		sample := v.Sample(c, nil, nil)
		row.Type, row.NoType = c.Type, c.Name == ""
		row.First, row.Second, row.Multi = sample.First, sample.Second, sample.Multi
		row.NoSecond = sample.Status == countertypes.StatusNoBase || v.Sample(c, &clocks, nil).Second != sample.Second
		if !yield(&row) {
			return false
		}
	}
	return true
}

func (v vectorValues) otherNames(*Snapshot, func(*ObjectNames) bool) {}

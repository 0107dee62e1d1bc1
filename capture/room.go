package capture

import "github.com/perfdump/perfdump"

// What is kept of each series, row, counter and object, in bytes, with what
// outputs keep of them. A block has a series in as little as a byte, so these
// are what has to be bounded.
const (
	seriesCost = 125
	rowCost    = 350 // and its key
	metricCost = 150
	groupCost  = 300

	leastRoom = 64 << 20
)

// room is what there is for series: 64 MiB and four times the input.
type room struct {
	size int64 // of the input
	used int64
}

// take takes some of the room. It is false where there is not enough left.
func (r *room) take(bytes int) bool {
	r.used += int64(bytes)
	return !r.over()
}

func (r *room) over() bool { return r.used > leastRoom+4*r.size }

// err says what was too much.
func (r *room) err(series int) error {
	if !r.over() {
		return nil
	}
	return perfdump.NewError(perfdump.CodeLimit, -1, perfdump.Path{},
		"%d counters of instances are more than %d MB of input have room for; choose some by their paths", series, r.size>>20)
}

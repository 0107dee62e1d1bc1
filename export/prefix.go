package export

import (
	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/internal/paged"
)

// prefixes remembers what rows of a series have in common, for as many series
// as there is room for. What others have is made anew for each row.
type prefixes struct {
	of   paged.Slice[string]
	size int
}

const (
	prefixSeries = 16 << 10
	prefixBytes  = 4 << 20
)

// append appends the prefix of a series that form makes.
func (p *prefixes) append(dst []byte, s *capture.Series, form func([]byte, *capture.Series) []byte) []byte {
	if s.ID >= prefixSeries {
		return form(dst, s)
	}
	known := p.of.At(s.ID)
	if *known != "" {
		return append(dst, *known...)
	}
	from := len(dst)
	dst = form(dst, s)
	if n := len(dst) - from; p.size+n <= prefixBytes {
		p.size += n
		*known = string(dst[from:])
	}
	return dst
}

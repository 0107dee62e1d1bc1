package document

import (
	"iter"
	"maps"
	"slices"

	"github.com/perfdump/perfdump"
)

// anomalies writes the end of a document: the anomalies of all its parts up to
// the limit of a document, then how many of each code are not among them.
func (p *printer) anomalies(limit int, parts ...*perfdump.Anomalies) {
	p.anomaliesOf(limit, slices.Values(parts))
}

// anomaliesOf is anomalies for parts that come one after the other.
func (p *printer) anomaliesOf(limit int, parts iter.Seq[*perfdump.Anomalies]) {
	p.raw(`"anomalies":[`)
	n := 0
	more := map[perfdump.Code]int{}
	next := func() {
		if n++; n > 1 {
			p.raw(",")
		}
		p.raw("\n ")
	}
	for part := range parts {
		for _, a := range part.Kept() {
			if n >= limit || !p.ok() {
				more[a.Code]++
				continue
			}
			next()
			p.str(`{"code":`, string(a.Code))
			if a.Off < 0 {
				p.raw(`,"offset":null`)
			} else {
				p.int(`,"offset":`, a.Off)
			}
			p.raw(`,"path":`)
			p.b = appendString(p.b, a.Path.Append(nil))
			p.str(`,"message":`, a.Message())
			p.raw("}")
		}
		for code, count := range part.Dropped() {
			more[code] += count
		}
	}
	for _, code := range slices.Sorted(maps.Keys(more)) {
		next()
		p.str(`{"code":`, string(code))
		p.int(`,"count":`, int64(more[code]))
		p.raw("}")
	}
	p.raw("]}\n")
}

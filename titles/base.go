package titles

import (
	_ "embed"
	"sync"
)

//go:embed base.tsv
var baseList []byte

var base = sync.OnceValue(func() *Table {
	t, err := ParseText(baseList, Options{})
	if err != nil {
		return &Table{list: true} // cannot be: TestBase reads the list
	}
	return t
})

// Base returns the English names of the base counters, whose indexes mean the
// same on every Windows since XP. Three objects have had two names; here they
// are IPv4, TCPv4 and UDPv4 as since Vista, not IP, TCP and UDP (546, 638,
// 658). The table is read when first asked for and shared.
func Base() *Table { return base() }

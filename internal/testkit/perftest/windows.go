package perftest

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed windows.txt
var windowsText string

// windowsCounters are the counters of windows.txt by the name of their object.
var windowsCounters = sync.OnceValue(func() map[string][]Counter {
	all := make(map[string][]Counter)
	object := ""
	for line := range strings.Lines(windowsText) {
		if line[0] == '#' {
			continue
		}
		if name, ok := strings.CutSuffix(line, ":\n"); ok {
			object = name
			continue
		}
		var c Counter
		if _, err := fmt.Sscan(line, &c.Title, &c.Type, &c.Scale, &c.DetailLevel, &c.Size); err != nil {
			panic(fmt.Sprintf("%q: %v", line, err))
		}
		all[object] = append(all[object], c)
	}
	return all
})

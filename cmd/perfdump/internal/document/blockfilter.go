package document

import (
	"github.com/perfdump/perfdump/ipcblock"
	"github.com/perfdump/perfdump/pdhpath"
)

// BlockFilter reports whether a counter of the instance that a chunk is, see
// [capture.BlockInstance], is selected. A nil BlockFilter is for all.
type BlockFilter func(instance string, k *ipcblock.Counter) bool

// NewBlockFilter returns a filter for what one of the patterns is for, nil for
// no patterns. A path without an instance is for all of them.
func NewBlockFilter(patterns []*pdhpath.Pattern) BlockFilter {
	if len(patterns) == 0 {
		return nil
	}
	return func(instance string, k *ipcblock.Counter) bool {
		path := pdhpath.Path{Object: k.Category, Counter: k.Name}
		for _, p := range patterns {
			if p.Match(path) {
				return true
			}
		}
		path.Instance, path.HasInstance = instance, true
		for _, p := range patterns {
			if p.Match(path) {
				return true
			}
		}
		return false
	}
}

package registry

import "github.com/perfdump/perfdump"

// Options say how a file is read. The zero value is tolerant, with the default
// limits and windows-1252.
type Options struct {
	Mode   perfdump.Mode
	Limits perfdump.Limits
	// CodePage is that of text in 8 bits that is not UTF-8: .reg files of the
	// old version. 0 means 1252.
	CodePage uint32
}

// What a view of either kind of file holds at most. A server with every
// product that registers counters has a few hundred providers.
const (
	maxProviders = 1 << 16
	maxValues    = 1 << 18 // of all keys of a view
)

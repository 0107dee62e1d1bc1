package perfdata

import (
	"strconv"
	"strings"

	"github.com/perfdump/perfdump"
)

// Query is a request to the performance registry, applied to an existing block. The zero
// Query requests everything.
type Query struct {
	indexes  map[uint32]bool // nil requests all objects
	metadata bool
	none     bool
}

// ParseQuery parses a query string as the registry does, ignoring case: "Global" or nothing
// for all objects, "Costly", their Metadata forms for definitions without instances, or
// title indexes separated by blanks; invalid indexes are skipped. A block does not mark
// costly objects, so "Costly" requests nothing. "Foreign", "Counter" and "Help" queries
// cannot be answered from a block, and are errors with the code "syntax".
func ParseQuery(s string) (Query, error) {
	words := strings.Fields(s)
	if len(words) == 0 {
		return Query{}, nil
	}
	switch strings.ToLower(words[0]) {
	case "global", "old_global":
		return Query{}, nil
	case "costly":
		return Query{none: true}, nil
	case "metadataglobal", "old_metadataglobal":
		return Query{metadata: true}, nil
	case "metadatacostly", "old_metadatacostly":
		return Query{metadata: true, none: true}, nil
	case "foreign":
		return Query{}, queryError("%q requests another machine; a block holds one machine's data", s)
	case "counter", "help":
		return Query{}, queryError("%q requests a table of names; a block holds none", s)
	}
	q := Query{indexes: make(map[uint32]bool, len(words))}
	for _, w := range words {
		if n, err := strconv.ParseUint(w, 10, 32); err == nil {
			q.indexes[uint32(n)] = true
		}
	}
	if len(q.indexes) == 0 {
		return Query{}, queryError("%q holds no title index: want Global, Costly, MetadataGlobal or numbers such as 2 238", s)
	}
	return q, nil
}

func queryError(format string, args ...any) error {
	return perfdump.NewError(perfdump.CodeSyntax, -1, perfdump.Path{}, "query "+format, args...)
}

// All reports whether q requests everything, as the zero Query does.
func (q Query) All() bool { return q.indexes == nil && !q.metadata && !q.none }

// Match reports whether q requests the object, and whether only its definitions.
func (q Query) Match(o *Object) (include, metadataOnly bool) {
	if q.none || q.indexes != nil && !q.indexes[o.ObjectNameTitleIndex] {
		return false, false
	}
	return true, q.metadata
}

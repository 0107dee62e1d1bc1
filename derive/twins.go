package derive

import "strings"

// twins are the objects that tell of the same instances: what happened, and
// what it cost.
var twins = [...][2]string{
	{"Per Processor Network Interface Card Activity", "Per Processor Network Activity Cycles"},
}

// Twin returns the object whose counters belong to an object as well, instance
// by instance.
func Twin(object string) (string, bool) {
	for _, t := range twins {
		switch {
		case strings.EqualFold(object, t[0]):
			return t[1], true
		case strings.EqualFold(object, t[1]):
			return t[0], true
		}
	}
	return "", false
}

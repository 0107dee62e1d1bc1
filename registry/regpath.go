package registry

import "strings"

type place struct {
	inSet bool
	set   uint64 // 0 is CurrentControlSet
	home  string // what holds the control set
	rest  string // below the control set
}

// findSet finds the control set in a path, at the second name or later.
func findSet(path string) place {
	for from := strings.IndexByte(path, '\\') + 1; from > 0; {
		name, _, more := strings.Cut(path[from:], `\`)
		if n, ok := controlSet(name); ok {
			return place{true, n, path[:from-1], strings.TrimPrefix(path[from+len(name):], `\`)}
		}
		if !more {
			break
		}
		from += len(name) + 1
	}
	return place{}
}

// cutFold cuts a name or a path off the front of another path.
func cutFold(path, front string) (rest string, ok bool) {
	switch {
	case len(path) < len(front) || !strings.EqualFold(path[:len(front)], front):
		return "", false
	case len(path) == len(front):
		return "", true
	case path[len(front)] == '\\':
		return path[len(front)+1:], true
	default:
		return "", false
	}
}

// belowPerflib returns what follows the path of Perflib. Wow6432Node has
// no table of its own.
func belowPerflib(path string) (rest string, ok bool) {
	i := strings.IndexByte(path, '\\')
	for ; i >= 0 && i < len(path); i++ {
		if rest, ok = cutFold(path[i+1:], perflibKey); ok {
			return rest, !strings.Contains(strings.ToUpper(path[:i]), `\WOW6432NODE`)
		}
		next := strings.IndexByte(path[i+1:], '\\')
		if next < 0 {
			break
		}
		i += next
	}
	return "", false
}

// setName returns the control set in a path, as it is spelled there.
func setName(path string) string {
	for name := range strings.SplitSeq(path, `\`) {
		if _, ok := controlSet(name); ok {
			return name
		}
	}
	return ""
}

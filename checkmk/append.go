package checkmk

import (
	"strconv"
	"strings"
)

// AppendAgent appends the section that names the agent's host.
func AppendAgent(dst []byte, host string) []byte {
	return append(appendName(append(dst, "<<<check_mk>>>\nHostname: "...), host, "<>"), '\n')
}

// AppendHost appends the piggyback marker that says which host the sections after it
// are of, "" for the agent's.
func AppendHost(dst []byte, host string) []byte {
	dst = append(dst, "<<<<"...)
	if host != "" {
		dst = appendName(dst, host, "<>")
	}
	return append(dst, ">>>>\n"...)
}

// Append appends a section. What would break a line is an underscore: blanks
// and control characters in names, as agents write it. [AppendAgent] and [AppendHost]
// write its host.
func Append(dst []byte, s *Section) []byte {
	dst = append(dst, "<<<winperf_"...)
	dst = appendName(dst, s.Name, ":<>")
	if s.Options != "" {
		dst = appendName(append(dst, ':'), s.Options, "<>")
	}
	dst = append(dst, ">>>\n"...)
	dst = strconv.AppendFloat(dst, s.Unix, 'f', -1, 64)
	dst = strconv.AppendUint(append(dst, ' '), uint64(s.Object), 10)
	if s.HasFrequency {
		dst = strconv.AppendInt(append(dst, ' '), s.Frequency, 10)
	}
	dst = append(dst, '\n')
	switch {
	case !s.HasInstances:
	case len(s.Instances) == 0:
		dst = append(dst, "no instances\n"...)
	default:
		dst = strconv.AppendInt(dst, int64(len(s.Instances)), 10)
		dst = append(dst, " instances:"...)
		for _, name := range s.Instances {
			dst = appendName(append(dst, ' '), name, "")
		}
		dst = append(dst, '\n')
	}
	for i := range s.Counters {
		c := &s.Counters[i]
		dst = strconv.AppendInt(dst, int64(c.Index)-int64(s.Object), 10)
		for _, v := range c.Values {
			dst = strconv.AppendUint(append(dst, ' '), v, 10)
		}
		dst = append(append(append(dst, ' '), c.word()...), '\n')
	}
	return dst
}

func (c *Counter) word() string {
	if !c.HasType {
		return string(appendName(nil, c.Word, ""))
	}
	return wordOf(c.Type)
}

func appendName(dst []byte, s, not string) []byte {
	if s == "" {
		return append(dst, '_')
	}
	for _, r := range s {
		// What Unicode takes for a blank ends a word for the readers.
		if r <= ' ' || r == 0x7f || strings.ContainsRune(not, r) || strings.TrimSpace(string(r)) == "" {
			r = '_'
		}
		dst = append(dst, string(r)...)
	}
	return dst
}

package analyze

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/perfdump/perfdump/internal/once"
)

// Severity says how bad a finding is.
type Severity uint8

// The severities, from the harmless one on.
const (
	Warning Severity = iota
	Critical

	numSeverities = 2
)

// String returns "warning" or "critical".
func (s Severity) String() string { return [...]string{"warning", "critical"}[s] }

// MarshalText returns [Severity.String].
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// kind is what a condition compares.
type kind uint8

const (
	ofValue kind = iota // the value of the rule, or the input of a when
	ofRatio             // the value divided by an input
	ofTrend             // how fast the value grows
)

// condition compares a number.
type condition struct {
	kind  kind
	input int // of a ratio and of a when: an index of Rule.inputs
	op    string
	limit float64 // of a trend a second
	over  time.Duration
}

func (c *condition) holds(v float64) bool {
	switch c.op {
	case ">":
		return v > c.limit
	case ">=":
		return v >= c.limit
	case "<":
		return v < c.limit
	case "<=":
		return v <= c.limit
	case "==":
		return v == c.limit
	default:
		return v != c.limit
	}
}

// below reports whether small values are the bad ones.
func (c *condition) below() bool { return strings.HasPrefix(c.op, "<") }

// level is a warning or a critical level of a rule.
type level struct {
	text  string
	conds []condition
	trend *condition // the one of its kind, nil for none
	unit  string     // as written: "ms", "MB", "%"
	// How long it has to hold: samples in a row, or a time, or a share of all
	// samples in percent.
	samples int
	lasting time.Duration
	share   float64
}

var (
	durationOf = once.Regexp(`^(\d+(?:\.\d+)?)(s|min|h|d)$`)
	numberOf   = once.Regexp(`^(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(us|ms|s|%|K|M|KB|MB|GB|TB)?$`)
	lastingOf  = once.Regexp(`\s+for\s+(\S.*)$`)
	nextCond   = once.Regexp(`\s+and\s+(?:[<>=!\\]|ratio\s|trend\s)`)
	whenOf     = once.Regexp(`^(\\.*?)\s+(>=|<=|==|!=|>|<)\s*(\S+)$`)
	valueOf    = once.Regexp(`^(>=|<=|==|!=|>|<)\s*(\S+)$`)
	trendOf    = once.Regexp(`^trend\s+(>=|<=|==|!=|>|<)\s*([^\s/]+)\s*/\s*(s|min|h|d)\s+over\s+(\S+)$`)
	units      = map[string]float64{
		"": 1, "us": 1e-6, "ms": 1e-3, "s": 1, "%": 1, "K": 1e3, "M": 1e6,
		"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40,
	}
	times = map[string]time.Duration{"s": time.Second, "min": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
)

// ParseNumber reads a number with a unit as rules have them: 15ms, 2GB, 80%.
func ParseNumber(s string) (float64, error) {
	v, _, err := number(s)
	return v, err
}

func number(s string) (v float64, unit string, err error) {
	m := numberOf().FindStringSubmatch(s)
	if m == nil {
		return 0, "", fmt.Errorf("%q is no number with a unit such as 15ms, 2GB or 80%%", s)
	}
	v, err = strconv.ParseFloat(m[1], 64)
	return v * units[m[2]], m[2], err
}

func duration(s string) (time.Duration, error) {
	m := durationOf().FindStringSubmatch(s)
	if m == nil {
		return 0, fmt.Errorf("%q is no duration such as 30s, 5min or 2h", s)
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil || v*float64(times[m[2]]) > 1<<62 {
		return 0, fmt.Errorf("%q is too long", s)
	}
	return time.Duration(v * float64(times[m[2]])), nil
}

// split splits conditions at the "and" between them.
func split(s string) (all []string) {
	for {
		at := nextCond().FindStringIndex(s)
		if at == nil {
			return append(all, strings.TrimSpace(s))
		}
		all = append(all, strings.TrimSpace(s[:at[0]]))
		s = strings.TrimSpace(s[at[0]:])[len("and"):]
		s = strings.TrimSpace(s)
	}
}

// level reads what a level has to be like.
func (p *parser) level(text string) (*level, error) {
	l := &level{text: text, samples: 1}
	if at := lastingOf().FindStringSubmatchIndex(text); at != nil {
		if err := l.lasts(text[at[2]:at[3]]); err != nil {
			return nil, err
		}
		text = text[:at[0]]
	}
	for i, s := range split(text) {
		c, unit, err := p.condition(s)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			l.unit = unit
		}
		l.conds = append(l.conds, c)
	}
	for i := range l.conds {
		if l.conds[i].kind == ofTrend {
			l.trend = &l.conds[i]
		}
	}
	return l, nil
}

// lasts reads what follows "for".
func (l *level) lasts(s string) (err error) {
	switch f := strings.Fields(s); {
	case len(f) == 2 && strings.TrimSuffix(f[1], "s") == "sample":
		l.samples, err = strconv.Atoi(f[0])
		if err != nil || l.samples < 1 {
			return fmt.Errorf("%q is no number of samples", f[0])
		}
		return nil
	case strings.HasSuffix(s, "% of the time"):
		l.share, err = strconv.ParseFloat(strings.TrimSuffix(s, "% of the time"), 64)
		if err != nil || !(l.share > 0 && l.share <= 100) {
			return fmt.Errorf("%q is no share of the time", s)
		}
		return nil
	default:
		l.lasting, err = duration(s)
		return err
	}
}

// condition reads one condition of a level, and the unit of its number.
func (p *parser) condition(s string) (c condition, unit string, err error) {
	switch {
	case strings.HasPrefix(s, "trend"):
		m := trendOf().FindStringSubmatch(s)
		if m == nil {
			return c, "", fmt.Errorf("%q is no trend such as: trend > 10MB/h over 2h", s)
		}
		c.kind, c.op = ofTrend, m[1]
		if c.limit, unit, err = number(m[2]); err != nil {
			return c, "", err
		}
		c.limit /= times[m[3]].Seconds()
		c.over, err = duration(m[4])
		return c, unit, err
	case strings.HasPrefix(s, "ratio"):
		c, _, err = p.compare(strings.TrimSpace(strings.TrimPrefix(s, "ratio")))
		c.kind = ofRatio
		return c, "", err
	default:
		m := valueOf().FindStringSubmatch(s)
		if m == nil {
			return c, "", fmt.Errorf("%q is no condition such as: > 15ms for 3 samples", s)
		}
		c.op = m[1]
		c.limit, unit, err = number(m[2])
		return c, unit, err
	}
}

// compare reads the path of a counter that is compared with a number.
func (p *parser) compare(s string) (c condition, unit string, err error) {
	m := whenOf().FindStringSubmatch(s)
	if m == nil {
		return c, "", fmt.Errorf(`%q is no comparison such as: \PhysicalDisk(*)\Disk Reads/sec > 5`, s)
	}
	c.op = m[2]
	if c.limit, unit, err = number(m[3]); err != nil {
		return c, "", err
	}
	c.input, err = p.input(m[1])
	return c, unit, err
}

package export

import (
	"bufio"
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/perfdump/perfdump/capture"
	"github.com/perfdump/perfdump/checkmk"
)

// agent writes raw values as the sections of a Checkmk agent, one for each
// object. The form has no texts, no parents, no #n and no counts of MULTI types.
// A counter without a value in some instance is left out, since the form has no
// sign for that. A snapshot without a time has the time 0.
type agent struct {
	w       *bufio.Writer
	buf     []byte
	begun   bool
	first   string // the host of the first section, which the output begins with
	host    string // the host of the last section
	omitted int
}

func newCheckmk(w io.Writer, _ Options) (Writer, error) { return &agent{w: newBuffer(w)}, nil }

// checkmkNames are the agent's own names of sections, by title index. Other
// sections have the name of their object.
var checkmkNames = map[uint32]string{234: "phydisk", 238: "processor", 510: "if"}

// Write writes the sections of a snapshot. Values outside objects have no title
// index, which sections need; they are counted as omitted.
func (c *agent) Write(s *capture.Snapshot) error {
	if s.Section != nil {
		return c.writeSection(s.Section)
	}
	for b := range s.Blocks() {
		if err := c.writeBlock(b); err != nil {
			return err
		}
	}
	for range s.OtherRows() {
		c.omitted++
	}
	return nil
}

func (c *agent) writeBlock(s *capture.Snapshot) error {
	section := checkmk.Section{Host: s.Host, Frequency: s.Block().PerfFreq, HasFrequency: true}
	if !s.Time.IsZero() {
		section.Unix = math.Round(float64(s.Time.UnixMilli())/10) / 100
	}
	for o := range s.Objects() {
		section.Object, section.HasInstances = o.Index, !o.Single
		section.Name = checkmkName(o)
		section.Instances, section.Counters = section.Instances[:0], section.Counters[:0]
		before := uint32(0)
		for i := range o.Counters {
			k := &o.Counters[i]
			index := k.Index
			if k.Type.IsBase() && i > 0 { // it has the index of what it is the base of
				index = before
			}
			before = index
			section.Counters = append(section.Counters, checkmk.Counter{Index: index, Type: k.Type, HasType: true})
		}
		absent := make([]bool, len(section.Counters))
		for in := range o.Instances() {
			if !o.Single {
				section.Instances = append(section.Instances, in.Name)
			}
			for i := range section.Counters {
				v, ok := in.Value(i)
				absent[i] = absent[i] || !ok || v.Kind != capture.Number
				section.Counters[i].Values = append(section.Counters[i].Values, v.Uint)
			}
		}
		n := 0
		section.Counters = slices.DeleteFunc(section.Counters, func(checkmk.Counter) bool { n++; return absent[n-1] })
		c.omitted += n - len(section.Counters)
		if err := c.writeSection(&section); err != nil {
			return err
		}
	}
	return nil
}

func checkmkName(o *capture.Object) string {
	if name, ok := checkmkNames[o.Index]; ok {
		return name
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(o.Name))
}

// writeSection writes a section. Where the host changes, a marker comes before it.
func (c *agent) writeSection(s *checkmk.Section) error {
	c.buf = c.buf[:0]
	switch {
	case !c.begun && s.Host != "":
		c.buf = checkmk.AppendAgent(c.buf, s.Host)
	case c.begun && s.Host != c.host && s.Host == c.first:
		c.buf = checkmk.AppendHost(c.buf, "")
	case c.begun && s.Host != c.host:
		c.buf = checkmk.AppendHost(c.buf, s.Host)
	}
	if !c.begun {
		c.begun, c.first = true, s.Host
	}
	c.host = s.Host
	c.buf = checkmk.Append(c.buf, s)
	_, err := c.w.Write(c.buf)
	return err
}

// WriteRows counts rows as omitted: they have no title index.
func (c *agent) WriteRows(rows iter.Seq[*capture.Row]) error {
	for range rows {
		c.omitted++
	}
	return nil
}

func (c *agent) omissions() []Omission {
	return []Omission{{c.omitted, "counter", "left out: the format has no texts, no counters that some instances lack, and none without a title index; -o csv has them"}}
}

func (c *agent) Flush() error { return c.w.Flush() }

func (c *agent) Close() error { return c.w.Flush() }
